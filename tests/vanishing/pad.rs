//! A gamepad in a world of umockdev's, in which it can be pulled out and put in again.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test plugs the pad, and fails where it cannot"
)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::Command;

use serialport::{SerialPort as _, TTYPort};

/// By this watchers of the subsystem "input" know what concerns them (MurmurHash2 of the word).
const HASH_OF_INPUT: u32 = 0xc1a28470;

const DEVICE: &str = "/dev/input/event5";

/// Puts the pad's line where the system looks for it, and starts the rest: the name of the line,
/// the device and the folder come first.
const ENTER: &str = r#"
ln -sfn "$0" "$UMOCKDEV_DIR$1" && echo "$UMOCKDEV_DIR" >"$2/world" || exit
export LD_PRELOAD="$2/no_cards.so:$2/motors.so:$LD_PRELOAD" MOTORS="$2/motors"
shift 2
exec "$@""#;

/// The button of the direction "up" is an axis of its own.
const DIRECTIONS_Y: u16 = 0x11;

/// A line that no program inherits: pulled by the hand it has to end for everybody.
fn line() -> (TTYPort, TTYPort) {
    let (hand, system) = TTYPort::pair().unwrap();
    let not_inherited = |end: TTYPort| end.try_clone_native().unwrap();
    (not_inherited(hand), not_inherited(system))
}

/// The pad, whose bytes come through a pseudo-terminal.
pub(crate) struct Pad {
    folder: PathBuf,
    /// The end that the hand moves, and the one that the system reads.
    line: Option<(TTYPort, TTYPort)>,
}

impl Pad {
    /// `None`, and a line that says so, if there is no umockdev.
    pub(crate) fn new(folder: &Path) -> Option<Self> {
        if Command::new("umockdev-run")
            .arg("--version")
            .output()
            .is_err()
        {
            eprintln!("skipped: umockdev is not installed (make setup installs it)");
            return None;
        }
        for source in ["tests/vanishing/no_cards.c", "tests/gamepad/motors.c"] {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
            let name = Path::new(source.file_name().unwrap()).with_extension("so");
            let mut compiler = Command::new("cc");
            compiler
                .args(["-shared", "-fPIC", "-o"])
                .arg(folder.join(name))
                .arg(source);
            assert!(compiler.status().unwrap().success());
        }
        Some(Self {
            folder: folder.to_path_buf(),
            line: Some(line()),
        })
    }

    /// A command that starts another one in the world of this pad.
    pub(crate) fn world(&self) -> Command {
        let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gamepad");
        let mut command = Command::new("umockdev-run");
        command
            .arg("-d")
            .arg(files.join("pad.umockdev"))
            .arg("-i")
            .arg(format!("{DEVICE}={}", files.join("pad.ioctl").display()))
            .args(["--", "sh", "-c", ENTER])
            .arg(self.name())
            .arg(DEVICE)
            .arg(&self.folder);
        command
    }

    fn name(&self) -> String {
        self.line.as_ref().unwrap().1.name().unwrap()
    }

    /// Where the world keeps its files.
    fn root(&self) -> PathBuf {
        let path = fs::read_to_string(self.folder.join("world")).unwrap();
        PathBuf::from(path.trim())
    }

    /// Pushes the cross up and lets it go.
    pub(crate) fn push_up(&mut self) {
        for value in [-1, 0] {
            self.event(3, DIRECTIONS_Y, value);
            self.event(0, 0, 0);
            std::thread::sleep(std::time::Duration::from_millis(60));
        }
    }

    /// Moves a button or axis, as the system reports it.
    pub(crate) fn moves(&mut self, kind: u16, code: u16, value: i32) {
        self.event(kind, code, value);
        self.event(0, 0, 0);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }

    /// How strongly the heavy motor and the light one were to turn, each time that one was.
    pub(crate) fn turned(&self) -> Vec<(u32, u32)> {
        let text = fs::read_to_string(self.folder.join("motors")).unwrap_or_default();
        let strengths = text.lines().filter_map(|line| {
            let (heavy, light) = line.split_once(' ')?;
            Some((heavy.parse().ok()?, light.parse().ok()?))
        });
        strengths.filter(|it| *it != (0, 0)).collect()
    }

    fn event(&mut self, kind: u16, code: u16, value: i32) {
        let Some((hand, _)) = &mut self.line else {
            return;
        };
        let mut bytes = vec![0; 16];
        bytes.extend(kind.to_ne_bytes());
        bytes.extend(code.to_ne_bytes());
        bytes.extend(value.to_ne_bytes());
        hand.write_all(&bytes).unwrap();
    }

    pub(crate) fn pull(&mut self) {
        self.line = None;
        self.tell("remove");
    }

    pub(crate) fn plug(&mut self) {
        self.line = Some(line());
        let node = self.root().join(DEVICE.trim_start_matches('/'));
        let _ = fs::remove_file(&node);
        symlink(self.name(), node).unwrap();
        self.tell("add");
    }

    /// Tells everybody who watches devices, as udev does.
    fn tell(&self, action: &str) {
        let properties = [
            ("ACTION", action),
            ("DEVPATH", "/devices/platform/pad0/input/input5/event5"),
            ("SUBSYSTEM", "input"),
            ("DEVNAME", DEVICE),
            ("MAJOR", "13"),
            ("MINOR", "69"),
            ("ID_INPUT", "1"),
            ("ID_INPUT_JOYSTICK", "1"),
            ("SEQNUM", "7"),
        ];
        let text: String = properties
            .iter()
            .map(|(name, value)| format!("{name}={value}\0"))
            .collect();
        let head = 40_u32;
        let mut message = b"libudev\0".to_vec();
        message.extend(0xfeed_cafe_u32.to_be_bytes());
        for number in [head, head, text.len() as u32] {
            message.extend(number.to_ne_bytes());
        }
        message.extend(HASH_OF_INPUT.to_be_bytes());
        message.extend([0; 12]);
        message.extend(text.bytes());
        let socket = UnixDatagram::unbound().unwrap();
        for entry in fs::read_dir(self.root()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with("event") {
                // A watcher that has gone leaves its name behind.
                let _ = socket.send_to(&message, path);
            }
        }
    }
}
