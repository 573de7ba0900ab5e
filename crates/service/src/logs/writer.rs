//! Writes the log in a thread of its own, so that a reader that stops reading does not block the service. Lines
//! that do not fit into the queue are dropped and counted.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

/// The length of the queue, in lines.
const WAITING: usize = 4096;

/// How long lines are collected before they are written together.
const GATHERING: Duration = Duration::from_millis(5);

/// The number of bytes that are written at once, plus at most one line.
const AT_ONCE: usize = 64 * 1024;

/// The longest wait for the last lines at exit.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// The queue of lines, one per event.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    sender: SyncSender<Message>,
    lost: Arc<AtomicU64>,
}

/// Writes the last lines when it is dropped, if they can be written.
#[derive(Debug)]
#[must_use]
pub struct Logs(SyncSender<Message>);

#[derive(Debug)]
enum Message {
    Line(Vec<u8>),
    /// A request to write all lines before it.
    Flush(SyncSender<()>),
}

/// Starts a thread that writes lines to `out`. `lost` formats the line about lost lines.
pub(super) fn start(
    out: impl Write + Send + 'static,
    lost: fn(u64) -> String,
) -> io::Result<(Lines, Logs)> {
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    let count = Arc::new(AtomicU64::new(0));
    let lines = Lines { sender: sender.clone(), lost: Arc::clone(&count) };
    let thread = thread::Builder::new().name("log".to_owned());
    thread.spawn(move || run(out, &receiver, &count, lost))?;
    Ok((lines, Logs(sender)))
}

impl Write for Lines {
    /// Takes a whole line.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.sender.try_send(Message::Line(line.to_vec())).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Logs {
    fn drop(&mut self) {
        let end = Instant::now() + LAST_WAIT;
        let (done, wait) = mpsc::sync_channel(1);
        while self.0.try_send(Message::Flush(done.clone())).is_err() && Instant::now() < end {
            thread::sleep(GATHERING);
        }
        // The time is up: the remaining lines are dropped.
        let _ = wait.recv_timeout(end.saturating_duration_since(Instant::now()));
    }
}

fn run(
    mut out: impl Write,
    lines: &Receiver<Message>,
    lost: &AtomicU64,
    report: fn(u64) -> String,
) {
    let mut text = Vec::new();
    while let Ok(first) = lines.recv() {
        if matches!(first, Message::Line(_)) {
            thread::sleep(GATHERING);
        }
        let mut next = Some(first);
        while let Some(message) = next {
            let done = match message {
                Message::Line(line) => {
                    text.extend_from_slice(&line);
                    None
                }
                Message::Flush(done) => Some(done),
            };
            if done.is_some() || text.len() >= AT_ONCE {
                write(&mut out, &mut text);
            }
            if let Some(done) = done {
                // The caller may have stopped waiting.
                let _ = done.try_send(());
            }
            next = lines.try_recv().ok();
        }
        match lost.swap(0, Ordering::Relaxed) {
            0 => {}
            count => text.extend_from_slice(report(count).as_bytes()),
        }
        write(&mut out, &mut text);
    }
}

/// Errors are ignored: there is no other place to report that the log cannot be written.
fn write(out: &mut impl Write, text: &mut Vec<u8>) {
    let _ = out.write_all(text);
    text.clear();
}

#[cfg(test)]
mod tests {
    use std::{
        io::{self, Write},
        sync::{Arc, Mutex, mpsc},
        time::Instant,
    };

    use super::{LAST_WAIT, Lines, WAITING, start};

    /// Keeps what is written, but only while the gate is open.
    struct Gated {
        written: Arc<Mutex<Vec<u8>>>,
        gate: mpsc::Receiver<()>,
    }

    impl Write for Gated {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _open = self.gate.recv();
            self.written.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn lost_lines(count: u64) -> String {
        format!("{count} lost\n")
    }

    fn line(lines: &mut Lines, number: usize) {
        lines.write_all(format!("{number}\n").as_bytes()).unwrap();
    }

    #[test]
    fn lines_come_out_in_order_and_the_last_ones_before_the_end() {
        let (open, gate) = mpsc::channel();
        drop(open);
        let written = Arc::new(Mutex::new(Vec::new()));
        let (mut lines, logs) =
            start(Gated { written: written.clone(), gate }, lost_lines).unwrap();
        let expected: String = (0..1000).map(|number| format!("{number}\n")).collect();
        (0..1000).for_each(|number| line(&mut lines, number));
        drop(logs);
        assert_eq!(String::from_utf8(written.lock().unwrap().clone()).unwrap(), expected);
    }

    #[test]
    fn a_reader_that_stops_blocks_nothing_and_gets_the_number_of_lost_lines() {
        let (open, gate) = mpsc::channel();
        let written = Arc::new(Mutex::new(Vec::new()));
        let (mut lines, logs) =
            start(Gated { written: written.clone(), gate }, lost_lines).unwrap();
        (0..3 * WAITING).for_each(|number| line(&mut lines, number));
        let began = Instant::now();
        drop(logs);
        assert!(began.elapsed() < 3 * LAST_WAIT, "the end does not wait for ever either");
        // The reader reads again.
        drop(open);
        let end = Instant::now() + 20 * LAST_WAIT;
        while !String::from_utf8_lossy(&written.lock().unwrap()).contains("lost") {
            assert!(Instant::now() < end, "nobody says that lines were lost");
            std::thread::yield_now();
        }
        let text = String::from_utf8(written.lock().unwrap().clone()).unwrap();
        let kept = text.lines().filter(|line| !line.ends_with("lost")).count();
        let lost: usize = text
            .lines()
            .filter_map(|line| line.strip_suffix(" lost"))
            .map(|count| count.parse::<usize>().unwrap())
            .sum();
        assert_eq!(kept + lost, 3 * WAITING);
    }
}
