//! Somebody at his page: what he presses, and what is seen there.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::common::served::Pages;
use super::driver::{Browser, DOWN, ENTER, TAB};
use super::tree::Tree;

/// So many times the tabulator is pressed at most until something is reached.
const TABS: usize = 150;

/// A screen at which pages are looked at.
struct Screen {
    name: &'static str,
    width: u32,
    height: u32,
    /// How many points of the screen a point of the page has.
    scale: u32,
    /// What its owner prefers.
    prefers: (&'static str, &'static str),
}

const fn screen(
    name: &'static str,
    (width, height, scale): (u32, u32, u32),
    prefers: (&'static str, &'static str),
) -> Screen {
    Screen {
        name,
        width,
        height,
        scale,
        prefers,
    }
}

/// 640 points of two are 1280 at 200 percent.
const SCREENS: [Screen; 6] = [
    screen("light", (1280, 900, 1), ("prefers-color-scheme", "light")),
    screen("dark", (1280, 900, 1), ("prefers-color-scheme", "dark")),
    screen("contrast", (1280, 900, 1), ("forced-colors", "active")),
    screen(
        "narrow",
        (360, 780, 1),
        ("prefers-reduced-motion", "reduce"),
    ),
    screen("wide", (1920, 1080, 1), ("prefers-color-scheme", "light")),
    screen("zoomed", (640, 450, 2), ("prefers-color-scheme", "light")),
];

/// What was found by looking at pages.
#[derive(Default)]
pub(crate) struct Looks {
    faults: RefCell<BTreeSet<String>>,
    pictures: RefCell<usize>,
    /// Whether only those screens are looked at on which long words have the least room.
    is_brief: bool,
}

impl Looks {
    pub(crate) fn briefly() -> Self {
        Self {
            is_brief: true,
            ..Self::default()
        }
    }

    pub(crate) fn are_good(&self, browser: &Browser) {
        let mut faults = self.faults.borrow().clone();
        // A page whose program was left cannot reach it.
        let complaints = browser.complaints().into_iter();
        faults.extend(complaints.filter(|it| !it.contains("ERR_CONNECTION")));
        let faults: Vec<String> = faults.into_iter().collect();
        assert!(faults.is_empty(), "{}\n{}", faults.len(), faults.join("\n"));
    }
}

/// A page, and who sits there.
pub(crate) struct Seat<'a> {
    browser: &'a Browser,
    looks: &'a Looks,
    role: &'static str,
    window: String,
    /// What speaks by itself, as it was first.
    live: RefCell<Vec<(String, i64)>>,
}

impl<'a> Seat<'a> {
    /// Comes in by the keyboard alone, with a PIN if he needs one, which he may have to make.
    pub(crate) fn enters(
        browser: &'a Browser,
        pages: &Pages,
        looks: &'a Looks,
        (role, language): (&'static str, &str),
        pin: Option<(&str, bool)>,
    ) -> Self {
        let seat = Self::opens(browser, looks, role);
        browser.goes_to(&format!("http://{}/?language={language}", pages.host));
        seat.is_looked_over("entrance");
        seat.reaches(&format!("a[href*=\"role={role}&\"]"));
        browser.types(ENTER);
        browser.waits("return !!document.querySelector('form')", &json!([]));
        seat.is_looked_over("code and PIN");
        seat.reaches("[name=code]");
        browser.types(&pages.code);
        seat.shows_pins(pin);
        seat
    }

    /// A window of its own, with nothing in it yet.
    fn opens(browser: &'a Browser, looks: &'a Looks, role: &'static str) -> Self {
        Self {
            browser,
            looks,
            role,
            window: browser.opens(),
            live: RefCell::default(),
        }
    }

    /// The same by the address that a telephone reads from the terminal: the code stands in it.
    pub(crate) fn follows_the_picture(
        browser: &'a Browser,
        pages: &Pages,
        looks: &'a Looks,
        (role, language): (&'static str, &str),
    ) -> Self {
        let seat = Self::opens(browser, looks, role);
        let (host, code) = (&pages.host, &pages.code);
        browser.goes_to(&format!("http://{host}/?language={language}&code={code}"));
        seat.reaches(&format!("a[href*=\"role={role}&\"]"));
        browser.types(ENTER);
        browser.waits("return !!document.querySelector('form')", &json!([]));
        let has_code = "return document.querySelector('[name=code]').value === arguments[0]";
        assert_eq!(browser.runs(has_code, &json!([code])), true);
        seat.reaches("form button");
        seat.shows_pins(None);
        seat
    }

    /// Types the PIN, if there is one, and comes in.
    fn shows_pins(&self, pin: Option<(&str, bool)>) {
        let browser = self.browser;
        for name in ["pin", "again"] {
            match pin {
                Some((pin, is_new)) if is_new || name == "pin" => {
                    self.reaches(&format!("[name={name}]"));
                    browser.types(pin);
                }
                _ => {}
            }
        }
        browser.types(ENTER);
        browser.waits("return !!document.querySelector('#log')", &json!([]));
        // What a screen reader watches stays the same element to the end.
        self.live.replace(Tree::of(browser).live());
    }

    fn comes(&self) {
        self.browser.looks_at(&self.window);
    }

    /// Goes to something with the tabulator.
    #[track_caller]
    fn reaches(&self, selector: &str) {
        let is_there = "const at = document.activeElement; return at.matches(arguments[0])";
        for _ in 0..TABS {
            if self.browser.runs(is_there, &json!([selector])) == true {
                return;
            }
            self.browser.types(TAB);
        }
        panic!("{}: {selector} is not reached by the keyboard", self.role);
    }

    /// Types a line and sends it.
    #[track_caller]
    pub(crate) fn types(&self, line: &str) {
        self.comes();
        self.reaches("input[name=line]:not([type=hidden])");
        self.browser.types(&format!("{line}{ENTER}"));
    }

    /// Fills a form and sends it. Of a list each value is how often the arrow is pressed.
    #[track_caller]
    pub(crate) fn fills(&self, form: &str, values: &[&str]) {
        self.comes();
        let there = "return !!document.getElementById(arguments[0])";
        self.browser
            .waits(there, &json!([format!("fields-{form}")]));
        let is_shut = "const it = document.getElementById(arguments[0]); return !!it && !it.open";
        let fold = format!("form-{form}");
        if self.browser.runs(is_shut, &json!([fold])) == true {
            self.reaches(&format!("#{fold} > summary"));
            self.browser.types(ENTER);
        }
        for (number, value) in values.iter().enumerate() {
            self.reaches(&format!("#fields-{form} [name=\"{number}\"]"));
            let is_list = "return document.activeElement.tagName === 'SELECT'";
            match self.browser.runs(is_list, &json!([])) == true {
                true => self.browser.types(&DOWN.repeat(value.parse().unwrap())),
                false => self.browser.types(value),
            }
        }
        self.reaches(&format!("#fields-{form} > button"));
        self.browser.types(ENTER);
    }

    /// Opens all that can be opened.
    pub(crate) fn opens_all(&self) {
        self.comes();
        let opens =
            "for (const it of document.querySelectorAll('details')) it.open = true; return 1";
        self.browser.runs(opens, &json!([]));
    }

    #[track_caller]
    pub(crate) fn waits_until_there(&self, selector: &str) {
        self.comes();
        let there = "return !!document.querySelector(arguments[0])";
        self.browser.waits(there, &json!([selector]));
    }

    fn button(line: &str) -> String {
        format!("main form:has(> [name=line][value=\"{line}\"]) > button")
    }

    #[track_caller]
    fn waits_for_button(&self, line: &str) {
        // What has just come is not pressed yet.
        let there = "const it = document.querySelector(arguments[0]); \
                     return !!it && !it.closest('[data-fresh]')";
        self.browser.waits(there, &json!([Self::button(line)]));
    }

    /// Presses a button with the keyboard.
    #[track_caller]
    pub(crate) fn presses(&self, line: &str) {
        self.comes();
        self.waits_for_button(line);
        self.reaches(&Self::button(line));
        self.browser.types(ENTER);
    }

    /// Decides as the oldest proposal says.
    #[track_caller]
    pub(crate) fn decides(&self) {
        self.comes();
        let first = "#cards:not([data-fresh]) form:has(> [value^=accept]) > button";
        let there = "return !!document.querySelector(arguments[0])";
        self.browser.waits(there, &json!([first]));
        self.reaches(first);
        self.browser.types(ENTER);
    }

    /// The same of what cannot be taken back: it is opened first.
    #[track_caller]
    pub(crate) fn decides_gravely(&self) {
        self.unfolds("#cards:not([data-fresh]) details > summary");
        self.is_looked_over("asked back");
        self.decides();
    }

    /// Takes back what was decided last; that is opened first, too.
    #[track_caller]
    pub(crate) fn takes_back(&self) {
        self.unfolds("#cards:not([data-fresh]) #decided details > summary");
        self.is_looked_over("taken back");
        self.presses("zurücknehmen");
    }

    #[track_caller]
    fn unfolds(&self, summary: &str) {
        self.comes();
        let there = "return !!document.querySelector(arguments[0])";
        self.browser.waits(there, &json!([summary]));
        self.reaches(summary);
        self.browser.types(ENTER);
    }

    /// Presses one with the mouse.
    #[track_caller]
    pub(crate) fn clicks_on(&self, line: &str) {
        self.comes();
        self.waits_for_button(line);
        self.browser.clicks(&Self::button(line));
    }

    /// Taps a move, from and to; castling is the king's.
    #[track_caller]
    pub(crate) fn taps(&self, said: &str) {
        self.comes();
        let squares = match said {
            "0-0-0" => "e1c1".to_owned(),
            said => said
                .chars()
                .filter(|it| it.is_ascii_digit() || "abcdefgh".contains(*it))
                .collect(),
        };
        for square in [&squares[..2], &squares[2..]] {
            self.browser
                .clicks(&format!(".board [data-square={square}]"));
        }
    }

    #[track_caller]
    pub(crate) fn waits_for(&self, part: &str, text: &str) {
        self.comes();
        let has = "return document.querySelector(arguments[0]).textContent.includes(arguments[1])";
        self.browser.waits(has, &json!([part, text]));
    }

    #[track_caller]
    pub(crate) fn waits_until_gone(&self, selector: &str) {
        self.comes();
        let gone = "return !document.querySelector(arguments[0])";
        self.browser.waits(gone, &json!([selector]));
    }

    /// Looks at the page at all screens.
    pub(crate) fn is_looked_over(&self, state: &str) {
        self.comes();
        self.is_read(state);
        for screen in SCREENS {
            if self.looks.is_brief && !matches!(screen.name, "narrow" | "zoomed") {
                continue;
            }
            let size = json!({
                "width": screen.width,
                "height": screen.height,
                "deviceScaleFactor": screen.scale,
                "mobile": false,
            });
            self.browser
                .does("Emulation.setDeviceMetricsOverride", &size);
            let (name, value) = screen.prefers;
            let prefers = json!({ "features": [{ "name": name, "value": value }] });
            self.browser.does("Emulation.setEmulatedMedia", &prefers);
            let place = format!("{} {state}, {}", self.role, screen.name);
            self.notes(&place, self.faults());
            self.takes_picture(&place);
        }
        self.browser
            .does("Emulation.clearDeviceMetricsOverride", &json!({}));
        self.browser
            .does("Emulation.setEmulatedMedia", &json!({ "features": [] }));
    }

    fn notes(&self, place: &str, found: Vec<String>) {
        for fault in found {
            println!("{place}: {fault}");
            let mut faults = self.looks.faults.borrow_mut();
            faults.insert(format!("{place}: {fault}"));
        }
    }

    /// Reads it as a screen reader does.
    fn is_read(&self, state: &str) {
        let tree = Tree::of(self.browser);
        let place = format!("{} {state}", self.role);
        self.notes(&place, tree.faults());
        let is_same = |it: &(String, i64)| self.live.borrow().contains(it);
        if !self.live.borrow().is_empty() && !tree.live().iter().all(is_same) {
            self.notes(&place, vec![format!("others speak now: {:?}", tree.live())]);
        }
        if let Some(folder) = std::env::var_os("ANNEXD_PICTURES") {
            let name = format!("{}.txt", place.replace(' ', "-"));
            std::fs::write(PathBuf::from(folder).join(name), tree.text()).unwrap();
        }
    }

    /// What would shut somebody out.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let is_wide = "return document.documentElement.scrollWidth > innerWidth";
        if self.browser.runs(is_wide, &json!([])) == true {
            faults.push("too wide".to_owned());
        }
        let Some(axe) = std::env::var_os("ANNEXD_AXE") else {
            return faults;
        };
        if self.browser.runs("return !window.axe", &json!([])) == true {
            let axe = std::fs::read_to_string(axe).unwrap();
            self.browser.runs(&axe, &json!([]));
        }
        let asked = "const done = arguments[arguments.length - 1];
            const told = (it) => it.id + ': ' + it.nodes.map((node) => node.html.slice(0, 200))
              .slice(0, 3).join(' | ');
            axe.run(document, { resultTypes: ['violations'] }).then(
              (found) => done(found.passes.length < 5 ? ['axe: nothing was tested']
                : found.violations.map(told)),
              (why) => done(['axe: ' + why]))";
        let told = self.browser.runs_long(asked, &json!([]));
        faults.extend(told.as_array().unwrap().iter().map(Value::to_string));
        faults
    }

    /// A picture of what a screen of this size shows without scrolling.
    pub(crate) fn is_pictured(&self, (width, height): (u32, u32), scale: f64) -> Vec<u8> {
        self.comes();
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false,
        });
        self.browser
            .does("Emulation.setDeviceMetricsOverride", &size);
        // The last press leaves a frame around what it was on.
        let plain = "document.activeElement.blur(); scrollTo(0, 0); return 1";
        self.browser.runs(plain, &json!([]));
        let picture = json!({ "format": "png" });
        let picture = self.browser.does("Page.captureScreenshot", &picture);
        self.browser
            .does("Emulation.clearDeviceMetricsOverride", &json!({}));
        decoded(&picture)
    }

    fn takes_picture(&self, place: &str) {
        let Some(folder) = std::env::var_os("ANNEXD_PICTURES") else {
            return;
        };
        let number = {
            let mut pictures = self.looks.pictures.borrow_mut();
            *pictures += 1;
            *pictures
        };
        let size = self.browser.does("Page.getLayoutMetrics", &json!({}));
        let size = &size["cssContentSize"];
        let whole = json!({ "captureBeyondViewport": true, "format": "png", "clip": {
            "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1,
        }});
        let picture = self.browser.does("Page.captureScreenshot", &whole);
        let name = place.replace([' ', ','], "-");
        let path = PathBuf::from(folder).join(format!("{number:03}-{name}.png"));
        std::fs::write(path, decoded(&picture)).unwrap();
    }
}

/// The bytes of a picture that the browser has made.
fn decoded(picture: &Value) -> Vec<u8> {
    use base64::Engine as _;
    let text = picture["data"].as_str().unwrap();
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .unwrap()
}
