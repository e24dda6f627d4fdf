"""Makes the sets that the model is judged on: for development, for tests, and an hour of talk.

The hour is by the voices of the test set and a fifth of it noise and music; false takes are counted
in it, and nothing is chosen by it. Each set is a folder of FLAC files with a MANIFEST.tsv: file,
text, speaker, kind. Kinds:
  long    a long-form move by a synthetic voice
  form    any other announcement or command by a synthetic voice
  diphone a long-form move by a Festival voice (a person's diphones, foreign accent)
  flite   a long-form move by a Flite voice, made of sentences that a person read
  digit   a rank word by a person who was not trained on
  stitched a long-form move whose ranks are a person's and whose other words are synthetic
  foreign a person's word or sentence that is not in the vocabulary
  talk    a synthetic sentence that is no announcement
  noise   no speech at all
A noisy copy of the long forms has the noise behind its kind, such as long+babble20.
"""

import io
import multiprocessing
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import fftconvolve, resample_poly

from . import augment, config, diphones, espeak, flite, people, phones, texts
from .grammar import Strict
from .language import people as known
from .language import texts as sentences
from .lexicon import Lexicon

LONG_PER_VOICE = {"dev": 60, "test": 60}
FORMS_PER_VOICE = 30
TALK_PER_VOICE = 25
DIPHONES_PER_VOICE = 80
FLITE_PER_VOICE = 200
STITCHED_PER_VOICE = 40
NOISES = 60
NOISY_PER_VOICE = 25
STRANGERS = 6
"""Random voices for development, drawn with another seed than the training ones."""
TALK_SECONDS = 3600
RATES = (125, 145, 165, 190)
MELODIES = 15
STRANGER = Path("/usr/share/ktuberling/sounds") / config.LANGUAGE
"""Words of one more person, none of them ours (Debian's ktuberling-data), if installed."""


class SetMaker:
    """Collects one set."""

    def __init__(self, name, folder):
        self.name, self.folder = name, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.random = random.Random(f"{name} set")
        self.numbers = np.random.default_rng(self.random.getrandbits(64))
        self.lexicon = Lexicon.read()
        self.announcements = texts.Announcements(self.lexicon)
        self.grammar = Strict(self.lexicon).build()
        self.rows = []
        voices_folder = self.folder / ".voices"
        strangers = espeak.make_variants(voices_folder, STRANGERS, random.Random("strangers"))
        self.espeak = espeak.Espeak(voices_folder)
        self.voices = (
            [*config.DEV_VOICES, *strangers] if name == "dev" else list(config.TEST_VOICES)
        )

    def add(self, wave, text, speaker, kind):
        """Store one sound."""
        file = f"{kind}-{len(self.rows):05d}.flac"
        wave = np.clip(np.round(wave), -32768, 32767).astype(np.int16)
        soundfile.write(self.folder / file, wave, config.SAMPLE_RATE)
        self.rows.append((file, text, speaker, kind))

    def _padded(self, wave):
        """As a recording starts and ends: a little of a quiet room."""
        before, after = (int(self.random.uniform(0.1, 0.6) * config.SAMPLE_RATE) for _ in "ab")
        wave = np.concatenate([np.zeros(before), wave * 0.6, np.zeros(after)])
        return wave + self.numbers.standard_normal(len(wave)) * 3

    def _say(self, text, voice):
        told_by = espeak.any_voice(self.random)
        rate = self.random.choice(RATES)
        wave, _, _ = self.espeak.say(text, voice, rate=rate, voice=told_by)
        return self._padded(wave.astype(np.float64))

    def synthetic(self):
        """Moves, commands and talk by held-out voices; noisy copies of some moves."""
        talk = sentences.DEV_TEXTS if self.name == "dev" else sentences.TEST_TEXTS
        for voice in self.voices:
            clean = []
            for _ in range(LONG_PER_VOICE[self.name]):
                words = self.announcements.long_move(self.random)
                text = " ".join(texts.SPELLINGS.get(word, [word])[0] for word in words)
                clean.append((self._say(text, voice), " ".join(words)))
                self.add(*clean[-1], voice, "long")
            for _ in range(FORMS_PER_VOICE):
                words = self._other_form()
                text = " ".join(texts.SPELLINGS.get(word, [word])[0] for word in words)
                self.add(self._say(text, voice), " ".join(words), voice, "form")
            for text in talk:
                self.add(self._say(text, voice), text, voice, "talk")
            for _ in range(TALK_PER_VOICE):
                text = texts.talk(self.random, self.announcements)
                self.add(self._say(text, voice), text, voice, "talk")
            self._noisy(clean[:NOISY_PER_VOICE], voice)

    def _other_form(self):
        if self.random.random() < 0.3:
            return self.random.choice(self.lexicon.phrases).split()
        while True:
            words = self.announcements.move(self.random, letters=0.0)
            if self.grammar.cost_of(words) is not None:
                return words

    def _noisy(self, clean, voice):
        others = [wave for wave, _ in clean]
        for wave, text in clean:
            hiss = self.numbers.standard_normal(len(wave))
            self.add(mixed(wave, hiss, 10), text, voice, "long+white10")
            decay_s = self.random.uniform(0.4, 0.7)
            time = np.arange(int(decay_s * config.SAMPLE_RATE)) / config.SAMPLE_RATE
            echo = self.numbers.standard_normal(len(time)) * np.exp(-6.9 * time / decay_s)
            hall = fftconvolve(wave, echo)[: len(wave)]
            self.add(mixed(wave, hall, 5), text, voice, "long+hall5")
            babble = sum(
                np.roll(
                    np.resize(self.random.choice(others), len(wave)), self.random.randrange(9999)
                )
                for _ in range(4)
            )
            self.add(mixed(wave, babble, 20), text, voice, "long+babble20")
            self.add(mixed(wave, babble, 10), text, voice, "long+babble10")

    def diphones(self):
        """Long-form moves by people's diphones; words that the voice cannot say are not drawn."""
        names = diphones.DEV_VOICES if self.name == "dev" else diphones.TEST_VOICES
        for name in names:
            voice, orders, said = diphones.VOICES[name], [], []
            while len(orders) < DIPHONES_PER_VOICE:
                words = self.announcements.long_move(self.random)
                text = " ".join(texts.SPELLINGS.get(word, [word])[0] for word in words)
                told_by = voice.pronounced_by or espeak.any_voice(self.random)
                rate = self.random.choice(RATES)
                _, events, length = self.espeak.say(text, "", rate=rate, voice=told_by)
                spans = phones.from_espeak(events, length, told_by)
                if diphones.can_say(voice, spans):
                    orders.append(diphones.order(voice, spans, self.random))
                    said.append(" ".join(words))
            for wave, text in zip(diphones.speak(orders), said):
                if wave is not None:
                    self.add(self._padded(wave.astype(np.float64)), text, name, "diphone")

    def flite(self):
        """Long-form moves by voices that are made of people's sentences."""
        for name in flite.DEV_VOICES if self.name == "dev" else flite.TEST_VOICES:
            for _ in range(FLITE_PER_VOICE):
                words = self.announcements.long_move(self.random)
                text = " ".join(texts.SPELLINGS.get(word, [word])[0] for word in words)
                wave, _ = flite.say(text, name, self.random)
                self.add(self._padded(wave.astype(np.float64)), " ".join(words), name, "flite")

    def people(self):
        """People who were not trained on: their words alone, and their ranks inside moves."""
        ranks = set(self.announcements.ranks)
        held_out = people.is_dev if self.name == "dev" else people.is_test
        by_rank = {}
        for row in people.manifest():
            text, speaker = row["text"], row["speaker"]
            if not text or speaker in known.DOUBTFUL_SPEAKERS or not held_out(row):
                continue
            wave, _ = soundfile.read(config.SPEECH / row["file"], dtype="int16")
            kind = "digit" if text in ranks else "foreign"
            if kind == "digit":
                by_rank.setdefault((speaker, text), []).append(people.trim(wave))
            self.add(self._padded(wave.astype(np.float64)), text, speaker, kind)
        for person in sorted({speaker for speaker, _ in by_rank}):
            if any((person, rank) not in by_rank for rank in ranks):
                continue
            for voice in self.voices:
                for _ in range(STITCHED_PER_VOICE // len({p for p, _ in by_rank})):
                    self._stitch(person, voice, by_rank)

    def _stitch(self, person, voice, by_rank):
        words = self.announcements.long_move(self.random)
        words = [self._usual(word) for word in words]  # nobody recorded zwo
        wave, synthetic, told_by = [], [], espeak.any_voice(self.random)
        for word in words:
            if word not in self.announcements.ranks:
                synthetic.append(texts.SPELLINGS.get(word, [word])[0])
                continue
            rate = self.random.choice(RATES)
            spoken, _, _ = self.espeak.say(" ".join(synthetic), voice, rate=rate, voice=told_by)
            digit = self.random.choice(by_rank[person, word])
            wave += [_loud(people.trim(spoken)), _loud(digit)]
            synthetic = []
        self.add(self._padded(np.concatenate(wave)), " ".join(words), f"{person}", "stitched")

    def _usual(self, word):
        known = self.lexicon.words
        if word not in self.lexicon.second_ranks():
            return word
        return next(r for r in self.announcements.ranks if known[r].value == known[word].value)

    def noise(self):
        """Clicks, breath, hum, hiss, thumps and music."""
        for _ in range(NOISES):
            length = int(self.random.uniform(1, 4) * config.SAMPLE_RATE)
            wave = augment.event(self.numbers, length) + augment.event(self.numbers, length)
            self.add(wave + self.numbers.standard_normal(length) * 3, "", "noise", "noise")
        for _ in range(MELODIES):
            self.add(self._padded(self._melody()), "", "music", "noise")

    def talk_for(self, seconds):
        """Talk and noise by turns until there is so much of it."""
        while seconds > 0:
            voice = self.random.choice(self.voices)
            text = texts.talk(self.random, self.announcements)
            wave = self._say(text, voice)
            if self.random.random() < 0.2:
                length = len(wave)
                wave = augment.event(self.numbers, length) + augment.music(self.numbers, length)
                text, voice = "", "noise"
            self.add(wave, text, voice, "talk" if text else "noise")
            seconds -= len(wave) / config.SAMPLE_RATE

    def _melody(self):
        notes = []
        for _ in range(self.random.randint(4, 14)):
            length = int(self.random.choice([0.15, 0.3, 0.6]) * config.SAMPLE_RATE)
            time = np.arange(length) / config.SAMPLE_RATE
            note = np.zeros(length)
            for _ in range(self.random.choice([1, 1, 3])):
                pitch = 110 * 2 ** (self.random.randint(0, 36) / 12)
                for harmonic in range(1, 8):
                    loud = self.random.uniform(0.2, 1) / harmonic
                    note += loud * np.sin(2 * np.pi * pitch * harmonic * time)
            notes.append(note * np.exp(-time * self.random.uniform(1, 8)))
        wave = np.concatenate(notes)
        return wave / np.abs(wave).max() * self.random.uniform(2000, 20000)

    def other_languages(self):
        """Talk in other languages, half of it in each set."""
        for language, said in texts.OTHER_LANGUAGES.items():
            text = said[self.name == "test"]
            for pitch in (35, 70):
                sound = subprocess.run(
                    ["espeak-ng", "-v", language, "-p", str(pitch), "--stdout", text],
                    check=True,
                    capture_output=True,
                )
                wave, rate = soundfile.read(io.BytesIO(sound.stdout), dtype="float32")
                wave = resample_poly(wave, config.SAMPLE_RATE, rate) * 20000
                self.add(self._padded(wave), text, f"espeak-{language}", "talk")

    def stranger(self):
        """One more person's words, none of which is ours."""
        for file in sorted([*STRANGER.glob("*.ogg"), *STRANGER.glob("*.wav")]):
            wave, rate = soundfile.read(file, dtype="float32")
            wave = wave.mean(axis=1) if wave.ndim > 1 else wave
            wave = resample_poly(wave, config.SAMPLE_RATE, rate) * 30000
            self.add(self._padded(wave), file.stem, "ktuberling", "foreign")

    def finish(self):
        """Write the manifest."""
        lines = ["file\ttext\tspeaker\tkind\n"]
        lines += ["\t".join(row) + "\n" for row in self.rows]
        (self.folder / people.MANIFEST).write_text("".join(lines), encoding="utf-8")


def _loud(wave):
    """At a common level."""
    wave = wave.astype(np.float64)
    return wave * (12000 / (np.abs(wave).max() + 1))


def mixed(wave, noise, ratio_db):
    """Noise added so that speech is `ratio_db` louder."""
    power = np.mean(np.square(wave[np.abs(wave) > np.abs(wave).max() * 0.02]))
    noise = noise * np.sqrt(power / (np.mean(np.square(noise)) + 1e-9) / 10 ** (ratio_db / 10))
    return wave + noise


def make(name, folder):
    """Make one set."""
    maker = SetMaker(name, folder)
    if name == "talk":
        maker.talk_for(TALK_SECONDS)
        maker.finish()
        print(f"{name}: {len(maker.rows)} sounds in {folder}")
        return
    maker.synthetic()
    maker.diphones()
    maker.flite()
    maker.people()
    maker.noise()
    maker.other_languages()
    if name == "test":
        maker.stranger()
    maker.finish()
    print(f"{name}: {len(maker.rows)} sounds in {folder}")


def run():
    """Stage "eval_sets"."""
    main(config.WORK / "eval")


def main(folder):
    """Make the sets under `folder`."""
    for name in ("dev", "test", "talk"):
        # A process each: espeak-ng hangs when it is started twice in one.
        process = multiprocessing.Process(target=make, args=(name, Path(folder) / name))
        process.start()
        process.join()
        if process.exitcode:
            sys.exit(f"{name}: failed")


if __name__ == "__main__":
    main(sys.argv[1])
