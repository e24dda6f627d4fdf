//! What is typed at a console: announcements, commands, and the acts of assistant and arbiter.

use std::path::Path;
use std::time::Duration;

use shakmaty::{Color, Square};

use super::commands::score::read_file;
use super::console::Pins;
use super::console_words::{ConsoleWords, filled};
use super::data;
use super::table::{Reader, Report, Seat};
use super::vault::PASSPHRASE_MIN;
use crate::clock::ClockSide;
use crate::game::{
    Act, ClaimGround, DeviceApproval, Game, Heard, Input, Irregularity, Means, Origin, Penalty,
    Ruling, Said,
};
use crate::laws::{Adaptation, QuickplayDecision};
use crate::notation::{Announcement, Lexicon, typed};
use crate::persons::Person;
use crate::score::read_score;

/// Reads typed lines in one language. English words for acts are always understood besides.
pub struct Typist {
    lexicon: Lexicon,
    words: ConsoleWords,
    /// Who may act for whom at a terminal that all use.
    pins: Pins,
}

impl Typist {
    /// A reader for a language.
    pub const fn new(lexicon: Lexicon, words: ConsoleWords, pins: Pins) -> Self {
        Self {
            lexicon,
            words,
            pins,
        }
    }

    /// Splits "black: e5" into who and what. Without such a word the player is meant who has to
    /// speak, or to press.
    fn address<'a>(&self, game: &Game, text: &'a str) -> Result<(Person, &'a str), String> {
        let Some((who, what)) = text.split_once(':') else {
            let side = if self.canonical(text) == ["press"] {
                game.to_press()
            } else {
                game.expectation(None).voice.unwrap_or_else(|| game.turn())
            };
            return Ok((Person::Player(side), text));
        };
        let who = self.canonical(who);
        let who: Vec<&str> = who.iter().map(String::as_str).collect();
        let person = match who.as_slice() {
            ["white" | "w"] => Person::Player(Color::White),
            ["black" | "b"] => Person::Player(Color::Black),
            ["assistant" | "a"] => Person::Assistant(assisted(game)),
            ["assistant" | "a", side] => {
                Person::Assistant(side_of(side).ok_or_else(|| self.not_understood())?)
            }
            ["arbiter", pin] => {
                if !self.pins.admits(Person::Arbiter, pin) {
                    return Err(self.words.remarks.wrong_pin.clone());
                }
                Person::Arbiter
            }
            ["arbiter"] => {
                return Err(self.words.remarks.pin_missing.clone());
            }
            _ => {
                return Err(self.words.remarks.who_speaks.clone());
            }
        };
        Ok((person, what.trim()))
    }

    /// The words of a line in lower case, those of the language replaced by the console's own.
    fn canonical(&self, text: &str) -> Vec<String> {
        text.split_whitespace()
            .take(400)
            .map(|word| {
                let word = word.to_lowercase();
                self.words.words.get(&word).cloned().unwrap_or(word)
            })
            .collect()
    }

    fn not_understood(&self) -> String {
        self.words.remarks.not_understood.clone()
    }

    fn announcement(&self, text: &str) -> Result<Announcement, String> {
        match typed(&self.lexicon, text).as_slice() {
            [Said::Move(announcement)] => Ok(announcement.clone()),
            [Said::Square(to)] => Ok(pawn_to(*to)),
            _ => Err(self.words.remarks.no_move.clone()),
        }
    }

    fn of_person(
        &self,
        game: &Game,
        (seat, person): (Seat, Person),
        text: &str,
    ) -> Result<Vec<Report>, String> {
        let words = self.canonical(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if matches!(words.as_slice(), ["help" | "?"]) {
            return Err(self.words.remarks.help(person).to_owned());
        }
        if words.as_slice() == ["unrecorded"] {
            return Ok(vec![Report::GoOnUnrecorded(person)]);
        }
        if let [side @ ("white" | "black"), place @ ("left" | "right")] = words.as_slice() {
            return Ok(vec![Report::Input(Input::WhiteSitsAt(clock_side(
                side, place,
            )))]);
        }
        if let ["sheet", side, ..] = words.as_slice() {
            let side = side_of(side).ok_or_else(|| self.not_understood())?;
            let act = handed_in(side, text)?;
            return Ok(vec![Report::Input(Input::Act { person, act })]);
        }
        if person == Person::Arbiter
            && let Some(report) = self.envelope(seat, text, &words)
        {
            return report.map(|report| vec![report]);
        }
        if let ["language", code] = words.as_slice()
            && (person == Person::Arbiter || !game.profile().arbiter)
        {
            let ruling = language(game, code)?;
            return Ok(vec![Report::Input(Input::Ruling(ruling))]);
        }
        let input = match person {
            Person::Arbiter => Some(Input::Ruling(self.ruling(&words)?)),
            Person::Player(_) | Person::Assistant(_) => match self.act(person, text, &words)? {
                Some(act) => Some(Input::Act { person, act }),
                None if words.as_slice() == ["press"] => person.side().map(|side| Input::Pressed {
                    side,
                    means: Means::Key(person),
                }),
                None if !game.profile().arbiter => self.agreed_ruling(&words)?.map(Input::Ruling),
                None => None,
            },
        };
        if let Some(input) = input {
            return Ok(vec![Report::Input(input)]);
        }
        let mut said = typed(&self.lexicon, text);
        let heard = match said.len() {
            0 => return Err(self.not_understood()),
            1 => Heard::Clear(said.remove(0)),
            _ => Heard::Unclear(said),
        };
        let origin = Origin::Console(person);
        Ok(vec![Report::Input(Input::Heard { origin, heard })])
    }

    /// What the arbiter decides.
    fn ruling(&self, words: &[&str]) -> Result<Ruling, String> {
        let known = words
            .split_first()
            .filter(|(first, _)| begins_ruling(first));
        let (first, rest) = known.ok_or_else(|| self.not_understood())?;
        complete_ruling(first, rest).ok_or_else(|| {
            let text = words.join(" ");
            filled(&self.words.remarks.incomplete, &[("text", &text)])
        })
    }

    /// What the players can do together where there is no arbiter: start, stop and go on at once,
    /// everything else that an arbiter decides when both have confirmed it.
    fn agreed_ruling(&self, words: &[&str]) -> Result<Option<Ruling>, String> {
        let is_a_players_own = matches!(words, ["stop" | "flag", ..]);
        let is_ruling = words.first().is_some_and(|first| begins_ruling(first));
        if is_ruling && !is_a_players_own {
            self.ruling(words).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Adjourning and opening the envelope, both with the arbiter's passphrase as it was typed.
    fn envelope(&self, seat: Seat, text: &str, words: &[&str]) -> Option<Result<Report, String>> {
        let first = words.first()?;
        if !matches!(*first, "adjourn" | "open") {
            return None;
        }
        let early = match words {
            ["adjourn", "early", left, ..] => duration(left),
            _ => None,
        };
        let skipped = if early.is_some() { 3 } else { 1 };
        let typed: Vec<&str> = text.split_whitespace().skip(skipped).collect();
        let passphrase = typed.join(" ");
        let ruling = early.map_or(Ruling::Adjourn, |session_left| Ruling::AdjournEarly {
            session_left,
        });
        Some(match *first {
            _ if passphrase.chars().count() < PASSPHRASE_MIN => {
                let remark = &self.words.remarks.passphrase_missing;
                Err(filled(remark, &[("text", first)]))
            }
            "adjourn" => Ok(Report::Passphrase {
                seat,
                passphrase,
                ruling,
            }),
            _ => Ok(Report::OpenEnvelope { seat, passphrase }),
        })
    }

    /// What a line of acts means; the move or the free text in it is taken as it was typed.
    fn act(&self, person: Person, text: &str, words: &[&str]) -> Result<Option<Act>, String> {
        let typed_last = |count: usize| {
            let typed: Vec<&str> = text.split_whitespace().collect();
            typed[typed.len().saturating_sub(count)..].join(" ")
        };
        let announcement = |rest: &[&str]| self.announcement(&typed_last(rest.len()));
        Ok(Some(match words {
            ["confirm"] => Act::ConfirmAnnouncement,
            ["reject"] => Act::RejectAnnouncement,
            ["executed"] => Act::Executed {
                board: match person {
                    Person::Assistant(side) => side.other(),
                    Person::Player(side) => side,
                    Person::Arbiter => return Ok(None),
                },
            },
            ["executed", board] => Act::Executed {
                board: side_of(board).ok_or_else(|| self.not_understood())?,
            },
            ["moved"] => Act::Moved,
            ["announce", rest @ ..] => Act::Announce(announcement(rest)?),
            ["repeat", rest @ ..] if !rest.is_empty() => Act::Repeat(announcement(rest)?),
            ["correct"] => Act::Correct(None),
            ["correct", rest @ ..] => Act::Correct(Some(announcement(rest)?)),
            ["touched"] => Act::ReportTouch {
                square: None,
                piece: None,
            },
            ["touched", square] => Act::ReportTouch {
                square: Some(square.parse().map_err(|_| self.not_understood())?),
                piece: None,
            },
            ["claim", "repetition", rest @ ..] if !rest.is_empty() => Act::ClaimWithMove {
                ground: ClaimGround::Repetition,
                intended: announcement(rest)?,
            },
            ["claim", "fifty", rest @ ..] if !rest.is_empty() => Act::ClaimWithMove {
                ground: ClaimGround::FiftyMoves,
                intended: announcement(rest)?,
            },
            ["claim", "illegal"] => Act::ClaimIllegalMove,
            ["claim", "no-attempt"] => Act::ClaimNoWinningAttempt,
            ["two", "boards"] => Act::DemandTwoBoards,
            ["here"] => Act::Arrive,
            ["leave"] => Act::AskLeave,
            ["complain", rest @ ..] if !rest.is_empty() => Act::Complain(typed_last(rest.len())),
            ["appeal", rest @ ..] if !rest.is_empty() => Act::Appeal(typed_last(rest.len())),
            ["increment"] => Act::AskIncrement,
            ["compare"] => Act::AskComparison,
            ["sign"] => Act::Sign,
            ["seal", rest @ ..] => Act::Seal(announcement(rest)?),
            ["recall", rest @ ..] => Act::RecallSealed(announcement(rest)?),
            ["early"] => Act::AskAdjournment,
            _ => return Ok(None),
        }))
    }
}

impl Reader for Typist {
    fn read(&mut self, game: &Game, seat: Seat, text: &str) -> Result<Vec<Report>, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Vec::new());
        }
        match seat {
            Seat::Of(person) => self.of_person(game, (seat, person), text),
            Seat::Shared => {
                let (person, what) = self.address(game, text)?;
                self.of_person(game, (seat, person), what)
            }
        }
    }
}

/// The table is spoken to in another language, an adaptation that the arbiter orders (D.1).
fn language(game: &Game, code: &str) -> Result<Ruling, String> {
    data::lexicon(code).map_err(|error| error.message)?;
    let arbiter = game.profile().device.as_ref();
    let arbiter = arbiter.map_or("arbiter", |approval| approval.by.as_str());
    Ok(Ruling::Adapt(Adaptation {
        key: Adaptation::LANGUAGES.to_owned(),
        value: format!("[\"{code}\"]"),
        arbiter: arbiter.to_owned(),
        at: jiff::Zoned::now().strftime("%Y-%m-%d %H:%M").to_string(),
    }))
}

/// The side of the chessclock at which White sits, if `side` sits at `place`.
fn clock_side(side: &str, place: &str) -> ClockSide {
    if (side == "white") == (place == "left") {
        ClockSide::Left
    } else {
        ClockSide::Right
    }
}

/// A sheet that is handed in: after `sheet` and its side comes a file, or what stands on it.
fn handed_in(side: Color, text: &str) -> Result<Act, String> {
    let mut words = text.splitn(3, char::is_whitespace).skip(2);
    let sheet = words.next().unwrap_or_default().trim();
    let path = Path::new(sheet);
    let score = if path.is_file() {
        let read = read_file(path, None, 1).map_err(|error| error.to_string())?;
        read.score
    } else {
        let read = read_score(sheet, None, 1);
        read.map_err(|error| format!("This is no file, and no sheet either: {error}."))?
            .score
    };
    let score = Box::new(score);
    Ok(Act::HandInScore { side, score })
}

/// The side that has an assistant; White if both or none have one.
fn assisted(game: &Game) -> Color {
    let has_assistant = |side: Color| !game.profile().sides[side].duties.is_empty();
    if has_assistant(Color::Black) && !has_assistant(Color::White) {
        Color::Black
    } else {
        Color::White
    }
}

fn side_of(word: &str) -> Option<Color> {
    match word {
        "white" | "w" => Some(Color::White),
        "black" | "b" => Some(Color::Black),
        _ => None,
    }
}

fn pawn_to(to: Square) -> Announcement {
    Announcement::Move(crate::notation::MoveAnnouncement {
        piece: None,
        from: None,
        to,
        capture: false,
        promotion: None,
        mark: None,
    })
}

/// Whether a ruling of the arbiter begins with this word.
fn begins_ruling(word: &str) -> bool {
    matches!(
        word,
        "approve"
            | "start"
            | "halt"
            | "stop"
            | "restart"
            | "set"
            | "add"
            | "counter"
            | "flag"
            | "accept"
            | "dismiss"
            | "uphold"
            | "deny"
            | "restore"
            | "compare"
            | "read"
            | "agreed"
            | "report"
            | "penalise"
            | "resume"
            | "result"
            | "annul"
            | "missing"
            | "allow"
            | "note"
            | "decide"
    )
}

fn complete_ruling(first: &str, rest: &[&str]) -> Option<Ruling> {
    Some(match (first, rest) {
        ("approve", [by, scope @ ..]) => Ruling::ApproveDevice(DeviceApproval {
            by: (*by).to_owned(),
            scope: scope.join(" "),
        }),
        ("start", []) => Ruling::Start,
        ("halt" | "stop", []) => Ruling::Stop,
        ("restart", []) => Ruling::Restart { clock: None },
        ("restart", [side]) => Ruling::Restart {
            clock: Some(side_of(side)?),
        },
        ("set", [side, time]) => Ruling::SetClock {
            side: side_of(side)?,
            left: duration(time)?,
        },
        ("add", [side, time]) => Ruling::AddTime {
            side: side_of(side)?,
            time: duration(time)?,
        },
        ("counter", [side, moves]) => Ruling::SetMoveCounter {
            side: side_of(side)?,
            moves: moves.parse().ok()?,
        },
        ("flag", [side]) => Ruling::CallFlag {
            side: side_of(side)?,
        },
        ("accept", [number]) => Ruling::Accept {
            proposal: number.parse().ok()?,
        },
        ("dismiss", [number]) => Ruling::Dismiss {
            proposal: number.parse().ok()?,
        },
        ("uphold", []) => Ruling::DecideClaim { upheld: true },
        ("deny", []) => Ruling::DecideClaim { upheld: false },
        ("restore", [plies]) => Ruling::Restore {
            plies: plies.parse().ok()?,
        },
        ("compare", []) => Ruling::Compare,
        ("read", []) => Ruling::ReadVerdict,
        ("agreed", [plies]) => Ruling::GoBack {
            plies: plies.parse().ok()?,
        },
        ("report", [side, what @ ..]) => Ruling::Report {
            side: side_of(side)?,
            irregularity: named::<Irregularity>(what)?,
        },
        ("penalise", [side, what @ ..]) => Ruling::Penalise {
            side: side_of(side)?,
            penalty: penalty(what)?,
        },
        ("resume", [present]) => Ruling::Resume {
            present: named(&[present])?,
        },
        ("missing", []) => Ruling::EnvelopeMissing {
            position_known: true,
        },
        ("missing", ["position"]) => Ruling::EnvelopeMissing {
            position_known: false,
        },
        ("allow", ["draw"]) => Ruling::AllowDraw,
        ("note", []) => Ruling::NoteState,
        ("decide", what) => Ruling::DecideQuickplay(quickplay_decision(what)?),
        ("result", [result]) => Ruling::Result(result.parse().ok()?),
        ("annul", []) => Ruling::Annul,
        _ => return None,
    })
}

/// A value by its name in the record, with spaces for the underscores.
fn named<T: serde::de::DeserializeOwned>(words: &[&str]) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(words.join("_"))).ok()
}

fn quickplay_decision(words: &[&str]) -> Option<QuickplayDecision> {
    Some(match words {
        ["draw"] => QuickplayDecision::Draw,
        ["later"] => QuickplayDecision::Postpone { with_time: false },
        ["later", "with", "time"] => QuickplayDecision::Postpone { with_time: true },
        ["reject"] => QuickplayDecision::Reject,
        ["five", "seconds"] => QuickplayDecision::FiveSeconds,
        _ => return None,
    })
}

fn penalty(words: &[&str]) -> Option<Penalty> {
    Some(match words {
        ["warning"] => Penalty::Warning,
        ["opponent", "more", time] => Penalty::MoreTimeForOpponent(duration(time)?),
        ["less", time] => Penalty::LessTimeForOffender(duration(time)?),
        ["opponent", "points", halves] => Penalty::MorePointsForOpponent(halves.parse().ok()?),
        ["points", halves] => Penalty::FewerPointsForOffender(halves.parse().ok()?),
        ["exclusion", rounds] => Penalty::ExclusionFromRounds(rounds.parse().ok()?),
        ["loss"] => Penalty::LossOfGame,
        ["fine"] => Penalty::Fine,
        ["expulsion"] => Penalty::Expulsion,
        _ => return None,
    })
}

/// `1:30:00`, `2:30`, `90m`, `45s`, `1h30m`.
fn duration(text: &str) -> Option<Duration> {
    let seconds = if text.contains(':') {
        text.split(':').try_fold(0u64, |sum, part| {
            sum.checked_mul(60)?.checked_add(part.parse().ok()?)
        })?
    } else {
        let mut seconds = 0u64;
        let mut number = String::new();
        for letter in text.chars() {
            let unit = match letter {
                'h' => 3600,
                'm' => 60,
                's' => 1,
                digit => {
                    number.push(digit);
                    continue;
                }
            };
            let count: u64 = number.parse().ok()?;
            seconds = seconds.checked_add(count.checked_mul(unit)?)?;
            number.clear();
        }
        if !number.is_empty() || text.is_empty() {
            return None;
        }
        seconds
    };
    (seconds <= 360_000).then(|| Duration::from_secs(seconds))
}
