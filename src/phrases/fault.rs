//! Faults of a game or of its start as data: the part, the reason and the remedy.
//! `grammar/<language>/faults.toml` has the words, so that every fault can be said and read in the
//! language of the person concerned.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::complete::has_all;
use super::pieces::Unplaced;
use super::spoken::Segment;
use super::{Argument, Phrase, PhraseKey};
use annexd_score::{PageError, read_page};

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The part that it concerns.
    pub part: Part,
    /// What is wrong with it.
    pub reason: Reason,
    /// The remedy.
    pub remedy: Remedy,
    /// What the system says about it, a name or a place. It is read and recorded, but never said,
    /// because it is not in the language of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Derives what every list of this page needs: the names in the file, and iteration.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident,)+ }) => {
        $(#[$about])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
            strum::EnumIter, strum::EnumString, strum::IntoStaticStr,
        )]
        #[serde(rename_all = "snake_case")]
        #[strum(serialize_all = "snake_case")]
        pub enum $name { $($(#[$doc])* $variant,)+ }
    };
}

words! {
    /// The parts that can have a fault.
    Part {
        /// A microphone.
        Microphone,
        /// The device with which the table or an ear is spoken to.
        Loudspeaker,
        /// The voice of the system.
        Voice,
        /// The recorded voice.
        Clips,
        /// A board with sensors.
        Board,
        /// The chessclock.
        Clock,
        /// A gamepad.
        Gamepad,
        /// A Braille display.
        Braille,
        /// The disk on which games are kept.
        Disk,
        /// The folder of games, settings or sockets.
        Folder,
        /// The record of the game.
        Record,
        /// The sound recording of what is said.
        SoundRecord,
        /// A console of another person.
        Console,
        /// The PIN of a person whose role has power.
        Pin,
        /// The passphrase of the envelope.
        Passphrase,
        /// The envelope of a sealed move.
        Envelope,
        /// The settings file.
        Settings,
        /// The arguments after the command.
        Option,
        /// The hearing model.
        Model,
        /// The hearing model that was tuned to one person.
        Enrolment,
        /// The speech recognition library.
        Recogniser,
        /// Something reached over a network.
        Network,
        /// The sound server.
        SoundServer,
        /// The service of the system voice.
        SpeechService,
        /// A language.
        Language,
        /// A file of the words of a language.
        Grammar,
        /// The file of the functions of buttons and keys.
        Controls,
        /// A game.
        Game,
        /// A typed line.
        Line,
        /// A word of a typed line that stands for a value.
        Value,
        /// The move in a typed line.
        Move,
        /// The speaker, in a typed line.
        Speaker,
        /// A score sheet that is handed in.
        Sheet,
        /// Which player sits at which side of the chessclock.
        Seat,
        /// The program itself.
        Program,
        /// A key or button.
        Key,
        /// The chess program that plays a side in practice.
        Engine,
    }
}

words! {
    /// The reasons of a fault.
    Reason {
        /// It was never there.
        Absent,
        /// It was there, but no longer is.
        Gone,
        /// Another program has it.
        Busy,
        /// It does not respond.
        Silent,
        /// The system denies access to it.
        NoAccess,
        /// It is not allowed in this game.
        Forbidden,
        /// It was changed or damaged.
        Damaged,
        /// It cannot be read.
        Unreadable,
        /// It cannot be written.
        Unwritable,
        /// It cannot be used.
        Unusable,
        /// It is wrong.
        Wrong,
        /// It must be given.
        Missing,
        /// Something is missing or superfluous.
        Incomplete,
        /// It is too long.
        TooLong,
        /// It is too short.
        TooShort,
        /// It has no meaning.
        NotUnderstood,
        /// This program was built without it.
        NotBuilt,
        /// None with this name exists.
        Unknown,
        /// Another person has it.
        Taken,
        /// It exists already.
        Exists,
        /// It is over.
        Ended,
        /// There is more than one.
        Several,
        /// It belongs to another version.
        OtherVersion,
        /// It responds again.
        Back,
        /// It does nothing.
        Unset,
        /// It is on another computer.
        Elsewhere,
        /// The system does not block it.
        NotBlocked,
        /// None was chosen yet.
        NotChosen,
        /// It is too easy to guess.
        TooSimple,
        /// It looks like a line that is typed in a game.
        IsCommand,
        /// It was tried too often.
        TooOften,
        /// It was turned round.
        Turned,
        /// It has ended by itself.
        Crashed,
        /// It plays a move that is illegal.
        PlaysIllegally,
        /// What it writes is no answer.
        Babbles,
    }
}

words! {
    /// The remedies.
    Remedy {
        /// Connect it.
        Connect,
        /// Connect it again.
        Reconnect,
        /// Type instead of speaking.
        Type,
        /// Read instead of hearing.
        Read,
        /// Confirm moves by key or word.
        ConfirmMoves,
        /// Look at the chessclock itself.
        ReadClock,
        /// Put the chessclock into the mode in which a computer sets it.
        LetComputerSet,
        /// Use keys and words.
        UseKeys,
        /// Close the other program.
        CloseOther,
        /// Grant access to it.
        GiveAccess,
        /// Make room on the disk.
        MakeRoom,
        /// Install annexd again.
        Reinstall,
        /// Run the set-up.
        SetUp,
        /// Check what is available.
        Check,
        /// Correct the settings file.
        CorrectSettings,
        /// Correct what was typed.
        CorrectLine,
        /// Type it again.
        Again,
        /// Wait; it is tried again.
        Wait,
        /// The game continues without it.
        GoesOn,
        /// Ask for help.
        AskHelp,
        /// Say who is speaking.
        SayWho,
        /// Give the PIN.
        GivePin,
        /// Choose a PIN.
        ChoosePin,
        /// Type only who you are. The PIN is then asked for and not shown.
        TypeArbiterAlone,
        /// Wait, or replace a PIN that was lost.
        WaitOrNewPin,
        /// Choose a passphrase.
        ChoosePassphrase,
        /// The arbiter types his passphrase.
        ArbiterPassphrase,
        /// Call the arbiter.
        CallArbiter,
        /// Choose another name.
        OtherName,
        /// List the games.
        ListGames,
        /// Begin a game.
        BeginGame,
        /// Say which one.
        SayWhich,
        /// Say where White sits.
        SayWhereWhiteSits,
        /// Let the program that has the game report it.
        UseOther,
        /// Agree to continue unrecorded.
        AgreeUnrecorded,
        /// Give a move.
        GiveMove,
        /// Add the name of the arbiter.
        GiveName,
        /// Type a time in the correct form.
        GiveTime,
        /// Type a result in the correct form.
        GiveResult,
        /// Name a side.
        GiveSide,
        /// Type a number.
        GiveNumber,
        /// Say what can be said in German, and type everything else.
        SpeakGerman,
        /// Let it be learnt anew after the game; until then the usual model hears.
        EnrolAgain,
        /// Remove the address and begin again: only this computer may be used.
        UseLocal,
        /// Switch off the network of the computer.
        SwitchOff,
        /// Check which way round it should lie.
        LookWhichWay,
        /// Say yes to restart it and continue, or leave the game.
        YesStartsAnew,
    }
}

impl Fault {
    /// Makes a fault without a message of the system.
    pub const fn new(part: Part, reason: Reason, remedy: Remedy) -> Self {
        Self {
            part,
            reason,
            remedy,
            detail: None,
        }
    }

    /// Adds the message of the system.
    #[must_use]
    pub fn with(mut self, detail: impl Into<String>) -> Self {
        let detail: String = detail.into();
        self.detail = Some(detail).filter(|text| !text.trim().is_empty());
        self
    }
}

impl From<Fault> for Phrase {
    fn from(fault: Fault) -> Self {
        Self::new(PhraseKey::Fault, [Argument::Fault(Box::new(fault))])
    }
}

/// The words of a language for all faults.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultWords {
    part: BTreeMap<Part, Unplaced>,
    reason: BTreeMap<Reason, Unplaced>,
    remedy: BTreeMap<Remedy, Unplaced>,
}

impl FaultWords {
    /// Reads `faults.toml`. It must have every word and nothing else.
    pub(super) fn parse(text: &str) -> Result<Self, PageError> {
        let words: Self = read_page(text)?;
        has_all(&words.part, text)?;
        has_all(&words.reason, text)?;
        has_all(&words.remedy, text)?;
        Ok(words)
    }

    /// Returns the words of a fault: "Das Mikrofon" "ist nicht da." "Bitte anschließen."
    pub(super) fn said(&self, fault: &Fault) -> Vec<Segment> {
        let words = [
            self.part.get(&fault.part),
            self.reason.get(&fault.reason),
            self.remedy.get(&fault.remedy),
        ];
        let words = words.into_iter().flatten();
        words.flat_map(Unplaced::segments).cloned().collect()
    }

    /// All words.
    pub(super) fn all(&self) -> impl Iterator<Item = &Unplaced> {
        let parts = self.part.values();
        parts
            .chain(self.reason.values())
            .chain(self.remedy.values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAULTS: &str = include_str!("../../grammar/de/faults.toml");

    #[test]
    fn a_word_that_is_missing_or_unknown_is_named_with_its_line() {
        assert!(FaultWords::parse(FAULTS).is_ok());
        for (text, fault) in [
            (
                FAULTS.replace("gone = ", "gon = "),
                "gon: there is no such word",
            ),
            (
                FAULTS.replace("[remedy]", "[remedies]"),
                "unknown field `remedies`",
            ),
            (FAULTS.replacen("pin = ", "#", 1), "pin is missing"),
            (FAULTS.replacen("\"Die PIN\"", "5", 1), "pin: invalid type"),
            (FAULTS.replacen("\"Die PIN\"", "\"{move}\"", 1), "no place"),
        ] {
            let error = FaultWords::parse(&text).unwrap_err().to_string();
            assert!(error.contains(fault), "{error}");
        }
    }
}
