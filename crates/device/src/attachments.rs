//! The consoles and terminals that a person can see prompts on now.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::Interface;

/// Counts the attached consoles and terminals.
#[derive(Debug, Default)]
pub(crate) struct Attachments {
    consoles: AtomicUsize,
    terminals: AtomicUsize,
}

/// A console or terminal that is attached to a device until this is dropped.
#[derive(Debug)]
pub struct Attachment {
    attachments: Arc<Attachments>,
    interface: Interface,
}

impl Attachments {
    fn count(&self, interface: Interface) -> &AtomicUsize {
        match interface {
            Interface::Console => &self.consoles,
            Interface::Terminal => &self.terminals,
        }
    }

    pub(crate) fn attach(self: Arc<Self>, interface: Interface) -> Attachment {
        self.count(interface).fetch_add(1, Ordering::Relaxed);
        Attachment { attachments: self, interface }
    }

    /// An attached interface; a console if there is one.
    pub(crate) fn any(&self) -> Option<Interface> {
        let is_attached =
            |interface: &Interface| self.count(*interface).load(Ordering::Relaxed) > 0;
        [Interface::Console, Interface::Terminal].into_iter().find(is_attached)
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        self.attachments.count(self.interface).fetch_sub(1, Ordering::Relaxed);
    }
}
