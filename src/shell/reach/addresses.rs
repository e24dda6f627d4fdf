//! Where the sound and speech libraries would connect, according to the environment and their
//! settings.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::error::Part;
use crate::shell::speech::voice::nvda_runs;

/// A setting that points to another computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Remote {
    /// The part: the sound server or the speech service.
    pub part: Part,
    /// The setting and its value: `PULSE_SERVER=tcp:192.0.2.7`.
    pub place: String,
}

/// The settings that a program finds.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct System {
    variables: BTreeMap<String, String>,
    /// The folder of system-wide settings.
    etc: PathBuf,
}

impl System {
    /// The settings of this computer.
    pub(in super::super) fn here() -> Self {
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        Self {
            variables: std::env::vars_os()
                .map(|(name, value)| (text(name), text(value)))
                .collect(),
            etc: "/etc".into(),
        }
    }

    fn variable(&self, name: &str) -> Option<&str> {
        let value = self.variables.get(name)?;
        Some(value.as_str()).filter(|value| !value.is_empty())
    }

    /// All settings that point to another computer.
    pub(in super::super) fn remote(&self) -> Vec<Remote> {
        let mut remote = Vec::new();
        let mut found = |part, place: String| remote.push(Remote { part, place });
        for (name, part, is_local) in VARIABLES {
            if let Some(value) = self.variable(name).filter(|value| !is_local(value)) {
                found(part, format!("{name}={value}"));
            }
        }
        for (file, setting) in self.set_servers() {
            if !are_sockets(&setting) {
                let place = format!("{}: {setting}", file.display());
                found(Part::SoundServer, place);
            }
        }
        remote
    }

    /// The sound server in use, or else the kernel's sound system.
    pub(in super::super) fn sound(&self) -> String {
        if let Some(server) = self.variable("PULSE_SERVER") {
            return server.to_owned();
        }
        let set = self.set_servers().pop().map(|(_, server)| server);
        let socket = |variable: &str, name: &str| {
            let path = Path::new(self.variable(variable)?).join(name);
            path.exists().then(|| format!("unix:{}", path.display()))
        };
        set.or_else(|| socket("PULSE_RUNTIME_PATH", "native"))
            .or_else(|| socket("XDG_RUNTIME_DIR", "pulse/native"))
            .or_else(|| socket("XDG_RUNTIME_DIR", "pipewire-0"))
            .unwrap_or_else(|| SOUND_SYSTEM.to_owned())
    }

    /// The speech service in use.
    pub(in super::super) fn speech(&self) -> String {
        if nvda_runs() {
            return "NVDA".to_owned();
        }
        if !cfg!(target_os = "linux") {
            return SPEECH_SYSTEM.to_owned();
        }
        match (
            self.variable("SPEECHD_ADDRESS"),
            self.variable("XDG_RUNTIME_DIR"),
        ) {
            (Some(address), _) => address.to_owned(),
            (None, Some(folder)) => format!("unix_socket:{folder}/speech-dispatcher/speechd.sock"),
            (None, None) => "unix_socket".to_owned(),
        }
    }

    /// The servers named in settings files of sound, each with its file.
    fn set_servers(&self) -> Vec<(PathBuf, String)> {
        let home = self.variable("HOME").map(PathBuf::from);
        let config = self.variable("XDG_CONFIG_HOME").map(PathBuf::from);
        let config = config.or_else(|| Some(home.clone()?.join(".config")));
        let of_user = |folder: &Option<PathBuf>, name: &str| Some(folder.clone()?.join(name));
        let pulse = match self.variable("PULSE_CLIENTCONFIG") {
            Some(file) => vec![PathBuf::from(file)],
            None => [
                vec![self.etc.join("pulse/client.conf")],
                files_in(&self.etc.join("pulse/client.conf.d")),
                of_user(&home, ".pulse/client.conf").into_iter().collect(),
                of_user(&config, "pulse/client.conf").into_iter().collect(),
            ]
            .concat(),
        };
        let mut alsa = match self.variable("ALSA_CONFIG_PATH") {
            Some(files) => files.split(':').map(PathBuf::from).collect(),
            None => [
                files_in(&self.etc.join("alsa/conf.d")),
                vec![self.etc.join("asound.conf")],
            ]
            .concat(),
        };
        alsa.extend(of_user(&home, ".asoundrc"));
        alsa.extend(of_user(&config, "alsa/asoundrc"));
        let servers_in = |files: Vec<PathBuf>, read: fn(&str) -> Vec<String>| {
            files.into_iter().flat_map(move |file| {
                let text = fs::read_to_string(&file).unwrap_or_default();
                let servers = read(&text).into_iter();
                servers
                    .map(|server| (file.clone(), server))
                    .collect::<Vec<_>>()
            })
        };
        servers_in(pulse, servers_of_pulse)
            .chain(servers_in(alsa, servers_of_alsa))
            .collect()
    }
}

const SOUND_SYSTEM: &str = if cfg!(target_os = "linux") {
    "ALSA"
} else {
    "the sound system of the computer"
};

const SPEECH_SYSTEM: &str = "the speech of the computer";

/// Tests whether an address is on this computer.
type IsHere = fn(&str) -> bool;

/// The environment variables for sound and speech, each with a test whether its value is on this
/// computer.
const VARIABLES: [(&str, Part, IsHere); 3] = [
    ("PULSE_SERVER", Part::SoundServer, are_sockets),
    ("PIPEWIRE_REMOTE", Part::SoundServer, is_name),
    ("SPEECHD_ADDRESS", Part::SpeechService, is_speech_socket),
];

/// Whether all servers of a list are local sockets. Each may be preceded by the machine for which
/// it is meant: `{3f9c…}unix:/run/user/1000/pulse/native`. A bare name is that of a machine.
fn are_sockets(servers: &str) -> bool {
    servers.split_whitespace().all(|server| {
        let of_machine = server.strip_prefix('{').and_then(|it| it.split_once('}'));
        let server = of_machine.map_or(server, |(_, server)| server);
        server.starts_with("unix:") || server.starts_with('/')
    })
}

/// Whether a PipeWire remote is local. It uses local sockets, given by name or path, unless a
/// protocol is named.
fn is_name(remote: &str) -> bool {
    !remote.contains("tcp:") && !remote.contains("vsock:")
}

fn is_speech_socket(address: &str) -> bool {
    address.split(':').next() == Some("unix_socket")
}

/// Finds `default-server = unix:/run/pulse/native` in a settings file of PulseAudio.
fn servers_of_pulse(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    let set = lines.filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "default-server").then(|| value.trim().to_owned())
    });
    set.filter(|server| !server.is_empty()).collect()
}

/// Finds `server "tcp:192.0.2.7"` in a settings file of ALSA. A variable is reported where it is
/// set.
fn servers_of_alsa(text: &str) -> Vec<String> {
    let text: String = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .flat_map(|line| [line, "\n"])
        .collect();
    let text = text
        .replace(['=', ';', ','], " ")
        .replace(['{', '}'], " \u{1} ");
    let mut words = text.split_whitespace();
    let mut servers = Vec::new();
    while let Some(word) = words.next() {
        if word == "server" || word.ends_with(".server") {
            let value = words.next().unwrap_or_default().trim_matches(['"', '\'']);
            if !value.is_empty() && !value.starts_with(['$', '\u{1}', '@']) {
                servers.push(value.to_owned());
            }
        }
    }
    servers
}

/// The settings files in a folder, in reading order.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|end| end == "conf"))
        .collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)], etc: &Path) -> System {
        let variables = variables.iter();
        System {
            variables: variables
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            etc: etc.into(),
        }
    }

    fn places(system: &System) -> Vec<String> {
        system.remote().into_iter().map(|it| it.place).collect()
    }

    #[test]
    fn what_is_not_a_local_socket_is_found_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        for (name, value, is_remote) in [
            ("PULSE_SERVER", "unix:/run/user/1000/pulse/native", false),
            ("PULSE_SERVER", "/run/user/1000/pulse/native", false),
            ("PULSE_SERVER", "{3f9c}unix:/run/pulse/native", false),
            ("PULSE_SERVER", "", false),
            ("PULSE_SERVER", "tcp:192.0.2.7:4713", true),
            ("PULSE_SERVER", "tcp:127.0.0.1", true),
            ("PULSE_SERVER", "tcp6:[::1]:4713", true),
            ("PULSE_SERVER", "kiosk", true),
            ("PULSE_SERVER", "kiosk:4713", true),
            ("PULSE_SERVER", "{3f9c}tcp:kiosk", true),
            ("PULSE_SERVER", "unix:/run/pulse/native tcp:kiosk", true),
            ("SPEECHD_ADDRESS", "unix_socket", false),
            ("SPEECHD_ADDRESS", "unix_socket:/run/speechd.sock", false),
            ("SPEECHD_ADDRESS", "inet_socket", true),
            ("SPEECHD_ADDRESS", "inet_socket:127.0.0.1:6560", true),
            ("PIPEWIRE_REMOTE", "pipewire-0", false),
            ("PIPEWIRE_REMOTE", "tcp:192.0.2.7:4711", true),
        ] {
            let found = places(&with(&[(name, value)], folder.path()));
            let expected = is_remote.then(|| format!("{name}={value}"));
            assert_eq!(found, Vec::from_iter(expected), "{name}={value}");
        }
    }

    #[test]
    fn settings_files_are_read_as_the_libraries_read_them() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        let etc = folder.path().join("etc");
        let write = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let variables = [("HOME", home.to_str().unwrap())];
        let system = with(&variables, &etc);
        write(
            etc.join("asound.conf"),
            "pcm.a { type pulse server \"unix:/run/a\" }\n# server tcp:nobody\n\
             pcm.b { type shm server $SOCKET }\nserver.c { socket \"/tmp/c\" }\n",
        );
        write(
            etc.join("pulse/client.conf"),
            "; default-server = tcp:nobody\ndefault-server =\n",
        );
        assert_eq!(system.remote(), []);
        let drop_in = write(
            etc.join("pulse/client.conf.d").join("kiosk.conf"),
            "default-server = kiosk:4713\n",
        );
        let own = write(
            home.join(".asoundrc"),
            "pcm.!default.server=tcp:192.0.2.7\n",
        );
        let expected = [
            format!("{}: kiosk:4713", drop_in.display()),
            format!("{}: tcp:192.0.2.7", own.display()),
        ];
        assert_eq!(places(&system), expected);
        // If the libraries find their own file, they ignore the others.
        let plain = write(folder.path().join("plain.conf"), "autospawn = no\n");
        let variables = [
            variables[0],
            ("PULSE_CLIENTCONFIG", plain.to_str().unwrap()),
        ];
        assert_eq!(places(&with(&variables, &etc)), expected[1..]);
    }
}
