//! What a record says of the sounds that were kept beside it: whose voice was expected, and what
//! was misheard.

use std::collections::BTreeSet;

use shakmaty::Color;

use crate::game::{Effect, Input, Origin};
use crate::journal::{Body, Entry, SoundFile};
use crate::moment::Moment;
use crate::phrases::PhraseKey;

/// A sound is that of an input if no more milliseconds are between them.
const APART_MS: u64 = 2_000;

/// The side whose voice the microphone of a sound expected when it began. Of a shared one this
/// tells who spoke.
pub fn expected_voice(entries: &[Entry], sound: &SoundFile) -> Option<Color> {
    let began = sound.until.as_ms().saturating_sub(sound.ms);
    let before = entries.iter().take_while(|it| it.at.as_ms() <= began);
    let expected = before.flat_map(|it| match &it.body {
        Body::Step { effects, .. } => effects.as_slice(),
        _ => &[],
    });
    let expected = expected.filter_map(|effect| match effect {
        Effect::Listen(it) if it.microphone == sound.microphone => Some(it.voice),
        _ => None,
    });
    expected.last().flatten()
}

/// The files of sounds whose words somebody took back: an announcement that was withdrawn or
/// declared misheard, and a repetition that was not the announcement.
pub fn misheard(entries: &[Entry]) -> BTreeSet<&str> {
    let (mut last, mut misheard) = (None, Vec::new());
    let mut sounds = Vec::new();
    for entry in entries {
        let (input, effects) = match &entry.body {
            Body::Step { input, effects } => (input, effects),
            Body::Sound(sound) => {
                sounds.push(sound);
                continue;
            }
            _ => continue,
        };
        let said = match input {
            Input::Heard {
                origin: Origin::Microphone(microphone),
                ..
            } => Some((*microphone, entry.at)),
            _ => None,
        };
        if says(effects, &[PhraseKey::Corrected, PhraseKey::HeardWrong]) {
            misheard.extend(last.take());
        }
        if says(effects, &[PhraseKey::RepetitionDiffers]) {
            misheard.extend(said);
        }
        if says(effects, &[PhraseKey::Announced]) && matches!(input, Input::Heard { .. }) {
            last = said;
        }
    }
    let files = misheard.into_iter().filter_map(|it| file_of(it, &sounds));
    files.collect()
}

fn says(effects: &[Effect], keys: &[PhraseKey]) -> bool {
    let is_one =
        |it: &Effect| matches!(it, Effect::Say { phrase, .. } if keys.contains(&phrase.key));
    effects.iter().any(is_one)
}

/// The sound of what a microphone heard.
fn file_of<'a>(
    (microphone, at): (Option<Color>, Moment),
    sounds: &[&'a SoundFile],
) -> Option<&'a str> {
    let apart = |sound: &SoundFile| sound.until.as_ms().abs_diff(at.as_ms());
    let own = sounds.iter().filter(|it| it.microphone == microphone);
    let nearest = own.min_by_key(|it| apart(it))?;
    (apart(nearest) <= APART_MS).then_some(&nearest.file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Expectation, Form, Priority};
    use crate::notation::{Command, Heard, Said};
    use crate::persons::{Channel, Person};
    use crate::phrases::Phrase;

    const WHITE: Option<Color> = Some(Color::White);
    const BLACK: Option<Color> = Some(Color::Black);

    fn entry(at: u64, body: Body) -> Entry {
        Entry {
            seq: 0,
            at: Moment::from_ms(at),
            wall_ms: 0,
            body,
        }
    }

    fn step(at: u64, origin: Origin, keys: &[PhraseKey]) -> Entry {
        let say = |key: &PhraseKey| Effect::Say {
            utterance: 1,
            channel: Channel::Table,
            phrase: Phrase::new(*key, []),
            priority: Priority::Normal,
        };
        let body = Body::Step {
            input: Input::heard(origin, Heard::Clear(Said::Command(Command::Yes))),
            effects: keys.iter().map(say).collect(),
        };
        entry(at, body)
    }

    fn sound(file: &str, microphone: Option<Color>, until: u64) -> SoundFile {
        SoundFile {
            file: file.to_owned(),
            microphone,
            until: Moment::from_ms(until),
            ms: 900,
            sha256: String::new(),
        }
    }

    #[test]
    fn what_was_taken_back_and_a_wrong_repetition_are_found() {
        use PhraseKey::{Announced, Corrected, HeardWrong, PleaseRepeat, RepetitionDiffers};
        let (white, black) = (Origin::Microphone(WHITE), Origin::Microphone(BLACK));
        let typed = Origin::Console(Person::Player(Color::White));
        let entries = |sounds: &[SoundFile]| {
            let mut entries = vec![
                step(1_000, white, &[Announced]),
                step(4_000, black, &[RepetitionDiffers]),
                step(8_000, white, &[Corrected, Announced]),
                step(20_000, white, &[PleaseRepeat]),
                step(30_000, typed, &[Announced]),
                step(33_000, white, &[HeardWrong]),
            ];
            let sounds = sounds.iter().cloned();
            entries.extend(sounds.map(|it| entry(40_000, Body::Sound(it))));
            entries
        };
        let all = entries(&[
            sound("1", WHITE, 1_020),
            sound("2", BLACK, 4_010),
            sound("3", WHITE, 4_020),
            sound("4", WHITE, 8_001),
            sound("5", WHITE, 30_100),
        ]);
        let found: Vec<&str> = misheard(&all).into_iter().collect();
        assert_eq!(found, ["1", "2"]);
        assert!(misheard(&entries(&[sound("6", WHITE, 3_001)])).is_empty());
    }

    #[test]
    fn of_a_shared_microphone_the_record_tells_who_spoke() {
        let expects = |at, microphone, voice| {
            let body = Body::Step {
                input: Input::heard(
                    Origin::Microphone(None),
                    Heard::Clear(Said::Command(Command::Yes)),
                ),
                effects: vec![Effect::Listen(Expectation {
                    microphone,
                    voice,
                    form: Form::Announcement,
                    urgent_only: false,
                })],
            };
            entry(at, body)
        };
        let entries = [
            expects(1_000, None, WHITE),
            expects(5_000, None, BLACK),
            expects(5_000, WHITE, WHITE),
            expects(9_000, None, None),
        ];
        let expected = |until| expected_voice(&entries, &sound("1", None, until));
        assert_eq!(expected(1_800), None);
        // It is over when the other one is expected already.
        assert_eq!(expected(5_100), WHITE);
        assert_eq!(expected(6_000), BLACK);
        assert_eq!(expected(20_000), None);
    }
}
