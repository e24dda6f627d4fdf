"""What is said: announcements in every form, commands, loose words, talk and nonsense.

Every generator takes a `random.Random` and returns a list of words of the lexicon, or a plain
string where the words are not ours.
"""

from . import language

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
        if kind < 0.55:
            return self.move(rng)
        if kind < 0.68:
            return rng.choice(self.lexicon.phrases).split()
        return self.any_words(rng)


def os_has_dictionary():
    """Whether the list of words is installed; only training needs it."""
    return language.texts.os_has_dictionary()


def talk(rng, announcements):
    """An utterance that is no announcement: prose, chess talk, loose words, nonsense."""
    return language.texts.talk(rng, announcements, spell)
