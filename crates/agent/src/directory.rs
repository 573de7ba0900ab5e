//! The directory of an agent: `agent.json` says which agent it is, and its tokens are in files of their own.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use assent_ids::AgentId;
use assent_relay_api::value::Secret;
use serde::{Deserialize, Serialize};

use crate::AgentOptions;

const AGENT: &str = "agent.json";
const TOKEN: &str = "token";
const MANIFEST_TOKEN: &str = "manifest-token";

/// The longest file that is read here.
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// The directory of an agent, as `assent agent init` makes it. Its keys and messages are there as well.
#[derive(Clone, Debug)]
pub struct AgentDirectory {
    path: PathBuf,
}

/// Which agent a directory belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredAgent {
    v: Version,
    /// The address of the relay.
    pub relay: String,
    /// The id of the agent.
    pub agent_id: AgentId,
    /// The name that people see.
    pub name: String,
}

/// Why the directory of an agent cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DirectoryError {
    /// There is no agent in it.
    #[error("there is no agent in `{0}`; make one with `assent agent init`")]
    NoAgent(String),
    /// A file cannot be read.
    #[error("cannot read `{0}`: {1}")]
    Read(String, io::Error),
    /// A file holds something else.
    #[error("`{0}` cannot be used: {1}")]
    Damaged(String, String),
    /// A file cannot be written.
    #[error("cannot write `{0}`: {1}")]
    Write(String, io::Error),
}

/// The version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
struct Version;

impl TryFrom<u64> for Version {
    type Error = &'static str;

    fn try_from(version: u64) -> Result<Self, Self::Error> {
        if version == 1 { Ok(Self) } else { Err("it was written by another version of Assent") }
    }
}

impl From<Version> for u64 {
    fn from(_: Version) -> Self {
        1
    }
}

impl StoredAgent {
    /// An agent of a relay.
    #[must_use]
    pub const fn new(relay: String, agent_id: AgentId, name: String) -> Self {
        Self { v: Version, relay, agent_id, name }
    }
}

impl AgentDirectory {
    /// The directory with this path, which need not exist.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The agent of this directory; `None` if there is none yet.
    ///
    /// # Errors
    /// If there is a file that cannot be used.
    pub fn find(&self) -> Result<Option<StoredAgent>, DirectoryError> {
        let Some(bytes) = self.read(AGENT)? else { return Ok(None) };
        let agent = serde_json::from_slice(&bytes);
        agent.map(Some).map_err(|error| self.damaged(AGENT, &error.to_string()))
    }

    /// The agent of this directory.
    ///
    /// # Errors
    /// If there is none, or a file cannot be used.
    pub fn load(&self) -> Result<StoredAgent, DirectoryError> {
        self.find()?.ok_or_else(|| DirectoryError::NoAgent(self.path.display().to_string()))
    }

    /// How the agent of this directory connects.
    ///
    /// # Errors
    /// As for [`Self::load`], or if there is no token.
    pub fn options(&self) -> Result<AgentOptions, DirectoryError> {
        let agent = self.load()?;
        let token = self.read_token(TOKEN)?;
        let token = token.ok_or_else(|| self.damaged(TOKEN, "it is not there"))?;
        let mut options =
            AgentOptions::new(agent.relay, agent.agent_id, token.expose()).directory(&self.path);
        options.manifest_token = self.manifest_token()?;
        Ok(options)
    }

    /// Makes the directory, which only its owner can read.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(&self) -> Result<(), DirectoryError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.path);
        made.map_err(|error| DirectoryError::Write(self.path.display().to_string(), error))
    }

    /// Stores an agent that was just made. The token comes first: an agent that is found has one.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn save(&self, agent: &StoredAgent, token: &Secret) -> Result<(), DirectoryError> {
        self.write(TOKEN, token.expose().as_bytes())?;
        let json = serde_json::to_vec_pretty(agent);
        let json = json.map_err(|error| self.damaged(AGENT, &error.to_string()))?;
        self.write(AGENT, &json)
    }

    /// The token that may publish manifests, if there is one.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn manifest_token(&self) -> Result<Option<Secret>, DirectoryError> {
        self.read_token(MANIFEST_TOKEN)
    }

    /// Stores the token that may publish manifests.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save_manifest_token(&self, token: &Secret) -> Result<(), DirectoryError> {
        self.write(MANIFEST_TOKEN, token.expose().as_bytes())
    }

    fn read_token(&self, name: &str) -> Result<Option<Secret>, DirectoryError> {
        let Some(bytes) = self.read(name)? else { return Ok(None) };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(Secret::from(text.trim().to_owned()))),
            Err(_) => Err(self.damaged(name, "it does not hold a token")),
        }
    }

    fn shown(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }

    fn damaged(&self, name: &str, reason: &str) -> DirectoryError {
        DirectoryError::Damaged(self.shown(name), reason.to_owned())
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, DirectoryError> {
        let mut bytes = Vec::new();
        let opened = File::open(self.path.join(name));
        match opened.and_then(|file| file.take(MAX_FILE_BYTES).read_to_end(&mut bytes)) {
            Ok(_) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(DirectoryError::Read(self.shown(name), error)),
        }
    }

    /// Writes a private file under another name first, so that a crash leaves no half file. It is durable when this
    /// returns.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), DirectoryError> {
        let written = || -> io::Result<()> {
            let temporary = self.path.join(format!("{name}.new"));
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(true).mode(0o600);
            let mut file = options.open(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&temporary, self.path.join(name))?;
            File::open(&self.path)?.sync_all()
        };
        written().map_err(|error| DirectoryError::Write(self.shown(name), error))
    }
}
