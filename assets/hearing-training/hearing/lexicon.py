"""Reads the words and commands of a language in `grammar`, which the whole program shares."""

import tomllib
from dataclasses import dataclass

from . import config


@dataclass(frozen=True)
class Word:
    """One word: its only spelling, what it means, how it is pronounced, and how by a few."""

    word: str
    value: str
    phones: tuple[tuple[str, ...], ...]
    rare: tuple[tuple[str, ...], ...] = ()


class Lexicon:
    """All words, all command phrases, what may stand before a move or take it back, and talk."""

    def __init__(self, words, phrases, openings=(), restarts=(), talk=(), corrections=()):
        self.words = {word.word: word for word in words}
        self.phrases = phrases
        self.openings = list(openings)
        self.restarts = list(restarts)
        self.talk = list(talk)
        self.corrections = list(corrections)

    @classmethod
    def read(cls, lexicon=config.LEXICON, commands=config.COMMANDS):
        """Load both TOML files and check that the phrases use known words."""
        with open(lexicon, "rb") as file:
            page = tomllib.load(file)
        words = [
            Word(
                entry["word"],
                entry["value"],
                tuple(tuple(form.split()) for form in entry["phones"]),
                tuple(tuple(form.split()) for form in entry.get("rare", [])),
            )
            for entry in page["word"]
        ]
        with open(commands, "rb") as file:
            table = tomllib.load(file)["command"]
        phrases = [phrase for command in table for phrase in command["phrases"]]
        corrections = [
            phrase
            for command in table
            if command["name"] == "correct"
            for phrase in command["phrases"]
        ]
        known = {word.word for word in words}
        openings, restarts = page.get("openings", []), page.get("restarts", [])
        talk = page.get("talk", [])
        for phrase in [*phrases, *openings, *restarts, *talk]:
            missing = set(phrase.split()) - known
            if missing:
                raise ValueError(f"a phrase uses unknown words: {sorted(missing)}")
        return cls(words, phrases, openings, restarts, talk, corrections)

    def with_value(self, kind):
        """The words whose value starts with `kind`, such as "file" or "role"."""
        return [w.word for w in self.words.values() if w.value.split()[0] == kind]

    def file_names(self):
        """The eight spoken file names, without the bare letters."""
        return [word for word in self.with_value("file") if len(word) > 1]

    def letters(self):
        """The bare letters a to h."""
        return [word for word in self.with_value("file") if len(word) == 1]

    def ranks(self):
        """The eight usual rank words, without second ones such as zwo."""
        return [word for word in self.with_value("rank") if word not in self.second_ranks()]

    def second_ranks(self):
        """Words for ranks that have a usual word before them."""
        words = self.with_value("rank")
        values = [self.words[word].value for word in words]
        return [word for n, word in enumerate(words) if values[n] in values[:n]]

    def pieces(self):
        """The six piece names."""
        return self.with_value("role")

    def pawns(self):
        """The words for the pawn."""
        return self._roles("pawn")

    def promoted(self):
        """The pieces that a pawn may become."""
        return self._roles("queen", "rook", "bishop", "knight")

    def _roles(self, *names):
        values = [f"role {name}" for name in names]
        return [word for word in self.pieces() if self.words[word].value in values]

    def castlings(self):
        """The words that name castling, and those that tell its side."""
        names = [w.word for w in self.words.values() if w.value == "castling"]
        return names, [word for word in self.with_value("castling") if word not in names]
