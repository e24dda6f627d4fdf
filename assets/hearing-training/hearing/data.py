"""Stage "data": utterances with their features and what is said in them.

A `Maker` makes them as they were spoken, the chunks hold what rooms and microphones made of them.

Work is cut into chunks with seeds of their own, so that the number of workers does not change the
result and an interrupted run goes on where it stopped.
"""

import json
import multiprocessing
import os
import random
import time
from dataclasses import dataclass

import numpy as np

from . import (
    accents,
    align,
    augment,
    config,
    diphones,
    espeak,
    features,
    flite,
    people,
    phones,
    rhvoice,
    texts,
    tract,
    units,
)
from .language import people as known
from .language import voices
from .lexicon import Lexicon
from .spoken import Graph

RANDOM_VARIANTS = 220
NAMED_VARIANTS = (
    "",
    *(
        "m1 m2 m3 m4 m5 m7 m8 f1 f2 f3 f5 klatt klatt2 klatt4 klatt6 Alex Alicia Andrea Andy "
        "Diogo Gene Hugo Jacky Lee Marco Mario Michael Denis Henrique adam anika antonio aunty "
        "benjamin boris caleb david ed edward gustave iven john marcelo max michel miguel "
        "norbert paul pedro quincy rob robert sandro shelby steph travis victor zac grandma "
        "grandpa whisper croak "
    ).split(),
)
RANDOM_VARIANT_SHARE = 0.6
ACCENT_SHARE = 0.5
LAST_ACCENT_SHARE = 0.9
CHUNK = 250
COPIES = 2
"""How often one synthesised utterance is augmented anew."""
TRACT_COPIES = 18
"""The same for those that take ten times as long to synthesise."""

SHARE = float(os.environ.get("ANNEXD_MODEL_SHARE", "1"))
"""How much of the language's data is made: a fifth is enough to try a change."""


def _shared(chunks):
    """Of every kind the wanted share, but no kind lost."""
    return {kind: max(min(1, count), round(count * SHARE)) for kind, count in chunks.items()}


CHUNKS, FIRST_CHUNKS, LAST_CHUNKS = map(
    _shared, (voices.CHUNKS, voices.FIRST_CHUNKS, voices.LAST_CHUNKS)
)
if not config.MMI_STEPS:
    CHUNKS = LAST_CHUNKS
UNIT_WORDS = (2, 6)
DIPHONE_BATCH = 50
DIPHONE_CHESS_SHARE = 0.75
FLITE_CHESS_SHARE = 0.75
FLITE_POOL_SHARE = 0.4
RHVOICE_CHESS_SHARE = 0.8
POOL_ROUNDS = 6
PAUSE_S = 0.05
"""Pauses of espeak-ng shorter than this are not demanded from the network."""
SHORTEST_FRAMES, LONGEST_FRAMES = 21, 1400
NO_PHONE = -1


@dataclass
class Said:
    """An utterance as it was spoken."""

    wave: np.ndarray
    words: list
    """Lists of pronunciations; none where nothing is said."""
    spans: list | None = None
    """When each phone is said; None where nobody knows."""
    copies: int = 1

    @property
    def graph(self):
        """What is said in it."""
        return Graph.of_words(self.words) if self.words else Graph.of_silence()


def words_of_spans(spans):
    """Phone spans of a synthetic utterance, cut into "words" at its audible pauses."""
    groups, group = [], []
    for start, end, phone in spans:
        if phone != phones.SILENCE:
            group.append(phone)
        elif end - start > PAUSE_S and group:
            groups.append([group])
            group = []
    if group:
        groups.append([group])
    return groups


def aligned(spans, factor, before, frames):
    """The phone at the middle of every frame after augmentation."""
    middles = np.arange(frames) * config.FRAME_SHIFT_S + 0.0125
    result = np.zeros(frames, np.int8)
    for start, end, phone in spans:
        inside = (middles >= start / factor + before) & (middles < end / factor + before)
        result[inside] = phones.INDEX[phone]
    return result


class Maker:
    """Makes utterances; one per worker process. Its kinds yield what was `Said`."""

    def __init__(self, chunk_seed):
        self.lexicon = Lexicon.read()
        self.announcements = texts.Announcements(self.lexicon)
        self.random_names = [f"annexd{number}" for number in range(RANDOM_VARIANTS)]
        self.espeak = espeak.Espeak(config.WORK / "voices")
        self.recordings = self.banks = self.vocal_tract = None
        self.seed(chunk_seed)

    def seed(self, seed):
        """Start a new chunk."""
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(self.random.getrandbits(64))
        self.sound = augment.Sound(self.numbers)

    def synthesise(self, text, accent_share=ACCENT_SHARE, voice=None):
        """One utterance by a random voice: (samples, phone spans), or None if unusable."""
        rng = self.random
        names = self.random_names if rng.random() < RANDOM_VARIANT_SHARE else NAMED_VARIANTS
        voice, labels = voice or espeak.any_voice(rng), None
        if rng.random() < accent_share:
            text, labels = accents.Accent(rng).say(self.espeak.phonemes(text, voice))
        wave, events, length = self.espeak.say(
            text,
            rng.choice(names),
            rate=min(260, max(95, rng.gauss(160, 30))),
            pitch=rng.randint(10, 90),
            pitch_range=rng.randint(10, 90),
            word_gap=rng.choice([0, 0, 0, 0, 1, 3]),
            voice=voice,
        )
        if labels is not None:
            events = accents.relabelled(events, labels)
        if events is None:
            return None
        try:
            spans = phones.from_espeak(events, length, voice)
        except phones.UnknownPhone:
            return None
        if len(wave) < features.FRAME or not words_of_spans(spans):
            return None
        return wave, spans

    def synthetic(self, text, accent_share=ACCENT_SHARE):
        """One synthesised text."""
        said = self.synthesise(text, accent_share)
        if said is not None:
            yield _timed(*said)

    def heard(self, said):
        """Augmented copies: features, what is said, and the phones by frame."""
        graph = said.graph
        if not said.words:
            frames = features.log_mel(said.wave)
            yield frames, graph, np.zeros(len(frames), np.int8)
            return
        for _ in range(said.copies):
            changed, factor, before = self.sound.apply(said.wave)
            frames = features.log_mel(changed)
            known = said.spans and aligned(said.spans, factor, before, len(frames))
            yield frames, graph, known

    def chess(self):
        """Utterances of the lexicon."""
        words = self.announcements.draw(self.random)
        yield from self.synthetic(texts.spell(words, self.random))

    def accented(self):
        """The same, nearly all of it with sounds that espeak-ng's voices lack."""
        words = self.announcements.draw(self.random)
        yield from self.synthetic(texts.spell(words, self.random), LAST_ACCENT_SHARE)

    def neighbours(self):
        """The same, read aloud by voices of other languages."""
        words = self.announcements.draw(self.random)
        said = self.synthesise(" ".join(words), 0, self.random.choice(voices.NEIGHBOURS))
        if said is not None:
            yield _timed(*said)

    def diphones(self):
        """Both, by Festival's voices; texts with sounds they lack are dropped."""
        rng, orders = self.random, []
        while len(orders) < DIPHONE_BATCH:
            if rng.random() < DIPHONE_CHESS_SHARE:
                text = texts.spell(self.announcements.draw(rng), rng)
            else:
                text = texts.talk(rng, self.announcements)
            plan = self._order(text)
            if plan is not None:
                orders.append(plan)
        for plan, wave in zip(orders, diphones.speak(orders)):
            if wave is not None:
                yield _timed(wave, plan.spans)

    def _order(self, text):
        """A text for a random Festival voice, or None if it cannot be said."""
        rng = self.random
        voice = diphones.VOICES[rng.choice(diphones.TRAINING_VOICES)]
        told_by = voice.pronounced_by or espeak.any_voice(rng)
        variant = rng.choice(NAMED_VARIANTS)
        _, events, length = self.espeak.say(text, variant, rate=160, voice=told_by)
        try:
            spans = phones.from_espeak(events, length, told_by)
        except phones.UnknownPhone:
            return None
        if not words_of_spans(spans) or not diphones.can_say(voice, spans):
            return None
        return diphones.order(voice, spans, rng)

    def flite(self):
        """Both, by Flite's voices, which people's sentences are behind."""
        rng = self.random
        words = self.announcements.draw(rng)
        is_chess = rng.random() < FLITE_CHESS_SHARE
        text = texts.spell(words, rng) if is_chess else texts.talk(rng, self.announcements)
        said = flite.say(text, rng.choice(flite.TRAINING_VOICES), rng)
        if said is not None and words_of_spans(said[1]):
            yield _timed(*said)

    def rhvoice(self):
        """Both, by RHVoice's voices, whose pronunciation nobody tells."""
        rng = self.random
        words = self.announcements.draw(rng)
        is_chess = rng.random() < RHVOICE_CHESS_SHARE
        text = " ".join(words) if is_chess else texts.talk(rng, self.announcements)
        said = people.pronounce(text, self.lexicon, self.espeak)
        if said is not None:
            wave = rhvoice.say(text, rng.choice(rhvoice.TRAINING_VOICES), rng)
            yield Said(people.trim(wave), said, copies=COPIES)

    def tract(self):
        """Utterances of the lexicon by a model of a person's vocal tract."""
        rng = self.random
        if self.vocal_tract is None:
            self.vocal_tract = tract.Tract()
        text = texts.spell(self.announcements.draw(rng), rng)
        rate = min(260, max(95, rng.gauss(160, 30)))
        _, events, length = self.espeak.say(text, "", rate=rate)
        try:
            spans = phones.from_espeak(events, length)
        except phones.UnknownPhone:
            return
        plan = tract.order(spans, rng)
        wave = self.vocal_tract.say(plan) if words_of_spans(spans) else None
        if wave is not None:
            yield _timed(wave, plan.spans, TRACT_COPIES)

    def units(self):
        """Words put together from pieces of people's words, as far as a person has their sounds."""
        rng = self.random
        if self.banks is None:
            recordings = people.training_recordings(self.lexicon, self.espeak)
            self.banks = units.banks(recordings, align.read())
            self.sayable = {
                name: [word for word in self.announcements.words if self._can_say(name, word)]
                for name in self.banks
            }
        names = list(self.banks)
        weights = [len(self.sayable[name]) for name in names]
        name = rng.choices(names, weights)[0]
        bank, own = self.banks[name], set(self.sayable[name])
        words = self.announcements.draw(rng)
        if not own.issuperset(words):
            words = [rng.choice(sorted(own)) for _ in range(rng.randint(*UNIT_WORDS))]
        said = self._phones(texts.spell(words, rng), name)
        if said is None or not bank.can_say(said):
            return
        wave, spans = bank.say(said, rng)
        yield _timed(wave, spans)

    def _can_say(self, name, word):
        said = self._phones(texts.spell([word], self.random), name)
        return said is not None and self.banks[name].can_say(said)

    def _phones(self, text, speaker):
        """The phones of a text as espeak-ng pronounces it for a speaker, with audible pauses."""
        voice = known.SAID_AS.get(speaker, voices.ESPEAK[0])
        _, events, length = self.espeak.say(text, "", rate=160, voice=voice)
        try:
            spans = phones.from_espeak(events, length, voice)
        except phones.UnknownPhone:
            return None
        audible = [
            phone
            for start, end, phone in spans
            if phone != phones.SILENCE or end - start > PAUSE_S
        ]
        while audible and audible[0] == phones.SILENCE:
            audible.pop(0)
        while audible and audible[-1] == phones.SILENCE:
            audible.pop()
        return [phones.SILENCE, *audible, phones.SILENCE] if audible else None

    def talk(self):
        """Utterances that are no announcement."""
        yield from self.synthetic(texts.talk(self.random, self.announcements))

    def noise(self):
        """No speech at all."""
        length = int(self.numbers.uniform(0.8, 4) * config.SAMPLE_RATE)
        wave = augment.event(self.numbers, length)
        if self.random.random() < 0.5:
            wave = wave + augment.event(self.numbers, length)
        yield from self._silent(wave)

    def music(self):
        """No speech either."""
        length = int(self.numbers.uniform(1, 4) * config.SAMPLE_RATE)
        yield from self._silent(augment.music(self.numbers, length))

    def _silent(self, wave):
        length = len(wave)
        wave = np.clip(wave + self.numbers.standard_normal(length), -32767, 32767)
        yield Said(wave, [])

    def people(self):
        """People's words, joined into longer utterances, sometimes with synthetic words between.

        The network looks half a second to both sides; without the mixture it would learn that
        people only ever say digits after digits.
        """
        rng = self.random
        if self.recordings is None:
            self.pool = self._single_words()
            everything = people.training_recordings(self.lexicon, self.espeak)
            self.recordings = {}
            for recording in everything:
                self.recordings.setdefault(recording.speaker, []).append(recording)
        speakers = list(self.recordings)
        weights = [
            len(self.recordings[name]) ** 0.75 * known.WEIGHTS.get(name, 1) for name in speakers
        ]
        own = self.recordings[rng.choices(speakers, weights)[0]]
        parts, words = [], []
        mixed = rng.random() < 0.35
        for _ in range(rng.choice([1, 1, 2, 3, 4, 5])):
            if mixed and rng.random() < 0.5:
                wave, new = rng.choice(self.pool)
            else:
                recording = rng.choice(own)
                wave, new = recording.wave, recording.words
            wave = wave.astype(np.float32)
            wave = wave * (10 ** rng.uniform(3.6, 4.2) / (np.abs(wave).max() + 1))
            parts.append(self._faded(wave))
            words += new
            if rng.random() < 0.4:
                parts.append(np.zeros(int(rng.uniform(0, 4000)), np.float32))
        if not parts:
            return
        yield Said(np.concatenate(parts), words)

    def _single_words(self):
        """Every word of the lexicon by a few synthetic voices, the same in all workers."""
        kept = self.random, self.numbers, self.sound
        self.seed(f"{config.SEED} single words")
        pool, orders = [], []
        for word in self.announcements.words * POOL_ROUNDS:
            said = self.synthesise(texts.spell([word], self.random))
            if said is not None:
                pool.append((people.trim(said[0]), words_of_spans(said[1])))
            plan = self._order(texts.spell([word], self.random))
            if plan is not None:
                orders.append(plan)
            if flite.TRAINING_VOICES and self.random.random() < FLITE_POOL_SHARE:
                voice = self.random.choice(flite.TRAINING_VOICES)
                said = flite.say(texts.spell([word], self.random), voice, self.random)
                if said is not None and words_of_spans(said[1]):
                    pool.append((people.trim(said[0]), words_of_spans(said[1])))
        for plan, wave in zip(orders, diphones.speak(orders)):
            if wave is not None:
                pool.append((people.trim(wave), words_of_spans(plan.spans)))
        self.random, self.numbers, self.sound = kept
        return pool

    def _faded(self, wave):
        """Soft edges, cut to a random tightness so that words run into each other."""
        room = config.SAMPLE_RATE // 20
        cut = int(self.random.uniform(0, room))
        late = int(self.random.uniform(0, 2 * room))
        if len(wave) > cut + late + 4 * room:
            wave = wave[cut : len(wave) - late].copy()
        fade = min(160, len(wave) // 4)
        wave[:fade] *= np.linspace(0, 1, fade)
        wave[-fade:] *= np.linspace(1, 0, fade)
        return wave


def _timed(wave, spans, copies=COPIES):
    return Said(wave, words_of_spans(spans), spans, copies)


def chunk_path(kind, number):
    """Where a chunk lies; its features are beside it as .npy."""
    return config.WORK / "data" / f"{kind}-{number:03d}.json"


_maker = None


def make_chunk(job):
    """Make and store one chunk."""
    kind, number = job
    path = chunk_path(kind, number)
    if path.exists():
        return kind, number, 0.0
    global _maker
    seed = f"{config.SEED} {kind} {number}"
    if _maker is None:
        _maker = Maker(seed)
    _maker.seed(seed)
    made, entries = [], []
    while len(entries) < CHUNK * COPIES:
        heard = (copy for said in getattr(_maker, kind)() for copy in _maker.heard(said))
        for frames, graph, phones_at in heard:
            if not SHORTEST_FRAMES <= len(frames) <= LONGEST_FRAMES:
                continue
            made.append(frames.astype(np.float16))
            entries.append(
                {
                    "frames": len(frames),
                    "graph": [graph.nodes, graph.followers, graph.starts, graph.ends],
                    "aligned": None if phones_at is None else phones_at.tolist(),
                }
            )
    np.save(path.with_suffix(".npy"), np.concatenate(made))
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(entries))
    partial.rename(path)
    return kind, number, sum(entry["frames"] for entry in entries) * config.FRAME_SHIFT_S / 3600


def run():
    """Make all chunks that are missing."""
    (config.WORK / "data").mkdir(parents=True, exist_ok=True)
    espeak.make_variants(config.WORK / "voices", RANDOM_VARIANTS, random.Random(config.SEED))
    jobs = [(kind, number) for kind, count in CHUNKS.items() for number in range(count)]
    started, hours = time.time(), 0.0
    with multiprocessing.Pool(config.WORKERS) as pool:
        for done, (kind, number, length) in enumerate(pool.imap_unordered(make_chunk, jobs), 1):
            hours += length
            print(
                f"data {done}/{len(jobs)} {kind}-{number:03d} "
                f"{hours:.1f} h made in {time.time() - started:.0f} s",
                flush=True,
            )
