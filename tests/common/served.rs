//! A game with pages, and where they are.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::{Home, Talk};

/// The pages of a game that runs.
pub(crate) struct Pages {
    /// Address and port.
    pub(crate) host: String,
    /// The code of the table.
    pub(crate) code: String,
}

impl Pages {
    /// Starts a club game with an arbiter who has this PIN, White blind and with an assistant,
    /// unless there are settings already.
    pub(crate) fn start(home: &Home, pin: &str, more: &[&str]) -> (Talk, Self) {
        std::fs::create_dir_all(home.path("config/annexd")).unwrap();
        let settings = "[game.sides.white]\nname = \"Anna <b>&amp;\"\n\
                        duties = [\"execute\", \"announce\", \"claim\"]\n";
        let file = home.path("config/annexd/settings.toml");
        if !file.exists() {
            std::fs::write(file, settings).unwrap();
        }
        let usual = ["play", "--text", "--name", "g", "--arbiter"];
        let rest = [
            "--blind",
            "white",
            "--page",
            "127.0.0.1:0",
            "--arbiter-pin-file",
        ];
        let pin = home.pin_file(pin);
        let time: &[&str] = if more.contains(&"--time") {
            &[]
        } else {
            &["--time", "5m"]
        };
        let game = home.start(&[&usual[..], time, &rest, &[&pin], more].concat());
        game.wait_for("Code: ", 1);
        let lines = game.lines();
        let told = lines.iter().find(|line| line.contains("Code: ")).unwrap();
        let (_, rest) = told.split_once("http://").unwrap();
        let (host, rest) = rest.split_once(". ").unwrap();
        let code = rest.chars().filter(char::is_ascii_digit).collect();
        let host = host.to_owned();
        (game, Self { host, code })
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    /// The whole answer to a request with these headers and this body.
    pub(crate) fn ask(&self, what: &str, headers: &str, body: &str) -> String {
        let mut stream = self.connect();
        let host = if headers.contains("host:") {
            ""
        } else {
            &*format!("host: {}\r\n", self.host)
        };
        let request = format!(
            "{what} HTTP/1.1\r\n{host}{headers}connection: close\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// What somebody is answered who wants a page.
    pub(crate) fn enter(&self, role: &str, code: &str, pin: &str, again: &str) -> String {
        let body = format!("role={role}&code={code}&pin={pin}&again={again}&language=de");
        self.ask("POST /enter", "", &body)
    }

    pub(crate) fn page(&self, role: &'static str, pin: &str, again: &str) -> Page<'_> {
        // Whoever has just left may still be thought to sit there.
        let since = Instant::now();
        let answer = loop {
            let answer = self.enter(role, &self.code, pin, again);
            let is_taken = answer.contains("ist schon vergeben");
            if !is_taken || since.elapsed() > Duration::from_secs(30) {
                break answer;
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
        let cookie = answer
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "))
            .unwrap();
        for is_kept in ["HttpOnly", "SameSite=Strict", &format!("Path=/{role}")] {
            assert!(cookie.contains(is_kept), "{cookie}");
        }
        let cookie = cookie.split(';').next().unwrap();
        let cookie = format!("cookie: {cookie}\r\n");
        let html = self.ask(&format!("GET /{role}"), &cookie, "");
        assert!(html.starts_with("HTTP/1.1 200"), "{html}");
        let (_, rest) = html.split_once("data-form=\"").unwrap();
        let form = rest.split('"').next().unwrap().to_owned();
        Page {
            served: self,
            role,
            cookie,
            form,
            html,
        }
    }
}

/// A page of somebody.
pub(crate) struct Page<'a> {
    pub(crate) served: &'a Pages,
    pub(crate) role: &'static str,
    pub(crate) cookie: String,
    pub(crate) form: String,
    /// As it was loaded first.
    pub(crate) html: String,
}

impl Page<'_> {
    pub(crate) fn load(&self) -> String {
        self.served
            .ask(&format!("GET /{}", self.role), &self.cookie, "")
    }

    pub(crate) fn press_as(&self, once: &str, line: &str) -> String {
        let line = line.replace(' ', "+");
        let body = format!("form={}&once={once}&line={line}", self.form);
        self.served
            .ask(&format!("POST /{}/do", self.role), &self.cookie, &body)
    }

    pub(crate) fn press(&self, line: &str) {
        let answer = self.press_as(line, line);
        assert!(answer.starts_with("HTTP/1.1 303"), "{line}: {answer}");
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, part: &str) -> String {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let html = self.load();
            if html.contains(part) {
                return html;
            }
            let (_, shown) = html.split_once("</header>").unwrap_or(("", &html));
            let log = shown.split_once("id=\"log\"").map_or(shown, |(_, log)| log);
            assert!(Instant::now() < until, "{part:?} never came: {log}");
        }
    }

    /// All that changes, as it comes.
    pub(crate) fn live(&self) -> impl Iterator<Item = String> {
        let mut stream = self.served.connect();
        let request = format!(
            "GET /{}/live HTTP/1.1\r\nhost: {}\r\n{}\r\n",
            self.role, self.served.host, self.cookie
        );
        stream.write_all(request.as_bytes()).unwrap();
        BufReader::new(stream).lines().map_while(Result::ok)
    }
}
