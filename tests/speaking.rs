//! What annexd says: complete in every language, recorded where it has clips, and unchanged
//! unless somebody who speaks the language has looked at it.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the project's files, and fails where they are not"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use annexd::laws::{Clause, Edition};
use annexd::notation::{Announcement, CheckMark, MoveAnnouncement, Style};
use annexd::phrases::{
    Argument, Fault, FaultPart, Language, Phrase, PhraseKey, PlaceKind, Reason, Remedy, Segment,
    Sentence, SentenceKey, Sentences, Spoken,
};
use annexd::shell::config::data;
use annexd::shell::consoles::words::ConsoleWords;
use annexd::shell::speech::sound::CLIP_RATE;
use annexd::shell::speech::voice::{Clips, TIMES, read_clip};
use shakmaty::{CastlingSide, Color, Role, Square};
use strum::IntoEnumIterator;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn languages() -> Vec<(String, Language)> {
    let mut codes: Vec<String> = fs::read_dir(root().join("grammar"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    codes.sort();
    let read = |code: String| {
        let language = data::language(&code).unwrap_or_else(|error| panic!("{code}: {error}"));
        (code, language)
    };
    codes.into_iter().map(read).collect()
}

/// An argument of every kind, so that every place of a phrase is filled.
fn arguments(places: &[PlaceKind]) -> Vec<Argument> {
    let knight = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
    let one = |place: &PlaceKind| match place {
        PlaceKind::Move => Argument::Move(knight.clone()),
        PlaceKind::Square => Argument::Square(Square::E4),
        PlaceKind::Piece => Argument::Piece(Some(Role::Rook)),
        PlaceKind::Side => Argument::Side(Color::White),
        PlaceKind::Time => Argument::Time(Duration::from_secs(330)),
        PlaceKind::Allotment => Argument::Allotment("90m/40+30m+30s".parse().unwrap()),
        PlaceKind::Number => Argument::Number(21),
        PlaceKind::Article => Argument::Article("D.2.3".to_owned()),
        PlaceKind::Language => Argument::Language("da".to_owned()),
        PlaceKind::Text => Argument::Text("Text".to_owned()),
        PlaceKind::Fault => {
            let fault = Fault::new(FaultPart::Microphone, Reason::Absent, Remedy::Type);
            Argument::Fault(Box::new(fault))
        }
        PlaceKind::Phrase => Argument::Phrase(Box::new(PhraseKey::WhoArbiter.into())),
        PlaceKind::Control => Argument::Control("time".to_owned()),
    };
    places.iter().map(one).collect()
}

#[test]
fn every_phrase_can_be_said_in_every_language() {
    let languages = languages();
    assert!(languages.iter().any(|(code, _)| code == "de"));
    let german = &languages.iter().find(|(code, _)| code == "de").unwrap().1;
    for (code, language) in &languages {
        for (command, _) in german.lexicon().phrases() {
            let has = language
                .lexicon()
                .phrases()
                .any(|(other, _)| other == command);
            assert!(has, "{code}: no words for {}", command.word());
        }
        let consoles = data::grammar_text(code, "console.toml").unwrap();
        ConsoleWords::parse(&consoles).unwrap_or_else(|why| panic!("{code}: {why}"));
        for key in PhraseKey::iter() {
            let places = language.places(key);
            assert_eq!(places, german.places(key), "{code}: places of {key:?}");
            let phrase = Phrase::new(key, arguments(&places));
            let text = language.text(&phrase);
            assert!(text.chars().any(char::is_alphabetic), "{code}: {key:?}");
            let digits = text.chars().any(|c| c.is_ascii_digit());
            assert!(!digits, "{code}: {key:?} has digits: {text}");
        }
    }
}

/// Every error there can be, in words alone.
fn faults() -> impl Iterator<Item = Fault> {
    FaultPart::iter().flat_map(|part| {
        Reason::iter().flat_map(move |reason| {
            Remedy::iter().map(move |remedy| Fault::new(part, reason, remedy))
        })
    })
}

#[test]
fn every_error_is_said_in_every_language_and_none_in_english_elsewhere() {
    let languages = languages();
    let english = &languages.iter().find(|(code, _)| code == "en").unwrap().1;
    let german = &languages.iter().find(|(code, _)| code == "de").unwrap().1;
    let clips: BTreeSet<String> = german
        .vocabulary()
        .iter()
        .map(|words| Spoken::clip_name(words))
        .collect();
    for (code, language) in &languages {
        let mut said = BTreeSet::new();
        for fault in faults() {
            let phrase = Phrase::from(fault.clone().with("errno 5"));
            let spoken = language.render(&phrase);
            let text = spoken.text();
            assert!(text.split(' ').count() > 3, "{code}: {fault:?}: {text}");
            assert!(!text.contains("errno"), "{code}: the system speaks: {text}");
            assert!(language.text_with_detail(&phrase).ends_with("(errno 5)"));
            if code != "en" {
                assert_ne!(text, english.text(&phrase), "{code}: {fault:?}");
            }
            if code == "de" {
                for segment in spoken.segments {
                    let Segment::Clip(words) = segment else {
                        continue;
                    };
                    assert!(clips.contains(&Spoken::clip_name(&words)), "{words}");
                }
            }
            said.insert(text);
        }
        assert_eq!(
            said.len(),
            faults().count(),
            "{code}: two errors sound the same"
        );
    }
}

/// Everything a command answers when it cannot do what it was told, in every language, with all
/// its places filled.
#[test]
fn every_error_of_a_command_is_told_in_every_language() {
    let sentences: Vec<(String, Sentences)> = languages()
        .into_iter()
        .map(|(code, _)| {
            let text = |file| data::grammar_text(&code, file).unwrap();
            let (errors, verdict) = (text("errors.toml"), text("verdict.toml"));
            let read = Sentences::parse([&errors, &verdict]);
            let read = read.unwrap_or_else(|why| panic!("{code}: {why}"));
            (code, read)
        })
        .collect();
    let english = &sentences.iter().find(|(code, _)| code == "en").unwrap().1;
    for (code, words) in &sentences {
        for key in SentenceKey::iter() {
            let places: Vec<&str> = english.places(key).collect();
            let told = places.iter().fold(Sentence::new(key), |told, place| {
                told.with(leaked(place), format!("<{place}>").as_str())
            });
            let text = words.text(&told);
            assert!(!text.is_empty(), "{code}: {key:?}");
            assert!(!text.contains(['{', '}']), "{code}: {key:?}: {text}");
            // A name or the words of the system may be left out, a place or a reason never.
            for place in places.iter().filter(|it| **it != "system") {
                assert!(
                    text.contains(&format!("<{place}>")),
                    "{code}: {key:?}: {text}"
                );
            }
            let has_words = |text: &str| {
                let mut rest = text.to_owned();
                for place in &places {
                    rest = rest.replace(&format!("<{place}>"), "");
                }
                rest.chars().filter(|it| it.is_alphabetic()).count() > 9
            };
            if code != "en" && has_words(&english.text(&told)) {
                assert_ne!(text, english.text(&told), "{code}: {key:?}");
            }
        }
    }
}

/// Places are names that the program knows; a test makes them up.
fn leaked(name: &str) -> &'static str {
    Box::leak(name.to_owned().into_boxed_str())
}

/// No command writes an error of its own in one language: all are sentences of the grammar. What
/// is left are errors of other errors' words.
#[test]
fn no_error_is_written_in_the_program() {
    let mut written = Vec::new();
    let mut folders = [
        "shell", "practice", "demo", "phrases", "boards", "sound", "hearing", "sim",
    ]
    .map(|it| root().join("src").join(it))
    .to_vec();
    let mut used = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.ends_with("sentence_key.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let is_test = |line: &str| line.contains("it crashes");
            let has_no_errors = path.starts_with(root().join("src/phrases"));
            if !path.ends_with("shell/error.rs") && !has_no_errors {
                let code = text.split("#[cfg(test)]").next().unwrap();
                for line in code.lines().filter(|line| !is_test(line)) {
                    if line.contains("Error::new(") && !line.contains("Fault") {
                        written.push(format!("{}: {}", path.display(), line.trim()));
                    }
                }
            }
            used.insert(text);
        }
    }
    for key in SentenceKey::iter() {
        let name = format!("{key:?}");
        let is_name = |text: &str, at: usize| {
            let next = text[at + name.len()..].chars().next();
            let before = text[..at].chars().next_back();
            !next.is_some_and(char::is_alphanumeric) && !before.is_some_and(char::is_alphanumeric)
        };
        let is_used = |text: &String| text.match_indices(&name).any(|(at, _)| is_name(text, at));
        assert!(used.iter().any(is_used), "nothing tells {name}");
    }
    assert!(written.is_empty(), "{written:#?}");
}

/// All announcements of the long form: each piece, each square as the departure and arrival of a
/// neighbouring one, captures, promotions, castling and marks.
fn announcements() -> Vec<Announcement> {
    let mut all = vec![
        Announcement::of_castling(CastlingSide::KingSide),
        Announcement::of_castling(CastlingSide::QueenSide),
    ];
    for (index, from) in Square::ALL.into_iter().enumerate() {
        let role = Role::ALL[index % Role::ALL.len()];
        let to = Square::ALL[(index * 11 + 9) % 64];
        let capture = index % 3 == 0;
        let promotion = (index % 16 == 15).then_some(Role::ALL[1 + index / 16]);
        let mark = [
            None,
            None,
            Some(CheckMark::Check),
            None,
            Some(CheckMark::Mate),
        ][index % 5];
        all.push(Announcement::Move(MoveAnnouncement {
            piece: Some(promotion.map_or(role, |_| Role::Pawn)),
            from: Some(from),
            to,
            capture,
            promotion,
            mark,
        }));
    }
    all
}

#[test]
fn announcements_and_times_are_as_they_were_reviewed() {
    for (code, language) in languages() {
        let mut page = String::new();
        for announcement in announcements() {
            let phrase = Phrase::new(PhraseKey::Announced, [Argument::Move(announcement.clone())]);
            let short = language.announcement(&announcement, Style::Short).text();
            writeln!(page, "{} / {short}", language.text(&phrase)).unwrap();
        }
        for seconds in [0, 1, 59, 60, 61, 330, 3600, 5025, 7322] {
            let time = language.time(Duration::from_secs(seconds)).text();
            writeln!(page, "{seconds} s: {time}").unwrap();
        }
        for key in PhraseKey::iter() {
            let name: &str = key.into();
            let phrase = Phrase::new(key, arguments(&language.places(key)));
            writeln!(page, "{name}: {}", language.text(&phrase)).unwrap();
        }
        for part in FaultPart::iter() {
            let fault = Fault::new(part, Reason::Absent, Remedy::Connect);
            writeln!(page, "{}", language.text(&fault.into())).unwrap();
        }
        for reason in Reason::iter() {
            let fault = Fault::new(FaultPart::Board, reason, Remedy::Wait);
            writeln!(page, "{}", language.text(&fault.into())).unwrap();
        }
        for remedy in Remedy::iter() {
            let fault = Fault::new(FaultPart::Disk, Reason::Silent, remedy);
            writeln!(page, "{}", language.text(&fault.into())).unwrap();
        }
        let file = root().join("tests/spoken").join(format!("{code}.txt"));
        if std::env::var_os("REVIEW").is_some() {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &page).unwrap();
        }
        let reviewed = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            page == reviewed,
            "what is said in {code} has changed. Run REVIEW=1 cargo test --test devices speaking::, and \
             look at the difference in {}",
            file.display()
        );
    }
}

fn clip(code: &str, words: &str) -> PathBuf {
    let name = format!("{}.flac", Spoken::clip_name(words));
    root().join("assets/voice").join(code).join(name)
}

#[test]
fn every_word_of_german_has_a_clip_of_the_same_loudness() {
    let language = data::language("de").unwrap();
    let mut wanted = BTreeSet::new();
    for words in language.vocabulary() {
        let path = clip("de", &words);
        let samples = read_clip(&path)
            .unwrap_or_else(|error| panic!("\"{words}\": {error} (make voice makes it)"));
        let energy: f64 = samples.iter().map(|s| f64::from(*s) * f64::from(*s)).sum();
        let rms = (energy / samples.len() as f64).sqrt() / 32_768.0;
        assert!(
            (0.05..0.2).contains(&rms),
            "\"{words}\" has a loudness of {rms}"
        );
        let edges = [samples[0], samples[samples.len() - 1]];
        assert!(
            edges.iter().all(|s| s.abs() < 400),
            "\"{words}\" clicks: {edges:?}"
        );
        wanted.insert(path);
    }
    for entry in fs::read_dir(root().join("assets/voice/de")).unwrap() {
        let path = entry.unwrap().path();
        assert!(wanted.contains(&path), "nothing says {}", path.display());
    }
}

#[test]
fn every_german_phrase_is_made_of_clips() {
    let language = data::language("de").unwrap();
    let vocabulary: BTreeSet<String> = language
        .vocabulary()
        .iter()
        .map(|words| Spoken::clip_name(words))
        .collect();
    for key in PhraseKey::iter() {
        let arguments = arguments(&language.places(key));
        for segment in language.render(&Phrase::new(key, arguments)).segments {
            if let Segment::Clip(words) = segment {
                assert!(vocabulary.contains(&Spoken::clip_name(&words)), "{words}");
            }
        }
    }
}

/// Another article would be heard if a part of it had no words, or words without a clip.
#[test]
fn every_article_that_can_be_cited_is_said_in_words() {
    for (code, language) in languages() {
        let clips: BTreeSet<String> = language
            .vocabulary()
            .iter()
            .map(|words| Spoken::clip_name(words))
            .collect();
        for edition in Edition::ALL {
            // annexd's own divisions are cited only where an edition has them.
            let is_own = |name: &str| name.contains(|c: char| c.is_ascii_lowercase());
            let rules = edition.rules();
            let names = Clause::names().filter(|name| !name.starts_with('X'));
            for name in names.filter(|name| rules.article(name).is_some() || !is_own(name)) {
                let cited = rules.cite(name);
                let phrase = Phrase::new(PhraseKey::NotNow, [Argument::Article(cited.clone())]);
                let spoken = language.render(&phrase);
                let text = spoken.text();
                let has_digits = text.contains(|c: char| c.is_ascii_digit());
                assert!(!has_digits, "{code}, {edition}: {cited}: {text}");
                for segment in spoken.segments {
                    if let Segment::Clip(words) = segment {
                        let has_clip = clips.contains(&Spoken::clip_name(&words));
                        assert!(has_clip, "{code}, {edition}: {cited}: {words}");
                    }
                }
            }
        }
    }
}

/// All long forms: every piece between every two squares, with and without a capture, every
/// promotion of a pawn, each with every mark; and castling.
fn long_forms() -> impl Iterator<Item = Announcement> {
    let becomes = |piece| match piece {
        Role::Pawn => [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
            .map(Some)
            .to_vec(),
        _ => Vec::new(),
    };
    let kinds: Vec<(Role, Option<Role>)> = Role::ALL
        .into_iter()
        .flat_map(|piece| {
            let promotions = becomes(piece);
            std::iter::once(None)
                .chain(promotions)
                .map(move |it| (piece, it))
        })
        .collect();
    let between = Square::ALL.into_iter().flat_map(|from| {
        let others = Square::ALL.into_iter().filter(move |to| *to != from);
        others.map(move |to| (from, to))
    });
    let moves = between.flat_map(move |(from, to)| {
        kinds
            .clone()
            .into_iter()
            .flat_map(move |(piece, promotion)| {
                [false, true].into_iter().flat_map(move |capture| {
                    [None, Some(CheckMark::Check), Some(CheckMark::Mate)].map(|mark| {
                        Announcement::Move(MoveAnnouncement {
                            piece: Some(piece),
                            from: Some(from),
                            to,
                            capture,
                            promotion,
                            mark,
                        })
                    })
                })
            })
    });
    let castling = [CastlingSide::KingSide, CastlingSide::QueenSide];
    moves.chain(castling.map(Announcement::of_castling))
}

/// An announcement as the table hears it, in seconds.
fn seconds(language: &Language, clips: &Clips, announcement: &Announcement, rate: u32) -> f64 {
    let argument = Argument::Move(announcement.clone());
    let phrase = Phrase::new(PhraseKey::Announced, [argument]);
    let (samples, silent) = clips.say(language, &phrase, rate);
    assert_eq!(silent, 0, "{}", language.text(&phrase));
    samples.len() as f64 / f64::from(CLIP_RATE)
}

/// At the normal rate 2.5 seconds at most, and less at the one for rapid chess and blitz.
fn is_short_enough(language: &Language, clips: &Clips, announcement: &Announcement) {
    for (rate, most) in [(100, 2.5), (150, 1.7)] {
        let takes = seconds(language, clips, announcement, rate);
        assert!(
            takes <= most,
            "{announcement:?} takes {takes} s at {rate} %"
        );
    }
}

#[test]
fn an_announcement_takes_two_and_a_half_seconds_at_most() {
    let language = data::language("de").unwrap();
    let clips = Clips::open("de").unwrap();
    for announcement in announcements() {
        is_short_enough(&language, &clips, &announcement);
    }
    // The squares of the longest names, and all that can be said between them.
    for announcement in long_forms() {
        let Announcement::Move(announced) = &announcement else {
            continue;
        };
        if announced.from == Some(Square::F2) && announced.to == Square::F7 {
            is_short_enough(&language, &clips, &announcement);
        }
    }
}

/// Whoever asks for the time thinks on meanwhile.
#[test]
fn the_times_take_three_seconds_at_most() {
    let language = data::language("de").unwrap();
    let clips = Clips::open("de").unwrap();
    let mut takes: Vec<usize> = Vec::new();
    // A prime, so that all seconds and minutes come up.
    let owns = (0..7200).step_by(421);
    let others = [59, 118, 417, 599, 1620, 3420, 3900, 5220, 6780];
    for (own, others) in owns.flat_map(|own| others.map(|others| (own, others))) {
        let times = [own, others].map(|time| Argument::Time(Duration::from_secs(time)));
        let phrase = Phrase::new(PhraseKey::TimesLeft, times);
        let (samples, silent) = clips.say(&language, &phrase, 100);
        assert_eq!(silent, 0, "{}", language.text(&phrase));
        assert!(samples.len() <= TIMES, "{}", language.text(&phrase));
        takes.push(samples.len());
    }
    takes.sort_unstable();
    let [median, longest] = [takes[takes.len() / 2], takes[takes.len() - 1]];
    let seconds = |samples: usize| samples as f64 / f64::from(CLIP_RATE);
    eprintln!(
        "times: median {:.2} s, longest {:.2} s",
        seconds(median),
        seconds(longest)
    );
}

#[test]
#[ignore = "a quarter of a million sentences, for make soak"]
fn every_long_form_takes_two_and_a_half_seconds_at_most() {
    let language = data::language("de").unwrap();
    let clips = Clips::open("de").unwrap();
    let mut longest = (0.0, String::new());
    let (mut count, mut faster) = (0, 0);
    for announcement in long_forms() {
        let spoken = language.announcement(&announcement, Style::Long);
        let (samples, silent) = clips.join(&spoken, 100);
        assert_eq!(silent, 0, "{}", spoken.text());
        count += 1;
        let natural = samples.len() as f64 / f64::from(CLIP_RATE);
        if natural > longest.0 {
            longest = (natural, spoken.text());
        }
        if natural > 2.5 {
            faster += 1;
            // What is said faster is made anew, which takes its time: every hundredth.
            if faster % 100 == 1 {
                is_short_enough(&language, &clips, &announcement);
            }
        }
    }
    let (takes, words) = longest;
    eprintln!(
        "{count} long forms; {faster} would take longer than 2.5 s and are said faster; the \
         longest, \"{words}\", would take {takes:.2} s"
    );
}
