//! The envelope of an adjourned game on the disk: the sealer's words are encrypted with a
//! passphrase that only the arbiter knows (E.1.1, E.3, E.7).

use argon2::Argon2;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead as _, OsRng, rand_core::RngCore as _};
use chacha20poly1305::{AeadCore as _, ChaCha20Poly1305, Key, KeyInit as _, Nonce};

use crate::game::Effect;
use crate::journal::{Body, Locked};
use crate::notation::Announcement;
use crate::phrases::{Argument, PhraseKey};
use crate::shell::error::{Fault, Part, Reason, Remedy};

/// Shorter passphrases are refused.
pub const PASSPHRASE_MIN: usize = 8;

const SALT_BYTES: usize = 16;
const NONCE_BYTES: usize = 12;

/// Encrypts what belongs in the envelope. It holds no key before the arbiter has given his
/// passphrase, and never the passphrase itself.
#[derive(Default)]
pub struct Vault {
    key: Option<(Vec<u8>, Key)>,
}

impl Vault {
    /// Takes the arbiter's passphrase for everything encrypted from now on.
    ///
    /// # Errors
    ///
    /// If it is too short.
    pub fn take(&mut self, passphrase: &str) -> Result<(), Fault> {
        if passphrase.chars().count() < PASSPHRASE_MIN {
            return Err(Fault::new(
                Part::Passphrase,
                Reason::TooShort,
                Remedy::ChoosePassphrase,
            ));
        }
        let mut salt = vec![0; SALT_BYTES];
        OsRng.fill_bytes(&mut salt);
        let key = derive(passphrase, &salt)?;
        self.key = Some((salt, key));
        Ok(())
    }

    /// Encrypts an entry's body. `None` if the arbiter has not given his passphrase.
    pub fn lock(&self, body: &Body, utterances: u32, is_sealed: bool) -> Option<Body> {
        let (salt, key) = self.key.as_ref()?;
        let nonce = ChaCha20Poly1305::generate_nonce(&mut OsRng);
        let text = serde_json::to_vec(body).ok()?;
        let text = ChaCha20Poly1305::new(key).encrypt(&nonce, &text[..]).ok()?;
        Some(Body::Locked(Locked {
            utterances,
            is_sealed,
            seals: sealed_in(body).is_some(),
            salt: STANDARD.encode(salt),
            nonce: STANDARD.encode(nonce),
            text: STANDARD.encode(text),
        }))
    }
}

/// The move that was sealed in an encrypted step.
///
/// # Errors
///
/// The passphrase is not the one used for encrypting, or the record was damaged; these cannot be
/// distinguished.
pub fn sealed_move(locked: &Locked, passphrase: &str) -> Result<Announcement, Fault> {
    let wrong = || Fault::new(Part::Passphrase, Reason::Wrong, Remedy::Again);
    let bytes = |text: &str| STANDARD.decode(text).map_err(|_| wrong());
    let nonce = bytes(&locked.nonce)?;
    if nonce.len() != NONCE_BYTES {
        return Err(wrong());
    }
    let key = derive(passphrase, &bytes(&locked.salt)?)?;
    let text = ChaCha20Poly1305::new(&key)
        .decrypt(Nonce::from_slice(&nonce), &bytes(&locked.text)?[..])
        .map_err(|_| wrong())?;
    let body: Body = serde_json::from_slice(&text).map_err(|_| wrong())?;
    sealed_in(&body).cloned().ok_or_else(wrong)
}

/// The move that a step has put into the envelope, if any.
fn sealed_in(body: &Body) -> Option<&Announcement> {
    let Body::Step { effects, .. } = body else {
        return None;
    };
    effects.iter().find_map(|effect| match effect {
        Effect::Say { phrase, .. } if phrase.key == PhraseKey::Sealed => {
            phrase.arguments.iter().find_map(|argument| match argument {
                Argument::Move(said) => Some(said),
                _ => None,
            })
        }
        _ => None,
    })
}

fn derive(passphrase: &str, salt: &[u8]) -> Result<Key, Fault> {
    let mut key = Key::default();
    Argon2::default()
        .hash_password_into(passphrase.as_bytes(), salt, &mut key)
        .map_err(|error| {
            let fault = Fault::new(Part::Passphrase, Reason::Unusable, Remedy::ChoosePassphrase);
            fault.with(error.to_string())
        })?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Role, Square};

    use super::*;
    use crate::game::{Act, Input, Priority};
    use crate::persons::{Channel, Person};
    use crate::phrases::Phrase;

    fn sealing() -> (Announcement, Body) {
        let said = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
        let argument = Argument::Move(said.clone());
        let effect = Effect::Say {
            utterance: 3,
            channel: Channel::Ear(Color::White),
            phrase: Phrase::new(PhraseKey::Sealed, [argument]),
            priority: Priority::Next,
        };
        let input = Input::Act {
            person: Person::Player(Color::White),
            act: Act::Seal(said.clone()),
        };
        let effects = vec![effect];
        (said, Body::Step { input, effects })
    }

    #[test]
    fn only_the_passphrase_opens_what_is_locked() {
        let (said, body) = sealing();
        let mut vault = Vault::default();
        assert_eq!(vault.lock(&body, 3, true), None);
        assert!(vault.take("short").is_err());
        vault.take("a long night").unwrap();
        let Some(Body::Locked(locked)) = vault.lock(&body, 3, true) else {
            panic!("it is locked");
        };
        let text = serde_json::to_string(&locked).unwrap();
        assert!(!text.contains("knight"), "{text}");
        assert_eq!(sealed_move(&locked, "a long night"), Ok(said));
        assert!(sealed_move(&locked, "a long day").is_err());
        let mut damaged = locked.clone();
        damaged.text = STANDARD.encode([0; 40]);
        assert!(sealed_move(&damaged, "a long night").is_err());
        damaged.nonce = "?".to_owned();
        assert!(sealed_move(&damaged, "a long night").is_err());
    }

    #[test]
    fn the_same_words_are_never_locked_to_the_same_text() {
        let (_, body) = sealing();
        let mut vault = Vault::default();
        vault.take("a long night").unwrap();
        assert_ne!(vault.lock(&body, 3, true), vault.lock(&body, 3, true));
    }
}
