//! What the agent of the demo says, in English and Chinese.

use assent_device::Language;

/// The words of the agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texts {
    pub(super) greeting: &'static str,
    pub(super) notification: &'static str,
    pub(super) why_notes: &'static str,
    pub(super) notes: &'static str,
    pub(super) why_todo: &'static str,
    pub(super) todo: &'static str,
    pub(super) why_page: &'static str,
    pub(super) page: &'static str,
    pub(super) why_location: &'static str,
    pub(super) location: &'static str,
    pub(super) changed: &'static str,
    pub(super) paused: &'static str,
    pub(super) agreed: &'static str,
    pub(super) refused: &'static str,
    pub(super) not_granted: &'static str,
    pub(super) timed_out: &'static str,
    pub(super) failed: &'static str,
    pub(super) summary: &'static str,
    pub(super) can_do: &'static str,
}

/// The words in a language.
pub(super) const fn texts(language: Language) -> Texts {
    match language {
        Language::En => EN,
        Language::Zh => ZH,
    }
}

const EN: Texts = Texts {
    greeting: "Hello, I am Ada's helper. I plan a trip with you, and ask before I use anything of yours.",
    notification: "Ada's helper is here",
    why_notes: "I look for where you want to go.",
    notes: "I have read your notes:",
    why_todo: "I look for what is left to do.",
    todo: "This is left to do:",
    why_page: "I look for a train.",
    page: "I have found a page about trains:",
    why_location: "I look for the nearest station.",
    location: "You are here:",
    changed: "I have changed how I read files: I name the encoding now. You are asked to agree again.",
    paused: "Until you agree, I cannot read files. See what changed in the inbox.",
    agreed: "Thank you. I can read files again.",
    refused: "All right, I do without it.",
    not_granted: "I do not have the permission for that, so I do without it.",
    timed_out: "You did not answer in time, so I do without it.",
    failed: "That did not work:",
    summary: "That was everything. The relay between us could read none of it; your activity page shows each call.",
    can_do: "Send me the name of a file, such as notes.md, or the address of a page.",
};

const ZH: Texts = Texts {
    greeting: "你好，我是 Ada 的助手。我来帮你计划行程，使用你的任何东西之前都会先问你。",
    notification: "Ada 的助手来了",
    why_notes: "我想知道你要去哪里。",
    notes: "我读了你的笔记：",
    why_todo: "我想知道还有什么要做。",
    todo: "还有这些要做：",
    why_page: "我来找一班火车。",
    page: "我找到一个关于火车的网页：",
    why_location: "我来找最近的车站。",
    location: "你在这里：",
    changed: "我改变了读取文件的方式：现在会指明编码。请你重新确认。",
    paused: "在你同意之前，我不能读取文件。请在收件箱查看变化。",
    agreed: "谢谢，我又可以读取文件了。",
    refused: "好的，那就不用了。",
    not_granted: "我没有这项权限，那就不用了。",
    timed_out: "你没有及时答复，那就不用了。",
    failed: "没有成功：",
    summary: "全部完成。我们之间的中继什么也读不到；每次调用都可以在活动页面查看。",
    can_do: "请发给我一个文件名（例如 notes.md）或一个网页地址。",
};
