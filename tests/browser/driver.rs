//! A browser to look at pages with: Chromium, over the protocol of its driver.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// So long something may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The keys that have no letter, as the protocol names them.
pub(crate) const TAB: &str = "\u{e004}";
pub(crate) const ENTER: &str = "\u{e007}";
pub(crate) const DOWN: &str = "\u{e015}";

/// A browser without a screen.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts one; nothing if there is none on this machine.
    pub(crate) fn start() -> Option<Self> {
        let there = |name: &str| Path::new("/usr/bin").join(name).exists();
        if !there("chromium") || !there("chromedriver") {
            return None;
        }
        let mut driver = Command::new("/usr/bin/chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = told.find_map(|line| {
            let line = line.ok()?;
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        std::thread::spawn(move || told.for_each(drop));
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Self {
            driver,
            port: port.unwrap(),
            session: String::new(),
            _profile: profile,
        };
        let folder = browser._profile.path().display();
        let folder = format!("--user-data-dir={folder}");
        let options = json!({
            "binary": "/usr/bin/chromium",
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", folder],
        });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" },
        }}});
        let session = browser.post("", &wanted);
        browser.session = format!("/{}", session["sessionId"].as_str().unwrap());
        Some(browser)
    }

    /// What the driver answers, or of what it complains.
    fn asked(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let body = if method == "GET" {
            String::new()
        } else {
            body.to_string()
        };
        let request = format!(
            "{method} /session{}{path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.session,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = BufReader::new(stream);
        // The driver leaves its connections open.
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).unwrap();
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(told) = line.strip_prefix("content-length:") {
                length = told.trim().parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        let mut text = vec![0; length];
        answer.read_exact(&mut text).unwrap();
        let mut answer: Value = serde_json::from_slice(&text).unwrap();
        let value = answer["value"].take();
        match &value["error"] {
            Value::Null => Ok(value),
            error => Err(format!("{path}: {error}: {}", value["message"])),
        }
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Value {
        self.asked("POST", path, body).unwrap()
    }

    /// Opens another window, which is looked at from now on.
    pub(crate) fn opens(&self) -> String {
        let window = self.post("/window/new", &json!({ "type": "tab" }));
        let window = window["handle"].as_str().unwrap().to_owned();
        self.looks_at(&window);
        window
    }

    pub(crate) fn looks_at(&self, window: &str) {
        self.post("/window", &json!({ "handle": window }));
    }

    pub(crate) fn goes_to(&self, address: &str) {
        self.post("/url", &json!({ "url": address }));
    }

    /// What a script answers; it begins with `return`.
    pub(crate) fn runs(&self, script: &str, arguments: &Value) -> Value {
        self.post(
            "/execute/sync",
            &json!({ "script": script, "args": arguments }),
        )
    }

    /// The same of a script that answers later, by its last argument.
    pub(crate) fn runs_long(&self, script: &str, arguments: &Value) -> Value {
        self.post(
            "/execute/async",
            &json!({ "script": script, "args": arguments }),
        )
    }

    /// Has the browser itself do something.
    pub(crate) fn does(&self, what: &str, how: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": what, "params": how }))
    }

    /// Types on the keyboard, one key after the other.
    pub(crate) fn types(&self, keys: &str) {
        let each = keys.chars().flat_map(|key| {
            let key = key.to_string();
            ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key }))
        });
        let each: Vec<Value> = each.collect();
        let actions = json!({ "actions": [{ "type": "key", "id": "keys", "actions": each }] });
        self.post("/actions", &actions);
    }

    /// Clicks with the mouse on what is shown there.
    pub(crate) fn clicks(&self, selector: &str) {
        let wanted = json!({ "using": "css selector", "value": selector });
        // What is clicked may be drawn anew in the same moment.
        let until = Instant::now() + PATIENCE;
        loop {
            let found = self.asked("POST", "/element", &wanted);
            let clicked = found.and_then(|found| {
                let id = found
                    .as_object()
                    .and_then(|it| it.values().next()?.as_str());
                let path = format!("/element/{}/click", id.unwrap_or_default());
                self.asked("POST", &path, &json!({}))
            });
            if clicked.is_ok() {
                return;
            }
            assert!(Instant::now() < until, "{clicked:?}");
        }
    }

    /// Waits until a script answers with something true.
    #[track_caller]
    pub(crate) fn waits(&self, script: &str, arguments: &Value) {
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = self.runs(script, arguments);
            if answer.as_bool().unwrap_or(!answer.is_null()) {
                return;
            }
            let seen = self.runs("return document.body.innerText", &json!([]));
            assert!(
                Instant::now() < until,
                "never true: {script} of {arguments}: {}",
                seen.as_str().unwrap_or_default()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What the browser had to complain of.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let told = self.post("/se/log", &json!({ "type": "browser" }));
        let told = told.as_array().cloned().unwrap_or_default();
        told.iter().map(Value::to_string).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.asked("DELETE", "", &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
