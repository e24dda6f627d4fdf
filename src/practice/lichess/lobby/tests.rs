//! The waiting, with and without faults.

use std::time::Duration;

use super::*;

fn meeting(friend: Option<&str>, seeks: bool) -> Lobby {
    let mut lobby = Lobby::new(Meeting {
        friend: friend.map(str::to_owned),
        seeks,
        time: "15m+10s".parse().unwrap(),
        colour: None,
        key_file: None,
    });
    let account = Answer::Done(r#"{"id":"anna","username":"Anna"}"#.to_owned());
    let actions = lobby.ended(Asked::Account, account);
    assert_eq!(actions.last(), Some(&LobbyAction::Listen));
    lobby
}

fn challenge(id: &str, by: &str) -> Event {
    Event::Challenge(Challenge {
        id: id.to_owned(),
        by: by.to_owned(),
        name: by.to_owned(),
        is_playable: true,
        is_rated: false,
        clock: Some((Duration::from_secs(600), Duration::ZERO)),
    })
}

/// Returns the keys of what is said. Other orders are ignored.
fn said(actions: &[LobbyAction]) -> Vec<PhraseKey> {
    let keys = actions.iter().filter_map(|action| match action {
        LobbyAction::Say(phrase) => Some(phrase.key),
        _ => None,
    });
    keys.collect()
}

#[test]
fn it_is_searched_only_once_it_is_listened() {
    let mut lobby = meeting(None, true);
    let actions = lobby.on_stream_open();
    assert_eq!(said(&actions), [PhraseKey::LobbySeeks]);
    let Some(LobbyAction::Search(Request::Seek(form))) = actions.last() else {
        panic!("{actions:?}");
    };
    for pair in [("rated", "false"), ("time", "15"), ("increment", "10")] {
        assert!(form.contains(&(pair.0, pair.1.to_owned())), "{form:?}");
    }
    // A lost event stream that returns begins no second search.
    lobby.ended(Asked::Events, Answer::Lost);
    let again = lobby.on_stream_open();
    assert_eq!(said(&again), [PhraseKey::ServerBack, PhraseKey::LobbySeeks]);
    assert!(
        !again
            .iter()
            .any(|action| matches!(action, LobbyAction::Search(_))),
        "{again:?}"
    );
}

#[test]
fn nobody_found_is_told_and_yes_searches_again() {
    let mut lobby = meeting(None, true);
    lobby.on_stream_open();
    let ended = lobby.ended(Asked::Search, Answer::Done(String::new()));
    assert_eq!(
        ended,
        [LobbyAction::Again(Asked::Search, Some(STILL_BEGINS))]
    );
    assert_eq!(said(&lobby.on_wait_over()), [PhraseKey::LobbyNobody]);
    let again = lobby.answered(&Reply::Yes);
    assert!(
        matches!(again.last(), Some(LobbyAction::Search(_))),
        "{again:?}"
    );
    // After "busy" or a loss it searches again by itself, as soon as it may.
    lobby.ended(Asked::Search, Answer::Busy(None));
    assert!(matches!(
        lobby.on_wait_over().last(),
        Some(LobbyAction::Search(_))
    ));
    let lost = lobby.ended(Asked::Search, Answer::Lost);
    assert_eq!(lost, [LobbyAction::Again(Asked::Search, None)]);
    let refused = lobby.ended(Asked::Search, Answer::Refused("why".to_owned()));
    assert_eq!(said(&refused), [PhraseKey::LobbyRefused]);
}

#[test]
fn challenges_are_asked_one_after_the_other() {
    let mut lobby = meeting(None, false);
    assert_eq!(said(&lobby.on_stream_open()), [PhraseKey::LobbyWaits]);
    assert_eq!(lobby.on_event(challenge("own00001", "anna")), []);
    assert_eq!(
        said(&lobby.on_event(challenge("bert0001", "bert"))),
        [PhraseKey::LobbyAsks]
    );
    assert_eq!(lobby.on_event(challenge("bert0001", "bert")), []);
    assert_eq!(lobby.on_event(challenge("carl0001", "carl")), []);
    assert_eq!(
        said(&lobby.answered(&Reply::Number(3))),
        [PhraseKey::LobbyAsks]
    );
    let declined = lobby.answered(&Reply::No);
    assert_eq!(
        declined[0],
        LobbyAction::Ask(Request::DeclineChallenge("bert0001".to_owned()))
    );
    assert_eq!(said(&declined), [PhraseKey::LobbyAsks]);
    let withdrawn = lobby.on_event(Event::Withdrawn("carl0001".to_owned()));
    assert_eq!(
        said(&withdrawn),
        [PhraseKey::LobbyWithdrawn, PhraseKey::LobbyWaits]
    );
    assert_eq!(lobby.answered(&Reply::No), [LobbyAction::Leave(None)]);
    assert_eq!(lobby.on_event(challenge("late0001", "late")), []);
}

#[test]
fn nobody_is_accepted_before_it_was_asked() {
    let mut lobby = meeting(None, false);
    lobby.on_stream_open();
    lobby.on_event(challenge("bert0001", "bert"));
    lobby.on_event(challenge("carl0001", "carl"));
    let accepted = lobby.answered(&Reply::Yes);
    let accepts = LobbyAction::Ask(Request::AcceptChallenge("bert0001".to_owned()));
    assert_eq!(accepted.last(), Some(&accepts));
    // He says it twice.
    let again = lobby.answered(&Reply::Yes);
    assert_eq!(
        (said(&again), again.len()),
        (vec![PhraseKey::LobbyAccepted], 1)
    );
    let refused = lobby.ended(Asked::Another, Answer::Refused("why".to_owned()));
    assert_eq!(
        said(&refused),
        [PhraseKey::ServerRefuses, PhraseKey::LobbyAsks]
    );
    let accepts = LobbyAction::Ask(Request::AcceptChallenge("carl0001".to_owned()));
    assert_eq!(lobby.answered(&Reply::Yes).last(), Some(&accepts));
    assert_eq!(lobby.answered(&Reply::No), [LobbyAction::Leave(None)]);
}

#[test]
fn what_was_asked_is_asked_again_when_the_server_is_back() {
    let mut lobby = meeting(None, false);
    lobby.on_stream_open();
    lobby.on_event(challenge("bert0001", "bert"));
    lobby.ended(Asked::Events, Answer::Lost);
    let back = [PhraseKey::ServerBack, PhraseKey::LobbyAsks];
    assert_eq!(said(&lobby.on_stream_open()), back);
}

#[test]
fn what_is_no_account_is_no_server() {
    let mut lobby = Lobby::new(meeting(None, false).meeting);
    for body in ["{}", r#"{"id":7,"username":["Anna"]}"#] {
        let answer = Answer::Done(body.to_owned());
        assert_eq!(
            lobby.ended(Asked::Account, answer),
            [LobbyAction::Again(Asked::Account, None)]
        );
    }
}

#[test]
fn a_friend_declines_or_does_not_exist() {
    let mut lobby = meeting(Some("bert"), false);
    assert_eq!(said(&lobby.on_stream_open()), [PhraseKey::LobbyChallenges]);
    // What the player himself has declined is told too.
    assert_eq!(lobby.on_event(Event::Declined("anna".to_owned())), []);
    let declined = lobby.on_event(Event::Declined("Bert".to_owned()));
    assert_eq!(said(&declined), [PhraseKey::LobbyDeclines]);
    assert_eq!(
        lobby
            .ended(Asked::Search, Answer::Done(String::new()))
            .len(),
        1
    );
    let absent = lobby.ended(Asked::Search, Answer::Unknown);
    assert_eq!(absent, [LobbyAction::Leave(Some(Fail::NoSuchPlayer))]);
}

#[test]
fn a_server_that_does_not_answer_is_asked_again_and_one_that_is_busy_later() {
    let mut lobby = meeting(None, false);
    for asked in [Asked::Account, Asked::Events] {
        assert_eq!(
            lobby.ended(asked, Answer::Lost),
            [LobbyAction::Again(asked, None)]
        );
        let busy = lobby.ended(asked, Answer::Busy(Some(90)));
        assert_eq!(said(&busy), [PhraseKey::ServerBusy]);
        assert_eq!(busy.last(), Some(&LobbyAction::Again(asked, Some(90))));
    }
    let shut_out = lobby.ended(Asked::Events, Answer::NotLetIn);
    assert_eq!(shut_out, [LobbyAction::Leave(Some(Fail::NotLetIn))]);
}

#[test]
fn times_are_written_as_they_are_said() {
    for (time, bonus, written) in [(600, 5, "10m+5s"), (1800, 0, "30m"), (90, 0, "90s")] {
        assert_eq!(control(time, bonus), written.parse().ok(), "{written}");
    }
    assert_eq!(control(0, 5), None);
}
