//! The directory of an agent: `agent.json` says which agent it is, and its tokens are in files of their own.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use assent_agent::AgentOptions;
use assent_ids::AgentId;
use assent_relay_api::value::Secret;
use serde::{Deserialize, Serialize};

use super::Failure;

const AGENT: &str = "agent.json";
const TOKEN: &str = "token";
const MANIFEST_TOKEN: &str = "manifest-token";

/// The longest file that is read here.
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// The directory of an agent.
pub(super) struct Directory {
    path: PathBuf,
}

/// Which agent a directory belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredAgent {
    v: Version,
    pub(super) relay: String,
    pub(super) agent_id: AgentId,
    pub(super) name: String,
}

/// The version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
struct Version;

impl TryFrom<u64> for Version {
    type Error = &'static str;

    fn try_from(version: u64) -> Result<Self, Self::Error> {
        if version == 1 { Ok(Self) } else { Err("it is of another version of Assent") }
    }
}

impl From<Version> for u64 {
    fn from(_: Version) -> Self {
        1
    }
}

impl StoredAgent {
    pub(super) const fn new(relay: String, agent_id: AgentId, name: String) -> Self {
        Self { v: Version, relay, agent_id, name }
    }

    /// How the agent of this directory connects.
    pub(super) fn options(&self, directory: &Directory) -> Result<AgentOptions, Failure> {
        let token = directory.read_token(TOKEN)?.ok_or_else(|| {
            Failure::Failed("NO_TOKEN", format!("there is no token in {}", directory.shown(TOKEN)))
        })?;
        let mut options = AgentOptions::new(&self.relay, self.agent_id, token.expose())
            .directory(&directory.path);
        options.manifest_token = directory.manifest_token()?;
        Ok(options)
    }
}

impl Directory {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The agent of this directory; `None` if there is none yet.
    pub(super) fn find(&self) -> Result<Option<StoredAgent>, Failure> {
        let Some(bytes) = self.read(AGENT)? else { return Ok(None) };
        match serde_json::from_slice(&bytes) {
            Ok(agent) => Ok(Some(agent)),
            Err(error) => {
                let message = format!("{} is not the file of an agent: {error}", self.shown(AGENT));
                Err(Failure::Unreadable(message))
            }
        }
    }

    /// The agent of this directory.
    pub(super) fn load(&self) -> Result<StoredAgent, Failure> {
        self.find()?.ok_or_else(|| {
            let path = self.path.display();
            Failure::WrongUse(format!(
                "there is no agent in `{path}`; make one with `assent agent init`, or name its directory with `--dir`"
            ))
        })
    }

    /// Stores an agent that was just made. The token comes first: an agent that is found has one.
    pub(super) fn save(&self, agent: &StoredAgent, token: &Secret) -> Result<(), Failure> {
        self.write(TOKEN, token.expose().as_bytes())?;
        let json = serde_json::to_vec_pretty(agent).map_err(io::Error::from)?;
        self.write(AGENT, &json)
    }

    /// Makes the directory, which only its owner can read.
    pub(super) fn create(&self) -> Result<(), Failure> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.path);
        made.map_err(|error| {
            Failure::WrongUse(format!("cannot make {}: {error}", self.path.display()))
        })
    }

    /// The token that may publish manifests.
    pub(super) fn manifest_token(&self) -> Result<Option<Secret>, Failure> {
        self.read_token(MANIFEST_TOKEN)
    }

    pub(super) fn save_manifest_token(&self, token: &Secret) -> Result<(), Failure> {
        self.write(MANIFEST_TOKEN, token.expose().as_bytes())
    }

    fn read_token(&self, name: &str) -> Result<Option<Secret>, Failure> {
        let Some(bytes) = self.read(name)? else { return Ok(None) };
        let text = String::from_utf8(bytes).map_err(|_| {
            Failure::Unreadable(format!("{} does not hold a token", self.shown(name)))
        })?;
        Ok(Some(Secret::from(text.trim().to_owned())))
    }

    fn shown(&self, name: &str) -> String {
        self.path.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let mut bytes = Vec::new();
        let opened = File::open(self.path.join(name));
        match opened.and_then(|file| file.take(MAX_FILE_BYTES).read_to_end(&mut bytes)) {
            Ok(_) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => {
                Err(Failure::Unreadable(format!("cannot read {}: {error}", self.shown(name))))
            }
        }
    }

    /// Writes a private file under another name first, so that a crash leaves no half file. It is durable when this
    /// returns.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
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
        written().map_err(|error| {
            Failure::Failed(
                "DIRECTORY_UNUSABLE",
                format!("cannot write {}: {error}", self.shown(name)),
            )
        })
    }
}
