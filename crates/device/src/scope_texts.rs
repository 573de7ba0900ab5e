//! What the well-known scopes are called. An agent cannot change these texts.

use serde::{Deserialize, Serialize};

/// A language of the texts that people see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

impl Language {
    /// The language with this code.
    #[must_use]
    pub fn find(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::En),
            "zh" => Some(Self::Zh),
            _ => None,
        }
    }
}

/// What a scope is called, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeText {
    /// The name.
    pub label: &'static str,
    /// The meaning.
    pub description: &'static str,
}

/// The texts of one scope: its id, then the texts in English and in Chinese.
type Row = (&'static str, ScopeText, ScopeText);

const fn text(label: &'static str, description: &'static str) -> ScopeText {
    ScopeText { label, description }
}

const TEXTS: [Row; 5] = [
    (
        "notification:send",
        text("Send notifications", "Show messages on this device"),
        text("发送系统通知", "在此设备显示消息"),
    ),
    (
        "filesystem:read",
        text("Read local files", "Only in folders you choose"),
        text("读取本地文件", "仅限你选择的文件夹"),
    ),
    (
        "clipboard:read",
        text("Read the clipboard", "What you copied last"),
        text("读取剪贴板", "你最近复制的内容"),
    ),
    (
        "location:read",
        text("Read your location", "Where this device is"),
        text("读取位置", "此设备所在位置"),
    ),
    (
        "network:http",
        text("Access the web", "Fetch pages from this device"),
        text("网络访问", "从此设备获取网页"),
    ),
];

/// The texts of a well-known scope; `None` for any other scope.
#[must_use]
pub fn scope_text(scope: &str, language: Language) -> Option<ScopeText> {
    let (_, en, zh) = TEXTS.into_iter().find(|(id, _, _)| *id == scope)?;
    Some(match language {
        Language::En => en,
        Language::Zh => zh,
    })
}
