//! The searchable texts of a tool.

/// The texts of a tool. Texts that a tool does not have are empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToolText<'a> {
    /// The name in calls, such as `create_issue`.
    pub name: &'a str,
    /// The namespace in which the name is unique, such as `github`.
    pub namespace: &'a str,
    /// The title for people.
    pub title: &'a str,
    /// The description.
    pub description: &'a str,
    /// Further words to find the tool by.
    pub hint: &'a str,
}

/// One of the texts of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// [`ToolText::name`]
    Name,
    /// [`ToolText::namespace`]
    Namespace,
    /// [`ToolText::title`]
    Title,
    /// [`ToolText::description`]
    Description,
    /// [`ToolText::hint`]
    Hint,
}

impl Field {
    /// All fields, in the order in which reasons name them.
    pub const ALL: [Self; 5] =
        [Self::Name, Self::Namespace, Self::Title, Self::Description, Self::Hint];

    /// The name of the field, as in the records of tools.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Namespace => "namespace",
            Self::Title => "title",
            Self::Description => "description",
            Self::Hint => "search_hint",
        }
    }

    /// The longest part of the text that is indexed, in bytes.
    pub(crate) const fn max_bytes(self) -> usize {
        match self {
            Self::Name | Self::Namespace | Self::Title => 1024,
            Self::Hint => 4096,
            Self::Description => 16 * 1024,
        }
    }

    pub(crate) const fn of<'a>(self, text: &ToolText<'a>) -> &'a str {
        match self {
            Self::Name => text.name,
            Self::Namespace => text.namespace,
            Self::Title => text.title,
            Self::Description => text.description,
            Self::Hint => text.hint,
        }
    }
}

/// Some of the fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FieldSet(u8);

impl FieldSet {
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    pub(crate) const fn insert(&mut self, field: Field) {
        self.0 |= 1 << field as u8;
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(move |field| self.0 & (1 << *field as u8) != 0)
    }
}
