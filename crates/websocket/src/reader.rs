//! From bytes to messages.

use bytes::{Buf as _, BytesMut};

use crate::{
    CloseCode, Message, Violation,
    head::{Head, MAX_HEAD, Opcode},
    unmask::unmask,
};

/// Turns what a client sends into messages. Between messages it holds no memory.
#[derive(Debug)]
pub struct Reader {
    /// The longest message.
    limit: usize,
    /// What arrived behind the message that was handed out last, or the beginning of a head.
    pending: BytesMut,
    /// The frame whose payload arrives.
    frame: Option<OpenFrame>,
    /// The payload of a control frame, which may come between the fragments of a message.
    control: Vec<u8>,
    /// The message whose fragments arrive.
    message: Option<OpenMessage>,
    /// After a close, nothing is read any more.
    closed: bool,
}

#[derive(Debug)]
struct OpenFrame {
    head: Head,
    received: u64,
}

#[derive(Debug)]
struct OpenMessage {
    is_text: bool,
    payload: Vec<u8>,
    /// How much of a text is known to be UTF-8.
    checked: usize,
}

impl Reader {
    /// A reader that refuses messages of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            pending: BytesMut::new(),
            frame: None,
            control: Vec::new(),
            message: None,
            closed: false,
        }
    }

    /// From the next frame on, messages of up to `limit` bytes are read.
    pub const fn allow(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Takes what has arrived and returns the first message in it. Others follow with [`Self::next`].
    ///
    /// # Errors
    /// If the other side breaks the protocol. There is nothing more to read then.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Option<Message>, Violation> {
        if !self.pending.is_empty() {
            self.pending.extend_from_slice(bytes);
            return self.next();
        }
        let mut rest = bytes;
        let message = self.read(&mut rest)?;
        self.pending.extend_from_slice(rest);
        Ok(message)
    }

    /// The next message of what has arrived already.
    ///
    /// # Errors
    /// If the other side breaks the protocol.
    #[expect(
        clippy::should_implement_trait,
        reason = "`None` means that more is needed, not the end"
    )]
    pub fn next(&mut self) -> Result<Option<Message>, Violation> {
        if self.pending.is_empty() {
            return Ok(None);
        }
        // Taken out, so that nothing is left of it when all of it is read.
        let mut pending = std::mem::take(&mut self.pending);
        let mut rest = &*pending;
        let message = self.read(&mut rest)?;
        let left = rest.len();
        if left > 0 {
            pending.advance(pending.len().saturating_sub(left));
            self.pending = pending;
        }
        Ok(message)
    }

    /// Whether the other side has said that nothing follows.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Reads frames until a message is complete or nothing is left but the beginning of a head.
    fn read(&mut self, bytes: &mut &[u8]) -> Result<Option<Message>, Violation> {
        if self.closed {
            *bytes = &[];
        }
        loop {
            let Some(frame) = self.frame.take() else {
                let Some((head, used)) = Head::read(bytes)? else {
                    debug_assert!(bytes.len() < MAX_HEAD, "a head is never longer");
                    return Ok(None);
                };
                *bytes = bytes.get(used..).unwrap_or_default();
                self.begin(&head)?;
                self.frame = Some(OpenFrame { head, received: 0 });
                continue;
            };
            let (frame, is_complete) = self.payload(frame, bytes)?;
            if !is_complete {
                self.frame = Some(frame);
                return Ok(None);
            }
            if let Some(message) = self.end(&frame.head)? {
                return Ok(Some(message));
            }
        }
    }

    /// A frame begins: whether it may, here, and whether it fits.
    fn begin(&mut self, head: &Head) -> Result<(), Violation> {
        match (head.opcode, &self.message) {
            (opcode, _) if opcode.is_control() => return Ok(()),
            (Opcode::Continuation, None) => return Err(Violation::NothingToContinue),
            (Opcode::Continuation, Some(_)) => {}
            (_, Some(_)) => return Err(Violation::UnfinishedMessage),
            (opcode, None) => {
                let is_text = opcode == Opcode::Text;
                self.message = Some(OpenMessage { is_text, payload: Vec::new(), checked: 0 });
            }
        }
        let so_far = self.message.as_ref().map_or(0, |message| message.payload.len());
        let room = self.limit.saturating_sub(so_far);
        if usize::try_from(head.length).is_ok_and(|length| length <= room) {
            Ok(())
        } else {
            Err(Violation::TooLarge { limit: self.limit })
        }
    }

    /// Takes what has arrived of the payload, and whether that is all of it.
    fn payload(
        &mut self,
        mut frame: OpenFrame,
        bytes: &mut &[u8],
    ) -> Result<(OpenFrame, bool), Violation> {
        let missing = frame.head.length.saturating_sub(frame.received);
        let count = usize::try_from(missing).unwrap_or(usize::MAX).min(bytes.len());
        let (arrived, rest) = bytes.split_at_checked(count).unwrap_or_default();
        *bytes = rest;
        let is_control = frame.head.opcode.is_control();
        let into = match &mut self.message {
            Some(message) if !is_control => &mut message.payload,
            _ => &mut self.control,
        };
        let begin = into.len();
        into.extend_from_slice(arrived);
        let arrived = into.get_mut(begin..).unwrap_or_default();
        unmask(arrived, frame.head.mask, frame.received);
        frame.received = frame.received.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        let is_complete = frame.received == frame.head.length;
        if let Some(message) = &mut self.message
            && !(is_control || is_complete && frame.head.is_final)
        {
            message.check()?;
        }
        Ok((frame, is_complete))
    }

    /// A frame has ended, and with it perhaps a message.
    fn end(&mut self, head: &Head) -> Result<Option<Message>, Violation> {
        if head.opcode.is_control() {
            let payload = std::mem::take(&mut self.control);
            return self.control(head.opcode, payload).map(Some);
        }
        if !head.is_final {
            return Ok(None);
        }
        self.message.take().map(OpenMessage::finish).transpose()
    }

    fn control(&mut self, opcode: Opcode, payload: Vec<u8>) -> Result<Message, Violation> {
        match opcode {
            Opcode::Ping => Ok(Message::Ping(payload)),
            Opcode::Pong => Ok(Message::Pong(payload)),
            _ => {
                self.closed = true;
                close(&payload).map(Message::Close)
            }
        }
    }
}

impl OpenMessage {
    /// Whether a text can still become UTF-8: a wrong byte is refused when it comes, not at the end.
    fn check(&mut self) -> Result<(), Violation> {
        if !self.is_text {
            return Ok(());
        }
        match std::str::from_utf8(self.payload.get(self.checked..).unwrap_or_default()) {
            Ok(_) => self.checked = self.payload.len(),
            Err(error) if error.error_len().is_none() => {
                self.checked = self.checked.saturating_add(error.valid_up_to());
            }
            Err(_) => return Err(Violation::NotUtf8),
        }
        Ok(())
    }

    fn finish(self) -> Result<Message, Violation> {
        if self.is_text {
            String::from_utf8(self.payload).map(Message::Text).map_err(|_| Violation::NotUtf8)
        } else {
            Ok(Message::Binary(self.payload))
        }
    }
}

/// The code of a close frame.
fn close(payload: &[u8]) -> Result<Option<CloseCode>, Violation> {
    if payload.is_empty() {
        return Ok(None);
    }
    let (code, reason) = payload.split_first_chunk().ok_or(Violation::BadClose)?;
    let code = CloseCode::new(u16::from_be_bytes(*code)).ok_or(Violation::BadClose)?;
    std::str::from_utf8(reason).map_err(|_| Violation::NotUtf8)?;
    Ok(Some(code))
}

#[cfg(test)]
mod tests {
    use super::{Message, Reader};

    #[test]
    fn between_messages_there_is_no_memory() {
        let hi = [0x81, 0x82, 0, 0, 0, 0, b'h', b'i'];
        let mut reader = Reader::new(100);
        let two = [hi, hi].concat();
        for chunk in two.chunks(3) {
            let mut next = reader.feed(chunk).unwrap();
            while let Some(message) = next {
                assert_eq!(message, Message::Text("hi".into()));
                next = reader.next().unwrap();
            }
        }
        assert_eq!(reader.pending.capacity(), 0);
        assert_eq!(reader.control.capacity(), 0);
        assert!(reader.message.is_none());
    }
}
