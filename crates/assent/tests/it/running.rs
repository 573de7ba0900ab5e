//! A relay as a process, and requests to it.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// `assent serve`, killed at the end of the test whatever happens.
pub(crate) struct Relay {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) ready: Value,
    folder: TempDir,
}

/// How a relay ended.
pub(crate) struct End {
    pub(crate) code: Option<i32>,
    pub(crate) took: Duration,
    /// What it said on standard output after its first line.
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A command without the settings of the environment.
pub(crate) fn bare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assent"));
    let ours =
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("ASSENT_"));
    for (name, _) in ours {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

impl Relay {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[])
    }

    pub(crate) fn start_with(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = File::create(folder.path().join("stderr")).unwrap();
        Self::launch(arguments, variables, folder, log.into())
    }

    /// One whose log goes somewhere else.
    pub(crate) fn start_logging_to(log: impl Into<Stdio>) -> Self {
        Self::launch(&[], &[], tempfile::tempdir().unwrap(), log.into())
    }

    fn launch(arguments: &[&str], variables: &[(&str, &str)], folder: TempDir, log: Stdio) -> Self {
        let data = folder.path().join("data");
        let mut child = bare(&["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(&data)
            .args(arguments)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let ready = serde_json::from_str(&line).unwrap_or_else(|_| {
            let _ = child.kill();
            let _ = child.wait();
            let log = std::fs::read_to_string(folder.path().join("stderr")).unwrap_or_default();
            panic!("it is not ready: {line:?}\n{log}")
        });
        Self { child, stdout, ready, folder }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn url(&self) -> &str {
        self.ready["url"].as_str().unwrap()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(self.url().strip_prefix("http://").unwrap()).unwrap()
    }

    pub(crate) fn connect_as_operator(&self) -> UnixStream {
        UnixStream::connect(self.data().join("admin.sock")).unwrap()
    }

    /// The whole answer to a `GET`.
    pub(crate) fn get(&self, path: &str) -> String {
        let mut stream = self.connect();
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// What stands in `data` of the answer to a call with a body.
    pub(crate) fn call(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let (mut stream, body) = (self.connect(), body.to_string());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 20"), "{answer}");
        serde_json::from_str::<Value>(body).unwrap()["data"].take()
    }

    /// Registers a person and an agent; returns the person's token, the agent's id and its token.
    pub(crate) fn owner_and_agent(&self) -> (String, String, String) {
        let account = serde_json::json!({
            "email": "ada@example.org", "account_password": "correct horse battery",
            "display_name": "ada", "cookie": false,
        });
        let owner = self.call("POST", "/auth/register", "", &account);
        let text = |value: &Value, name: &str| value[name].as_str().unwrap().to_owned();
        let owner = text(&owner, "access_token");
        let agent = serde_json::json!({"name": "files"});
        let agent = self.call("POST", "/agents", &owner, &agent);
        (owner, text(&agent, "agent_id"), text(&agent, "token"))
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("stderr")).unwrap_or_default()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) fn stop(self, signal: Signal) -> End {
        self.signal(signal);
        self.wait()
    }

    /// Waits until it has ended; not longer than a minute.
    pub(crate) fn wait(mut self) -> End {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        let took = began.elapsed();
        let mut stdout = String::new();
        self.stdout.read_to_string(&mut stdout).unwrap();
        End { code: status.code(), took, stdout, stderr: self.log() }
    }

    /// `assent admin …` about this relay.
    pub(crate) fn admin(&self, arguments: &[&str]) -> crate::Run {
        run(bare(&["admin"]).args(arguments).arg("--data").arg(self.data()))
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> crate::Run {
    let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    crate::Run {
        code: output.status.code().expect("the program was not killed"),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file in `folder`.
pub(crate) fn write(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A service of this program with a ready line. It is killed at the end of the test whatever happens.
pub(crate) struct Service {
    child: Child,
    _stdout: BufReader<ChildStdout>,
    ready: Value,
}

impl Service {
    /// Starts `assent` and waits for its ready line.
    pub(crate) fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = bare(arguments);
        command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let ready = serde_json::from_str(&line).unwrap_or_else(|_| {
            let _ = child.kill();
            let _ = child.wait();
            panic!("it is not ready: {line:?}")
        });
        Self { child, _stdout: stdout, ready }
    }

    pub(crate) const fn ready(&self) -> &Value {
        &self.ready
    }

    /// Asks the service to end, and returns its exit code.
    pub(crate) fn end(&mut self) -> Option<i32> {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
