"""What is said: announcements in every form, commands, loose words, talk and nonsense.

Every generator takes a `random.Random` and returns a list of words of the lexicon, or a plain
string where the words are not ours.
"""

import functools
import os
import re

from . import config, language

SPELLINGS = language.texts.SPELLINGS
"""How espeak-ng must be told the words of the lexicon so that it says them as people do."""
LETTER_SHARE = 0.12
SECOND_RANK_SHARE = 0.15
SUFFIX_SHARE = 0.12
PROMOTION_SHARE = 0.08


def spell(words, rng, comma_share=0.1):
    """Words of the lexicon as text for the synthesiser, sometimes with pauses between."""
    separator = ", " if rng.random() < comma_share else " "
    return separator.join(rng.choice(SPELLINGS.get(word, [word])) for word in words)


class Announcements:
    """Draws announcements in the forms of Annex D and their short cousins."""

    def __init__(self, lexicon):
        self.lexicon = lexicon
        self.files = lexicon.file_names()
        self.letters = lexicon.letters()
        self.ranks = lexicon.ranks()
        self.pieces = lexicon.pieces()
        self.words = list(lexicon.words)
        self.to, self.captures = lexicon.with_value("to"), lexicon.with_value("captures")
        self.links = [[word] for word in (*self.to, *self.captures)]
        self.promotions = [*([word] for word in lexicon.with_value("promotes")), []]
        self.suffixes = [*lexicon.with_value("check"), *lexicon.with_value("mate")]

    def square(self, rng, letters=LETTER_SHARE):
        """A file and a rank."""
        file = rng.choice(self.letters if rng.random() < letters else self.files)
        rank = rng.choice(self.ranks)
        others = self._others_for(rank)
        if others and rng.random() < SECOND_RANK_SHARE:
            rank = others[0]
        return [file, rank]

    def _others_for(self, rank):
        words = self.lexicon.words
        return [w for w in self.lexicon.second_ranks() if words[w].value == words[rank].value]

    def long_move(self, rng, letters=0.0):
        """Piece, square, optional to or takes, square: the form that players are taught."""
        link = rng.choice([*self.links, []])
        return [
            rng.choice(self.pieces),
            *self.square(rng, letters),
            *link,
            *self.square(rng, letters),
        ]

    def move(self, rng, letters=LETTER_SHARE):
        """Any announceable move."""
        piece, first, second = (
            rng.choice(self.pieces),
            self.square(rng, letters),
            self.square(rng, letters),
        )
        form = rng.random()
        if form < 0.06:
            words = rng.choice(language.texts.CASTLINGS).split()
        elif form < 0.50:
            words = self.long_move(rng, letters)
        elif form < 0.58:
            words = [piece, *self._one("from"), *first, *self._one("to"), *second]
        elif form < 0.63:
            words = [piece, *self._one("on"), *first, *self._one("captures"), *second]
        elif form < 0.78:
            words = [piece, *rng.choice([*self.links, [], []]), *first]
        elif form < 0.92:
            words = [*first, *rng.choice([*self.links, []]), *second]
        else:
            words = first
        if rng.random() < PROMOTION_SHARE:
            words = [*words, *rng.choice(self.promotions), rng.choice(self.lexicon.promoted())]
        if rng.random() < SUFFIX_SHARE:
            words = [*words, rng.choice(self.suffixes)]
        return words

    def _one(self, value):
        return self.lexicon.with_value(value)[:1]

    def any_words(self, rng):
        """Words of the lexicon in any order: sounds must be learnt, not sequences."""
        return [rng.choice(self.words) for _ in range(rng.choice([1, 1, 2, 3, 4, 5, 6]))]

    def draw(self, rng):
        """Words of the lexicon for one training utterance."""
        kind = rng.random()
        if kind < 0.45:
            return self.move(rng)
        if kind < 0.53:
            return [*self.move(rng), *self._phrase(rng)]
        if kind < 0.70:
            return self._phrase(rng)
        return self.any_words(rng)

    def _phrase(self, rng):
        return rng.choice(self.lexicon.phrases).split()


@functools.cache
def dictionary():
    """Ordinary words of the language."""
    with open(language.texts.DICTIONARY, encoding=language.texts.ENCODING) as file:
        words = (line.strip() for line in file)
        return [word for word in words if re.fullmatch(language.texts.WORD, word)]


def os_has_dictionary():
    """Whether the list of words is installed; only training needs it."""
    return os.path.exists(language.texts.DICTIONARY)


def talk(rng, announcements):
    """An utterance that is no announcement: prose, chess talk, loose words, nonsense."""
    kind = rng.random()
    if kind < 0.35:
        return " ".join(rng.choice(dictionary()) for _ in range(rng.randint(1, 5)))
    if kind < 0.50:
        return " ".join(pseudo_word(rng) for _ in range(rng.randint(1, 4)))
    if kind < 0.85:
        return prose(rng)
    square = spell(announcements.square(rng), rng, 0)
    return rng.choice(language.texts.CHESS_TALK).format(
        p=rng.choice(announcements.pieces), s=square, f=rng.choice(announcements.letters)
    )


def pseudo_word(rng):
    """A word that does not exist but could."""
    parts = (language.texts.ONSETS, language.texts.NUCLEI, language.texts.CODAS)
    count = rng.choice([1, 2, 2, 3])
    return "".join(rng.choice(part) for _ in range(count) for part in parts)


def prose(rng):
    """Something like a sentence: function words between dictionary words."""
    said = language.texts
    parts = [rng.choice(said.STARTS)] if rng.random() < 0.3 else []
    parts += [rng.choice(said.SUBJECTS), rng.choice(said.VERBS)]
    for _ in range(rng.randint(1, 4)):
        parts.append(rng.choice(said.FILLERS) if rng.random() < 0.5 else rng.choice(dictionary()))
    return " ".join(parts).replace("_", " ")


_LANGUAGES = {
    "de": ("der Springer geht auf das dritte Feld", "möchten Sie noch etwas Tee"),
    "en": ("the knight goes to the third rank", "would you like some more tea"),
    "fr": ("le roi est en échec depuis hier", "nous allons manger à huit heures"),
    "es": ("mañana vamos a la playa con los niños", "el caballo está muy cansado hoy"),
    "it": ("la partita comincia alle nove", "non ho capito la sua domanda"),
    "nl": ("de dame staat op het verkeerde veld", "het regent al de hele dag"),
    "pl": ("gdzie jest najbliższy dworzec", "poproszę dwie kawy i ciasto"),
    "ru": ("конь пошёл на третье поле", "сегодня очень холодно"),
    "tr": ("bugün hava çok güzel", "satranç oynamayı çok seviyorum"),
}
OTHER_LANGUAGES = {code: said for code, said in _LANGUAGES.items() if code != config.LANGUAGE}
"""What people beside the board may say, none of it in the language."""
