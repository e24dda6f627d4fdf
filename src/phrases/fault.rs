//! What goes wrong in a game or at its start: the part, the reason and the remedy, as data.
//! `grammar/<language>/faults.toml` has the words, so that every error can be said and read in
//! the language of whoever meets it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::complete::has_all;
use super::pieces::Unplaced;
use super::spoken::Segment;
use super::{Argument, Phrase, PhraseKey};
use annexd_score::{PageError, read_page};

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What it is about.
    pub part: Part,
    /// What is wrong with it.
    pub reason: Reason,
    /// What to do about it.
    pub remedy: Remedy,
    /// What the system says of it, a name or a place. It is read and recorded, and never said:
    /// its language is not that of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Derives what every list of this page needs: its names in the file and a walk over all.
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
    /// What can go wrong.
    Part {
        /// A microphone.
        Microphone,
        /// What the table or an ear is spoken to with.
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
        /// The sound that is kept of what is said.
        SoundRecord,
        /// A console of another person.
        Console,
        /// The PIN of somebody whose role has power.
        Pin,
        /// The passphrase of the envelope.
        Passphrase,
        /// The envelope of a sealed move.
        Envelope,
        /// The settings file.
        Settings,
        /// What was typed after the command.
        Option,
        /// The hearing model.
        Model,
        /// The library that hears.
        Recogniser,
        /// What is reached over a network.
        Network,
        /// The server that sound comes from and goes to.
        SoundServer,
        /// The service that speaks with the voice of the system.
        SpeechService,
        /// A language.
        Language,
        /// A file of the words of a language.
        Grammar,
        /// The file of what buttons and keys do.
        Controls,
        /// A game.
        Game,
        /// A typed line.
        Line,
        /// A word of a typed line that stands for a value.
        Value,
        /// The move in a typed line.
        Move,
        /// Who speaks, in a typed line.
        Speaker,
        /// A score sheet that is handed in.
        Sheet,
        /// Who sits at which side of the chessclock.
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
    /// What is wrong.
    Reason {
        /// It was never there.
        Absent,
        /// It was there and is not any more.
        Gone,
        /// Another program has it.
        Busy,
        /// It does not answer.
        Silent,
        /// The system does not give the right to it.
        NoAccess,
        /// It is not allowed in this game.
        Forbidden,
        /// It is not what it was.
        Damaged,
        /// It cannot be read.
        Unreadable,
        /// It cannot be written.
        Unwritable,
        /// It cannot be used.
        Unusable,
        /// It is wrong.
        Wrong,
        /// It has to be given.
        Missing,
        /// Something more is needed, or less.
        Incomplete,
        /// It is too long.
        TooLong,
        /// It is too short.
        TooShort,
        /// It means nothing.
        NotUnderstood,
        /// This program was built without it.
        NotBuilt,
        /// There is none of this name.
        Unknown,
        /// Somebody else has it.
        Taken,
        /// It is there already.
        Exists,
        /// It is over.
        Ended,
        /// There is more than one.
        Several,
        /// It belongs to another version.
        OtherVersion,
        /// It answers again.
        Back,
        /// It does nothing.
        Unset,
        /// It is on another computer.
        Elsewhere,
        /// The system lets it through.
        NotBlocked,
        /// There was none yet.
        NotChosen,
        /// Anybody would guess it.
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
        /// It writes what is no answer.
        Babbles,
    }
}

words! {
    /// What to do.
    Remedy {
        /// Connect it.
        Connect,
        /// Connect it anew.
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
        /// Give the right to it.
        GiveAccess,
        /// Make room on the disk.
        MakeRoom,
        /// Install annexd again.
        Reinstall,
        /// Run its set-up.
        SetUp,
        /// Ask what there is.
        Check,
        /// Correct the settings file.
        CorrectSettings,
        /// Correct what was typed.
        CorrectLine,
        /// Type it again.
        Again,
        /// Wait: it is tried again.
        Wait,
        /// The game goes on without it.
        GoesOn,
        /// Ask for help.
        AskHelp,
        /// Say who speaks.
        SayWho,
        /// Give the PIN.
        GivePin,
        /// Choose a PIN.
        ChoosePin,
        /// Type only who one is; the PIN is asked for then and not shown.
        TypeArbiterAlone,
        /// Wait, or give up a PIN that was lost.
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
        /// Say which.
        SayWhich,
        /// Say where White sits.
        SayWhereWhiteSits,
        /// Let the program that has the game tell.
        UseOther,
        /// Agree to play on unrecorded.
        AgreeUnrecorded,
        /// Give a move.
        GiveMove,
        /// The name of the arbiter follows.
        GiveName,
        /// How a time is typed.
        GiveTime,
        /// How a result is typed.
        GiveResult,
        /// A side is named.
        GiveSide,
        /// A number is typed.
        GiveNumber,
        /// What is said in German is heard, all else is typed.
        SpeakGerman,
        /// Take the address away and begin again: only this computer may be used.
        UseLocal,
        /// Switch the network of the computer off.
        SwitchOff,
        /// See which way round it should lie.
        LookWhichWay,
        /// Say yes, which starts it anew and goes on, or leave the game.
        YesStartsAnew,
    }
}

impl Fault {
    /// A fault of which the system says nothing.
    pub const fn new(part: Part, reason: Reason, remedy: Remedy) -> Self {
        Self {
            part,
            reason,
            remedy,
            detail: None,
        }
    }

    /// With what the system says of it.
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
    /// Reads `faults.toml`. Strict: every word must be there, and nothing else.
    pub(super) fn parse(text: &str) -> Result<Self, PageError> {
        let words: Self = read_page(text)?;
        has_all(&words.part, text)?;
        has_all(&words.reason, text)?;
        has_all(&words.remedy, text)?;
        Ok(words)
    }

    /// The words of a fault: "Das Mikrofon" "ist nicht da." "Bitte anschließen."
    pub(super) fn said(&self, fault: &Fault) -> Vec<Segment> {
        let words = [
            self.part.get(&fault.part),
            self.reason.get(&fault.reason),
            self.remedy.get(&fault.remedy),
        ];
        let words = words.into_iter().flatten();
        words.flat_map(Unplaced::segments).cloned().collect()
    }

    /// All of them.
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
