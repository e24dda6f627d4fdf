//! A room without hardware: a private PulseAudio with one loudspeaker that can be recorded, and a
//! private speech-dispatcher. Both live in a folder of their own and die with the test.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and touches the world; no program uses all of this"
)]

pub(crate) mod player;

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::waiting::{comes_within, wait_until};

/// How much sound a loudspeaker has to give before it counts as awake, in bytes: half a second.
const AWAKE: usize = 16_000;

/// A folder that goes away with its owner.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("annexd-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn is_installed(program: &str) -> bool {
    let answer = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if answer.is_err() {
        eprintln!("skipped: {program} is not installed (make setup installs it)");
    }
    answer.is_ok()
}

fn stop(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// A sound server with the loudspeaker "room", which is also ALSA's default. It may have more
/// loudspeakers, and mouths: what is spoken there comes out of the microphone of the same name.
pub(crate) struct Room {
    folder: Folder,
    server: Child,
    sinks: Vec<String>,
    /// The mouth whose microphone is the default one.
    mouth: Option<String>,
    /// What was pulled.
    pulled: Vec<String>,
    /// Who listens to each loudspeaker and mouth.
    keepers: Vec<Child>,
}

impl Room {
    /// Opens a room; `None`, and a line that says so, if there is no PulseAudio.
    pub(crate) fn open(name: &str) -> Option<Self> {
        Self::furnished(name, &[], &[])
    }

    /// Opens one with further loudspeakers, and with mouths; the first mouth's microphone is the
    /// default one. Each is an ALSA device of its name.
    pub(crate) fn furnished(name: &str, loudspeakers: &[&str], mouths: &[&str]) -> Option<Self> {
        if !is_installed("pulseaudio") || !is_installed("pactl") {
            return None;
        }
        if !mouths.is_empty() && !is_installed("espeak-ng") {
            return None;
        }
        let folder = Folder::new(name);
        let path = folder.path();
        let mut alsa = "pcm.!default { type pulse }\nctl.!default { type pulse }\n".to_owned();
        let mut sinks = vec!["room".to_owned()];
        sinks.extend(loudspeakers.iter().chain(mouths).map(|it| (*it).to_owned()));
        for sink in &sinks {
            let device = if mouths.contains(&sink.as_str()) {
                format!("{sink}.monitor")
            } else {
                sink.clone()
            };
            alsa += &format!(
                "pcm.{sink} {{ type pulse device {device} hint {{ show on description {sink} }} }}\n"
            );
        }
        fs::write(path.join("asound.conf"), alsa).unwrap();
        let mouth = mouths.first().map(|it| (*it).to_owned());
        let server = start_server(path, &sinks, mouth.as_deref(), &[]);
        let mut room = Self {
            folder,
            server,
            sinks,
            mouth,
            pulled: Vec::new(),
            keepers: Vec::new(),
        };
        room.wait();
        Some(room)
    }

    fn wait(&mut self) {
        wait_until("pulseaudio comes up", || self.control(&["info"]).is_some());
        let mut keepers: Vec<Child> = self.sinks.iter().map(|it| self.keeper(it)).collect();
        for (sink, keeper) in self.sinks.iter().zip(&mut keepers) {
            let mut sound = keeper.stdout.take().unwrap();
            // A null sink that nobody has read yet sleeps in blocks of two seconds. One that is
            // pulled gives nothing.
            if !self.pulled.contains(sink) {
                sound.read_exact(&mut [0; AWAKE]).unwrap();
            }
            thread::spawn(move || std::io::copy(&mut sound, &mut std::io::sink()));
        }
        self.keepers = keepers;
    }

    /// Who listens to a loudspeaker or mouth all the time, so that it is awake.
    fn keeper(&self, sink: &str) -> Child {
        self.reader(sink, Stdio::piped())
    }

    /// Asks the server for something.
    fn control(&self, order: &[&str]) -> Option<String> {
        let mut asked = Command::new("pactl");
        let answer = self.with(asked.args(order)).output().unwrap();
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        answer.status.success().then_some(text)
    }

    /// Pulls a loudspeaker, or a mouth's microphone, as far as that can be done without hardware:
    /// the server does not play or record there. Were its module taken out, the server would move
    /// the program's streams to other devices.
    #[allow(dead_code, reason = "not all tests pull one")]
    pub(crate) fn pull(&mut self, sink: &str) {
        self.pulled.push(sink.to_owned());
        self.suspend(sink, true);
    }

    /// Puts it in again.
    #[allow(dead_code, reason = "not all tests pull one")]
    pub(crate) fn plug(&mut self, sink: &str) {
        self.pulled.retain(|other| other != sink);
        self.suspend(sink, false);
    }

    /// Nothing is done where the server is dead.
    fn suspend(&self, sink: &str, is_pulled: bool) {
        // The microphone of a mouth goes with it.
        let _ = self.control(&["suspend-sink", sink, if is_pulled { "1" } else { "0" }]);
    }

    fn reader(&self, sink: &str, out: Stdio) -> Child {
        let mut reader = Command::new("parec");
        self.with(&mut reader)
            .args(["--latency-msec=10", "-d", &format!("{sink}.monitor")])
            .arg("--format=s16le")
            .args(["--rate=16000", "--channels=1"])
            .stdout(out)
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Makes a program hear and speak in this room.
    pub(crate) fn with<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let path = self.folder.path();
        let socket = format!("unix:{}", path.join("pulse.sock").display());
        let alsa = format!(
            "/usr/share/alsa/alsa.conf:{}",
            path.join("asound.conf").display()
        );
        command
            .env("XDG_RUNTIME_DIR", path)
            .env("PULSE_RUNTIME_PATH", path)
            .env("PULSE_STATE_PATH", path)
            .env("PULSE_COOKIE", path.join("cookie"))
            .env("PULSE_SERVER", socket)
            .env("ALSA_CONFIG_PATH", alsa)
    }

    /// Says something into a mouth, to its end, with a voice of espeak-ng such as `de+m3`.
    pub(crate) fn speak(&self, mouth: &str, voice: &str, words: &str) {
        self.play(mouth, &self.spoken(mouth, voice, words));
    }

    /// What a voice would say into a mouth, as a file.
    pub(crate) fn spoken(&self, mouth: &str, voice: &str, words: &str) -> PathBuf {
        let file = self.folder.path().join(format!("{mouth}.wav"));
        let mut said = Command::new("espeak-ng");
        let said = said.args(["-v", voice, "-s", "150", "-a", "120", "-w"]);
        assert!(said.arg(&file).arg(words).status().unwrap().success());
        file
    }

    /// Plays a sound file into a mouth, to its end.
    pub(crate) fn play(&self, mouth: &str, file: &Path) {
        let mut played = Command::new("paplay");
        let played = self.with(played.arg("-d").arg(mouth).arg(file));
        assert!(played.status().unwrap().success());
    }

    /// Lets a mouth's microphone hear a loudspeaker, as one that stands on the same table.
    pub(crate) fn leak(&self, loudspeaker: &str, mouth: &str) {
        let mut loaded = Command::new("pactl");
        loaded.args(["load-module", "module-loopback", "latency_msec=20"]);
        loaded.arg(format!("source={loudspeaker}.monitor"));
        loaded.arg(format!("sink={mouth}"));
        let loaded = self.with(&mut loaded).stdout(Stdio::null());
        assert!(loaded.status().unwrap().success());
        wait_until("the leak is there", || {
            let streams = self.control(&["list", "short", "sink-inputs"]);
            streams.is_some_and(|it| it.contains("module-loopback"))
        });
    }

    /// Records what sounds in the room from now on.
    pub(crate) fn record(&self) -> Recording {
        self.record_from("room")
    }

    /// Records what comes out of a loudspeaker from now on.
    pub(crate) fn record_from(&self, loudspeaker: &str) -> Recording {
        let raw = self.folder.path().join(format!("{loudspeaker}.raw"));
        let file = fs::File::create(&raw).unwrap();
        let child = self.reader(loudspeaker, Stdio::from(file));
        let recording = Recording { child, raw };
        wait_until("the recording begins", || recording.samples() > 0);
        recording
    }

    /// Kills the sound server.
    pub(crate) fn kill(&mut self) {
        stop(&mut self.server);
        self.keepers.iter_mut().for_each(stop);
    }

    /// Starts it again.
    pub(crate) fn restart(&mut self) {
        let _ = fs::remove_file(self.folder.path().join("pulse.sock"));
        let (path, mouth) = (self.folder.path(), self.mouth.as_deref());
        self.server = start_server(path, &self.sinks, mouth, &self.pulled);
        self.wait();
    }

    /// Starts a server whose loudspeakers sleep, as those of a real one do before the first sound.
    pub(crate) fn fall_asleep(&mut self) {
        self.kill();
        let _ = fs::remove_file(self.folder.path().join("pulse.sock"));
        let (path, mouth) = (self.folder.path(), self.mouth.as_deref());
        self.server = start_server(path, &self.sinks, mouth, &self.pulled);
        wait_until("pulseaudio comes up", || self.control(&["info"]).is_some());
    }
}

fn start_server(path: &Path, sinks: &[String], mouth: Option<&str>, pulled: &[String]) -> Child {
    let mut script = format!(
        "load-module module-native-protocol-unix socket={}/pulse.sock auth-anonymous=1\n",
        path.display()
    );
    for sink in sinks {
        script += &format!("load-module module-null-sink sink_name={sink} rate=48000 channels=2\n");
    }
    script += "set-default-sink room\n";
    if let Some(mouth) = mouth {
        script += &format!("set-default-source {mouth}.monitor\n");
    }
    for sink in pulled {
        script += &format!("suspend-sink {sink} 1\n");
    }
    fs::write(path.join("room.pa"), script).unwrap();
    Command::new("pulseaudio")
        .args([
            "-n",
            "--daemonize=no",
            "--exit-idle-time=-1",
            "--use-pid-file=no",
        ])
        .args([
            "--realtime=no",
            "--high-priority=no",
            "--log-target=null",
            "-F",
        ])
        .arg(path.join("room.pa"))
        .env("XDG_RUNTIME_DIR", path)
        .env("PULSE_RUNTIME_PATH", path)
        .env("PULSE_STATE_PATH", path)
        .env("PULSE_COOKIE", path.join("cookie"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

impl Drop for Room {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A recording under way.
pub(crate) struct Recording {
    child: Child,
    raw: PathBuf,
}

impl Recording {
    /// How many samples there are so far.
    #[allow(dead_code, reason = "not all tests cut a recording")]
    pub(crate) fn samples(&self) -> usize {
        fs::metadata(&self.raw).unwrap().len() as usize / 2
    }

    /// Waits until so much more has been recorded, however long that takes; where nothing comes any
    /// more, as from what is pulled or dead, not for ever.
    pub(crate) fn goes_on_for(&self, length: Duration) {
        let enough = self.samples() + length.as_millis() as usize * 16;
        let _ = comes_within(Duration::from_secs(30), || self.samples() >= enough);
    }

    /// Whether nothing has sounded for so long.
    #[allow(dead_code, reason = "not all tests wait for it")]
    pub(crate) fn is_silent_for(&self, length: Duration) -> bool {
        let mut file = fs::File::open(&self.raw).unwrap();
        let all = file.metadata().unwrap().len() & !1;
        let last = length.as_millis() as u64 * 32;
        if all < last {
            return false;
        }
        file.seek(SeekFrom::Start(all - last)).unwrap();
        let mut sound = Vec::new();
        file.take(last).read_to_end(&mut sound).unwrap();
        let samples = sound.chunks_exact(2);
        let mut samples = samples.map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        samples.all(|sample| sample.unsigned_abs() < 50)
    }

    /// Ends it and gives the WAV file.
    pub(crate) fn stop(self) -> PathBuf {
        self.stop_in_pieces(&[]).remove(0)
    }

    /// Ends it and gives a WAV file up to each of these samples, and one of the rest.
    pub(crate) fn stop_in_pieces(mut self, ends: &[usize]) -> Vec<PathBuf> {
        // What has just sounded is still on its way.
        self.goes_on_for(Duration::from_millis(500));
        stop(&mut self.child);
        let bytes = fs::read(&self.raw).unwrap();
        let samples: Vec<i16> = bytes
            .chunks_exact(2)
            .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
            .collect();
        [&[0], ends, &[samples.len()]]
            .concat()
            .windows(2)
            .enumerate()
            .map(|(index, piece)| {
                let path = self.raw.with_extension(format!("{index}.wav"));
                write_wav(&path, &samples[piece[0]..piece[1]]);
                path
            })
            .collect()
    }
}

fn write_wav(path: &Path, samples: &[i16]) {
    let shape = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = hound::WavWriter::create(path, shape).unwrap();
    samples
        .iter()
        .for_each(|sample| file.write_sample(*sample).unwrap());
    file.finalize().unwrap();
}

impl Drop for Recording {
    fn drop(&mut self) {
        stop(&mut self.child);
    }
}

/// A speech service with one espeak-ng voice and no sound.
pub(crate) struct SpeechService {
    folder: Folder,
    server: Child,
}

impl SpeechService {
    /// Starts one whose sound goes nowhere; `None`, and a line that says so, without
    /// speech-dispatcher.
    pub(crate) fn start(name: &str) -> Option<Self> {
        Self::with_device(name, "null")
    }

    /// Starts one whose sound cannot be opened: it takes texts and never ends them.
    pub(crate) fn start_mute(name: &str) -> Option<Self> {
        Self::with_device(name, "no-such-device")
    }

    fn with_device(name: &str, device: &str) -> Option<Self> {
        if !is_installed("speech-dispatcher") {
            return None;
        }
        let folder = Folder::new(&format!("{name}-speech"));
        let path = folder.path();
        let settings = format!(
            "LogLevel 0\nLogDir \"{0}\"\nCommunicationMethod \"unix_socket\"\n\
             AudioOutputMethod \"alsa\"\nAudioALSADevice \"{device}\"\nDefaultLanguage \"de\"\n\
             DefaultModule espeak-ng\n\
             AddModule \"espeak-ng\" \"sd_espeak-ng\" \"espeak-ng.conf\"\n",
            path.display()
        );
        fs::write(path.join("speechd.conf"), settings).unwrap();
        let modules = Path::new("/etc/speech-dispatcher/modules");
        fs::create_dir_all(path.join("modules")).unwrap();
        for entry in fs::read_dir(modules).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), path.join("modules").join(entry.file_name())).unwrap();
        }
        let server = start_service(path);
        Some(Self { folder, server })
    }

    /// Makes a program speak through this service.
    pub(crate) fn with<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let socket = self.folder.path().join("speech.sock");
        command.env(
            "SPEECHD_ADDRESS",
            format!("unix_socket:{}", socket.display()),
        )
    }

    /// Makes it hang: it takes orders and never answers.
    pub(crate) fn hang(&self) {
        self.signal("-STOP");
    }

    /// Lets it go on.
    pub(crate) fn go_on(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let process = self.server.id().to_string();
        let sent = Command::new("kill").args([signal, &process]).status();
        assert!(sent.unwrap().success());
    }

    /// Kills the service.
    pub(crate) fn kill(&mut self) {
        stop(&mut self.server);
    }

    /// Starts it again.
    pub(crate) fn restart(&mut self) {
        self.server = start_service(self.folder.path());
    }
}

fn start_service(path: &Path) -> Child {
    let socket = path.join("speech.sock");
    let _ = fs::remove_file(&socket);
    let _ = fs::remove_file(path.join("pid"));
    let mut server = Command::new("speech-dispatcher")
        .args(["-s", "-t", "0", "-C"])
        .arg(path)
        .arg("-S")
        .arg(&socket)
        .arg("-P")
        .arg(path.join("pid"))
        .arg("-L")
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the speech service comes up", || {
        socket.exists() || server.try_wait().unwrap().is_some()
    });
    server
}

impl Drop for SpeechService {
    fn drop(&mut self) {
        self.kill();
    }
}
