use shakmaty::Color;

use super::*;
use crate::Mode;
use crate::board::Orientation;
use annexd_laws::Edition;

fn room(loudspeakers: &[&str], microphones: &[&str]) -> Room {
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Room {
        loudspeakers: named(loudspeakers),
        microphones: named(microphones),
        languages: vec![
            ("de".into(), "Deutsch".into()),
            ("en".into(), "English".into()),
        ],
        has_system_voice: true,
        ports: named(&["/dev/ttyACM0", "/dev/ttyUSB0"]),
    }
}

fn full() -> SetUp {
    let room = room(&["headset", "box", "second"], &["left", "right"]);
    SetUp::new(room, Answers::default())
}

/// Says yes; for a microphone under test, heard well.
fn agree(set_up: &mut SetUp) -> AfterReply {
    let level = matches!(set_up.question(), Question::Microphone(_)).then_some(Level::Good);
    set_up.hear(Reply::Yes, level)
}

/// Agrees until this question is open, or opens it by its topic if it is not asked unprompted.
fn up_to(set_up: &mut SetUp, question: Question) {
    for _ in 0..40 {
        match set_up.question() {
            now if now == question => return,
            Question::Summary => {
                set_up.hear(Reply::No, None);
                let mut topics = set_up.topics().into_iter();
                let topic = topics.position(|topic| Some(topic) == Topic::of(question));
                let number = topic.map(index_to_number).expect("no topic has it");
                set_up.hear(Reply::Number(number), None);
            }
            _ => {
                agree(set_up);
            }
        }
    }
    panic!("{question:?} was never asked");
}

/// All questions asked of a player who agrees to everything.
fn asked(set_up: &mut SetUp) -> Vec<Question> {
    let mut asked = vec![set_up.question()];
    while !agree(set_up).is_done {
        asked.push(set_up.question());
    }
    asked
}

fn keys(step: &AfterReply) -> Vec<PhraseKey> {
    step.says.iter().map(|phrase| phrase.key).collect()
}

#[test]
fn yes_alone_leads_through_all_questions() {
    let mut set_up = full();
    assert_eq!(
        keys(&set_up.begin()),
        [PhraseKey::SetUpBegins, PhraseKey::SetUpHearMe]
    );
    asked(&mut set_up);
    let answers = set_up.answers();
    assert_eq!(answers.ears.own.as_deref(), Some("headset"));
    assert_eq!(answers.ears.table.as_deref(), Some("box"));
    assert_eq!(answers.own_microphone.as_deref(), Some("left"));
    assert_eq!(answers.disabled, Disabled::Own);
    assert_eq!(answers.terms.edition, Edition::E2023);
    assert!(!answers.consents.own && !answers.arbiter);
}

#[test]
fn the_first_time_what_matters_most_is_asked_and_the_rest_heard() {
    let own = Whose::Own;
    let mut set_up = full();
    let six = [
        Question::Ear(own),
        Question::Microphone(own),
        Question::Colour,
        Question::Private,
        Question::Table,
        Question::OthersMicrophone,
        Question::Summary,
    ];
    assert_eq!(asked(&mut set_up), six);
    // With fewer devices to ask about, other questions come up.
    let typed = [
        Question::Colour,
        Question::Time,
        Question::Mode,
        Question::Name(own),
        Question::Name(Whose::Other),
        Question::Summary,
    ];
    let mut set_up = SetUp::new(room(&[], &[]), Answers::default());
    assert_eq!(asked(&mut set_up), typed);
    for (loudspeakers, microphones) in [(1, 1), (3, 0), (0, 2), (1, 2), (2, 2)] {
        let names = ["a", "b", "c"];
        let room = room(&names[..loudspeakers], &names[..microphones]);
        let mut set_up = SetUp::new(room, Answers::default());
        assert!(asked(&mut set_up).len() <= 7, "{loudspeakers}");
    }
}

#[test]
fn who_speaks_another_language_than_the_laws_suggest_is_asked_for_that_of_the_table() {
    let english = || Answers {
        languages: Languages {
            own: "en".to_owned(),
            table: None,
        },
        ..Answers::default()
    };
    let asks = |set_up: &mut SetUp| asked(set_up).contains(&Question::TableLanguage);
    let typed = |answers| SetUp::new(room(&[], &[]), answers);
    let mut set_up = typed(english());
    assert!(asks(&mut set_up));
    assert_eq!(set_up.answers().languages.table.as_deref(), Some("en"));

    let mut set_up = typed(english());
    up_to(&mut set_up, Question::TableLanguage);
    let said = keys(&set_up.hear(Reply::No, None));
    assert_eq!(said.first(), Some(&PhraseKey::SetUpLawsTable));
    assert_eq!(set_up.answers().languages.table, None);

    assert!(!asks(&mut typed(Answers::default())));
    // The Laws of 2001 suggest Danish.
    let edition = Edition::E2001;
    let german = Answers {
        terms: Terms {
            edition,
            ..Terms::default()
        },
        ..Answers::default()
    };
    assert!(asks(&mut typed(german)));
    // An arbiter decides it, and one who has set it otherwise keeps it.
    for answers in [
        Answers {
            terms: rated(),
            arbiter: true,
            ..english()
        },
        Answers {
            languages: Languages {
                own: "en".to_owned(),
                table: Some("sv".to_owned()),
            },
            ..english()
        },
    ] {
        let before = answers.languages.table.clone();
        let mut set_up = typed(answers);
        assert!(!asks(&mut set_up));
        assert_eq!(set_up.answers().languages.table, before);
    }
}

#[test]
fn what_the_players_agreed_on_for_the_table_is_no_agreement_of_an_arbiter() {
    let of_the_club = Answers {
        languages: Languages {
            own: "en".to_owned(),
            table: Some("en".to_owned()),
        },
        ..Answers::default()
    };
    let mut set_up = SetUp::new(room(&[], &[]), of_the_club);
    up_to(&mut set_up, Question::Mode);
    // The first that is offered is the game of the club; one is rated.
    set_up.hear(Reply::Number(1), None);
    assert!(set_up.answers().arbiter);
    assert_eq!(set_up.answers().languages.table, None);
    assert!(keys(&AfterReply::saying(set_up.summary())).contains(&PhraseKey::SetUpLawsTable));
}

#[test]
fn the_table_changes_its_language_with_the_player() {
    let mut answers = Answers {
        languages: Languages {
            own: "en".to_owned(),
            table: Some("en".to_owned()),
        },
        ..Answers::default()
    };
    answers.languages.speak("da".to_owned());
    assert_eq!(answers.languages.table.as_deref(), Some("da"));
    answers.languages.table = None;
    answers.languages.speak("sv".to_owned());
    assert_eq!(answers.languages.table, None);
}

fn rated() -> Terms {
    Terms {
        mode: Mode::Rated,
        ..Terms::default()
    }
}

/// The last answers, in the full room.
fn last_time() -> Answers {
    let mut set_up = full();
    asked(&mut set_up);
    set_up.answers().clone()
}

#[test]
fn whoever_comes_again_confirms_once() {
    let room = || room(&["headset", "box"], &["left"]);
    let mut set_up = SetUp::again(room(), last_time());
    let begun = keys(&set_up.begin());
    assert_eq!(begun.first(), Some(&PhraseKey::SetUpBegins));
    assert_eq!(begun.last(), Some(&PhraseKey::SetUpAsLastTime));
    assert!(begun.contains(&PhraseKey::SetUpYouPlay) && begun.len() <= 6);
    assert_eq!(set_up.place().loudspeaker, Some("headset"));
    // A player who asks again hears all of it.
    let full = keys(&set_up.hear(Reply::Repeat, None));
    assert!(full.contains(&PhraseKey::SetUpNotCertified), "{full:?}");
    assert_eq!(full.last(), Some(&PhraseKey::SetUpAsLastTime));
    assert!(set_up.hear(Reply::Yes, None).is_done);
    assert_eq!(set_up.answers(), &last_time());
    // He may not have asked for it, but a rated game needs its arbiter's approval.
    let rated = Answers {
        terms: rated(),
        arbiter: true,
        ..last_time()
    };
    let mut set_up = SetUp::again(room(), rated);
    assert_eq!(
        asked(&mut set_up),
        [Question::Approval, Question::Summary],
        "only the arbiter is asked"
    );
}

#[test]
fn a_device_that_is_missing_is_asked_for_and_nothing_else() {
    let asked_in = |loudspeakers: &[&str], microphones: &[&str]| {
        let mut set_up = SetUp::again(room(loudspeakers, microphones), last_time());
        let asked = asked(&mut set_up);
        (asked, set_up.answers().clone())
    };
    let (asked, answers) = asked_in(&["box"], &["left"]);
    let devices = [
        Question::Ear(Whose::Own),
        Question::Microphone(Whose::Own),
        Question::OthersMicrophone,
        Question::Summary,
    ];
    assert_eq!(asked, devices);
    assert_eq!(
        (answers.ears.own.as_deref(), answers.ears.table),
        (Some("box"), None)
    );
    // The table's loudspeaker is gone, and another microphone is present.
    assert!(asked_in(&["headset", "new"], &["left"]).0.len() > 3);
    assert!(asked_in(&["headset", "box"], &["right"]).0.len() > 3);
    // If nothing can be heard, nothing about sound is asked, and the answers are kept for the next
    // room.
    let (asked, answers) = asked_in(&[], &[]);
    assert_eq!(asked, [Question::Summary]);
    assert_eq!(answers, last_time());
    let nothing = SetUp::again(room(&[], &[]), last_time());
    assert_eq!(nothing.place().loudspeaker, None);
    assert_eq!(nothing.place().microphone, None);
}

#[test]
fn who_says_no_to_the_last_question_names_what_is_to_be_different() {
    let mut set_up = SetUp::again(room(&["headset", "box"], &["left"]), last_time());
    let list = keys(&set_up.hear(Reply::No, None));
    assert_eq!(list.first(), Some(&PhraseKey::SetUpWhatElse));
    assert_eq!(list.last(), Some(&PhraseKey::WelcomeAsks));
    // "Nein" offers the next; "ja" takes it.
    let second = set_up.hear(Reply::No, None);
    assert_eq!(
        keys(&second),
        [PhraseKey::WelcomeChoice, PhraseKey::SetUpIsItRight]
    );
    set_up.hear(Reply::Yes, None);
    assert_eq!(set_up.question(), Question::Time);
    // From the first question of a topic back to the topics, and from these to the last question.
    set_up.hear(Reply::Back, None);
    assert_eq!(set_up.question(), Question::Topic);
    set_up.hear(Reply::Back, None);
    assert_eq!(set_up.question(), Question::Summary);
    set_up.hear(Reply::No, None);
    set_up.hear(Reply::Number(2), None);
    let after = set_up.hear(Reply::Text("5m+3s".to_owned()), None);
    assert_eq!(set_up.question(), Question::Summary);
    assert!(keys(&after).contains(&PhraseKey::TimeIs), "{after:?}");
    assert_eq!(keys(&after).last(), Some(&PhraseKey::SetUpAllRight));
    set_up.hear(Reply::No, None);
    set_up.hear(Reply::Next, None);
    assert!(set_up.hear(Reply::Yes, None).is_done);
    assert_eq!(set_up.answers().terms.time_control, "5m+3s".parse().ok());
}

#[test]
fn a_loudspeaker_nobody_hears_gives_way_to_the_next() {
    let mut set_up = full();
    assert_eq!(set_up.place().loudspeaker, Some("headset"));
    set_up.hear(Reply::Nothing, None);
    assert_eq!(set_up.place().loudspeaker, Some("box"));
    set_up.hear(Reply::No, None);
    assert_eq!(set_up.place().loudspeaker, Some("second"));
    set_up.hear(Reply::Nothing, None);
    assert_eq!(set_up.place().loudspeaker, Some("headset"));
    set_up.hear(Reply::Number(2), None);
    set_up.hear(Reply::Yes, None);
    assert_eq!(set_up.answers().ears.own.as_deref(), Some("box"));
    assert_eq!(set_up.question(), Question::Microphone(Whose::Own));
}

#[test]
fn no_offers_the_next_and_a_number_takes_it() {
    let mut set_up = full();
    up_to(&mut set_up, Question::Edition);
    let step = set_up.hear(Reply::No, None);
    assert_eq!(
        keys(&step),
        [PhraseKey::SetUpRules, PhraseKey::SetUpIsItRight]
    );
    set_up.hear(Reply::Yes, None);
    assert_eq!(set_up.answers().terms.edition, Edition::E2018);
    set_up.hear(Reply::Back, None);
    set_up.hear(Reply::Number(6), None);
    assert_eq!(set_up.answers().terms.edition, Edition::E2001);
    assert_eq!(set_up.question(), Question::Mode);
    let wrong = set_up.hear(Reply::Number(99), None);
    assert_eq!(wrong.says[0].key, PhraseKey::SayAgain);
}

#[test]
fn of_two_possibilities_no_takes_the_other_and_says_it() {
    let mut set_up = full();
    up_to(&mut set_up, Question::Colour);
    let step = set_up.hear(Reply::No, None);
    assert_eq!(
        step.says[0],
        Phrase::new(PhraseKey::SetUpYouPlay, [Argument::Side(Color::Black)])
    );
    assert_eq!(set_up.answers().own_side, Color::Black);
    assert_eq!(set_up.question(), Question::Private);
}

#[test]
fn what_can_be_typed_is_read() {
    let mut set_up = full();
    for (question, text) in [
        (Question::Edition, "2014"),
        (Question::Time, "25m+10s"),
        (Question::Name(Whose::Own), "Anna"),
        (Question::Name(Whose::Other), "Bo"),
    ] {
        up_to(&mut set_up, question);
        set_up.hear(Reply::Text(text.to_owned()), None);
        assert_ne!(set_up.question(), question, "{text}");
    }
    let answers = set_up.answers();
    assert_eq!(answers.terms.edition, Edition::E2014);
    assert_eq!(answers.terms.time_control, "25m+10s".parse().ok());
    assert_eq!(
        (answers.names.own.as_str(), answers.names.other.as_str()),
        ("Anna", "Bo")
    );
    let mut set_up = full();
    up_to(&mut set_up, Question::Time);
    let step = set_up.hear(Reply::Text("a while".to_owned()), None);
    assert_eq!(step.says[0].key, PhraseKey::SayAgain);
    assert_eq!(set_up.question(), Question::Time);
    // A year is a number too, although there are fewer possibilities.
    up_to(&mut set_up, Question::Edition);
    set_up.hear(Reply::Number(2009), None);
    assert_eq!(set_up.answers().terms.edition, Edition::E2009);
}

#[test]
fn a_microphone_is_tested_by_what_comes_out_of_it() {
    let mut set_up = full();
    let microphone = Question::Microphone(Whose::Own);
    up_to(&mut set_up, microphone);
    let soft = set_up.hear(Reply::Yes, Some(Level::Soft));
    assert_eq!(soft.says[0].key, PhraseKey::SetUpTooSoft);
    assert_eq!(set_up.question(), microphone);
    let unclear = set_up.hear(Reply::Unclear, Some(Level::Good));
    assert_eq!(unclear.says[0].key, PhraseKey::SayAgain);
    // The third time it is accepted.
    set_up.hear(Reply::Yes, Some(Level::Soft));
    assert_eq!(set_up.answers().own_microphone.as_deref(), Some("left"));

    let mut set_up = full();
    up_to(&mut set_up, microphone);
    let silent = set_up.hear(Reply::Nothing, None);
    assert_eq!(silent.says[0].key, PhraseKey::SetUpNothingHeard);
    assert_eq!(set_up.place().microphone, Some("right"));
    let none = set_up.hear(Reply::Nothing, None);
    assert!(keys(&none).contains(&PhraseKey::SetUpNoMicrophone));
    assert_eq!(set_up.answers().own_microphone, None);
    assert_eq!(set_up.question(), Question::Colour);
}

#[test]
fn one_loudspeaker_is_shared_and_says_so() {
    let mut set_up = SetUp::new(room(&["box"], &["left"]), Answers::default());
    let step = set_up.hear(Reply::Yes, None);
    assert_eq!(step.says[0].key, PhraseKey::EarIsShared);
    assert!(set_up.answers().ears.is_shared());
    up_to(&mut set_up, Question::Summary);
    let summary = set_up.hear(Reply::Repeat, None);
    assert!(keys(&summary).contains(&PhraseKey::EarIsShared));

    let mut set_up = full();
    up_to(&mut set_up, Question::Private);
    let step = set_up.hear(Reply::No, None);
    assert_eq!(step.says[0].key, PhraseKey::SetUpNotPrivate);
    assert!(set_up.answers().ears.is_shared());
    assert_ne!(set_up.question(), Question::Table);
}

#[test]
fn a_private_loudspeaker_is_believed_until_the_table_has_the_same() {
    let mut set_up = full();
    up_to(&mut set_up, Question::Private);
    let step = set_up.hear(Reply::Yes, None);
    assert_eq!(set_up.question(), Question::Table);
    assert!(!keys(&step).contains(&PhraseKey::EarIsShared), "{step:?}");
    let own = set_up.answers().ears.own.clone();
    while set_up.place().loudspeaker != own.as_deref() {
        set_up.hear(Reply::No, None);
    }
    let step = set_up.hear(Reply::Yes, None);
    assert!(keys(&step).contains(&PhraseKey::EarIsShared), "{step:?}");
}

#[test]
fn to_go_on_is_not_to_agree_to_be_recorded() {
    for reply in [Reply::Next, Reply::No] {
        let mut set_up = full();
        up_to(&mut set_up, Question::Consent(Whose::Own));
        set_up.hear(reply, None);
        assert!(!set_up.answers().consents.own);
    }
}

#[test]
fn the_opponent_agrees_for_himself_where_both_hear_it() {
    let mut set_up = full();
    up_to(&mut set_up, Question::OthersMicrophone);
    set_up.hear(Reply::Number(3), None);
    up_to(&mut set_up, Question::Microphone(Whose::Other));
    assert_eq!(set_up.place().microphone, Some("right"));
    up_to(&mut set_up, Question::Consent(Whose::Other));
    assert_eq!(set_up.place().loudspeaker, Some("box"));
    assert_eq!(set_up.place().microphone, Some("right"));
    set_up.hear(Reply::Yes, None);
    assert!(set_up.answers().consents.other);
}

#[test]
fn only_a_name_that_is_typed_approves() {
    let mut set_up = full();
    up_to(&mut set_up, Question::Mode);
    set_up.hear(Reply::Number(1), None);
    up_to(&mut set_up, Question::Approval);
    assert_eq!(set_up.place().loudspeaker, Some("box"));
    let step = set_up.hear(Reply::Text("4711 Anna".to_owned()), None);
    assert_eq!(step.says[0].key, PhraseKey::SayAgain);
    let spoken = set_up.clone().hear(Reply::Yes, Some(Level::Good));
    assert_eq!(spoken.says[0].key, PhraseKey::SetUpApproveLater);
    let step = set_up.hear(Reply::Text("Anna Schmidt".to_owned()), None);
    assert_eq!(step.says[0].key, PhraseKey::DeviceApproved);
    let approval = set_up.answers().approval.clone().unwrap();
    assert_eq!(approval.by, "Anna Schmidt");
    assert_eq!(set_up.answers().terms.mode, Mode::Rated);
}

#[test]
fn both_blind_have_two_ears_and_two_microphones() {
    let mut set_up = full();
    up_to(&mut set_up, Question::Disabled);
    set_up.hear(Reply::No, None);
    set_up.hear(Reply::Yes, None);
    up_to(&mut set_up, Question::Ear(Whose::Other));
    assert_ne!(set_up.place().loudspeaker, Some("headset"));
    set_up.hear(Reply::No, None);
    assert_eq!(set_up.place().loudspeaker, Some("second"));
    set_up.hear(Reply::Yes, None);
    set_up.hear(Reply::Number(3), None);
    set_up.hear(Reply::Yes, Some(Level::Good));
    let answers = set_up.answers();
    assert_eq!(answers.ears.other.as_deref(), Some("second"));
    assert_eq!(
        answers.others_microphone,
        OthersMicrophone::Own("right".into())
    );
}

/// Boards, their clock and the system's voice are offered if they are found.
#[test]
fn boards_clock_and_voice_are_asked_for() {
    let mut set_up = full();
    up_to(&mut set_up, Question::Voice);
    set_up.hear(Reply::No, None);
    assert!(set_up.place().voice.is_system);
    set_up.hear(Reply::Yes, None);
    assert_eq!(set_up.question(), Question::Pitch);
    set_up.hear(Reply::No, None);
    assert_eq!(set_up.place().voice.pitch_percent, 125);
    set_up.hear(Reply::Yes, None);
    set_up.hear(Reply::Text("60 %".to_owned()), None);
    assert_eq!(set_up.answers().voice.loudness_percent, 60);
    up_to(&mut set_up, Question::Board(Whose::Own));
    set_up.hear(Reply::Number(3), None);
    assert_eq!(set_up.question(), Question::Orientation(Whose::Own));
    set_up.hear(Reply::No, None);
    let turned = set_up.hear(Reply::No, None);
    assert_eq!(turned.says[0].key, PhraseKey::SetUpBoardRotated);
    set_up.hear(Reply::Yes, None);
    let other = set_up.hear(Reply::Number(2), None);
    assert!(other.says.iter().any(|it| it.key == PhraseKey::SetUpBoard));
    let boards = &set_up.answers().boards;
    assert_eq!(boards.own.as_deref(), Some("/dev/ttyUSB0"));
    assert_eq!(boards.other.as_deref(), Some("/dev/ttyACM0"));
    let orientations = &set_up.answers().orientations;
    assert_eq!(orientations.own, Some(Orientation::Rotated));
    assert_eq!(orientations.other, None, "it is found out");
    up_to(&mut set_up, Question::Clock);
    let taken = set_up.hear(Reply::No, None);
    assert_eq!(taken.says[0].key, PhraseKey::SetUpChessclock);
    assert!(set_up.answers().terms.by_chessclock);
    // Without a board nobody is asked.
    let mut without = room(&[], &[]);
    without.ports.clear();
    let set_up = SetUp::new(without, Answers::default());
    assert!(!set_up.topics().contains(&Topic::Boards));
    assert!(!set_up.topics().contains(&Topic::Sound));
}

/// The configured name of a board says more than its port, and the board may not be connected now.
#[test]
fn a_board_that_was_set_is_offered_again() {
    let set = |own: &str, other: &str| {
        let answers = Answers {
            boards: Pair {
                own: Some(own.to_owned()),
                other: Some(other.to_owned()),
            },
            ..Answers::default()
        };
        let mut room = room(&[], &[]);
        room.ports = vec!["/dev/ttyACM0".to_owned(), "/dev/ttyUSB0".to_owned()];
        let mut set_up = SetUp::new(room, answers);
        for whose in Whose::BOTH {
            up_to(&mut set_up, Question::Board(whose));
            let asked = set_up.hear(Reply::Repeat, None);
            assert_ne!(asked.says[0].key, PhraseKey::SetUpNoBoard, "{own} {other}");
            set_up.hear(Reply::Yes, None);
        }
        let boards = &set_up.answers().boards;
        assert_eq!(boards.own.as_deref(), Some(own));
        assert_eq!(boards.other.as_deref(), Some(other));
    };
    set("dgt:/dev/ttyACM0", "/dev/ttyUSB0");
    set("tactum:/dev/ttyUSB0", "chesslink:/dev/ttyACM0");
    set("dgt:/dev/rfcomm0", "auto");
}

#[test]
fn the_summary_says_all_and_no_asks_what_is_to_be_different() {
    let mut set_up = full();
    up_to(&mut set_up, Question::Summary);
    let summary = set_up.hear(Reply::Repeat, None);
    for key in [
        PhraseKey::SetUpYouPlay,
        PhraseKey::SetUpRules,
        PhraseKey::TimeIs,
        PhraseKey::SetUpNotCertified,
        PhraseKey::SetUpNotRecorded,
        PhraseKey::SetUpOneMicrophone,
    ] {
        assert!(keys(&summary).contains(&key), "{key:?}");
    }
    set_up.hear(Reply::No, None);
    assert_eq!(set_up.question(), Question::Topic);
}

#[test]
fn stop_is_silent_and_leaves_the_question_open() {
    let mut set_up = full();
    let step = set_up.hear(Reply::Stop, None);
    assert!(step.hushes && step.says.is_empty());
    assert_eq!(set_up.question(), Question::Ear(Whose::Own));
}

#[test]
fn without_any_device_everything_is_typed() {
    let mut set_up = SetUp::new(Room::default(), Answers::default());
    assert_eq!(set_up.question(), Question::Colour);
    up_to(&mut set_up, Question::Summary);
    assert!(set_up.hear(Reply::Next, None).is_done);
}

#[test]
fn any_replies_in_any_order_are_taken() {
    let replies = [
        Reply::Yes,
        Reply::No,
        Reply::Number(0),
        Reply::Number(3),
        Reply::Next,
        Reply::Back,
        Reply::Repeat,
        Reply::Stop,
        Reply::Help,
        Reply::Text("x".to_owned()),
        Reply::Unclear,
        Reply::Nothing,
    ];
    let levels = [
        None,
        Some(Level::Good),
        Some(Level::Soft),
        Some(Level::Noisy),
    ];
    let mut seed = 7_u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    for _ in 0..200 {
        let devices = ["a", "b", "c"];
        let (out, into) = (random(4), random(4));
        let room = room(&devices[..out], &devices[..into]);
        let mut set_up = match random(2) {
            0 => SetUp::new(room, Answers::default()),
            _ => SetUp::again(room, Answers::default()),
        };
        for _ in 0..120 {
            let step = set_up.hear(replies[random(12)].clone(), levels[random(4)]);
            let place = set_up.place();
            assert!(place.loudspeaker.is_none_or(|it| devices.contains(&it)));
            assert!(step.says.len() < 30);
        }
    }
}
