"""What is said: announcements in every form, commands, loose words, talk and nonsense.

Every generator takes a `random.Random` and returns a list of words of the lexicon, or a plain
string where the words are not ours.
"""

import functools
import os
import re

# How espeak-ng must be spelt to so that it says the German chess words as people do.
SPELLINGS = {
    "cesar": ["Zesar", "Zehsar", "Zäsar", "Zehsahr"],
    "eva": ["Eva", "Efa", "Ewa"],
    "david": ["David", "Dafid", "Dawitt"],
    "hector": ["Hektor", "Hector"],
    "gustav": ["Gustav", "Gustaff"],
    "anna": ["Anna", "Annah"],
    "bella": ["Bella", "Bellah"],
    "könig": ["König", "König", "Könick"],
    "schlägt": ["schlägt", "schläkt", "schleekt"],
    "rochade": ["Roschade", "Rochade", "Rohschade"],
    "remis": ["Remie", "Römie", "Rehmie"],
    "jadoube": ["schaduhp", "schahduhp", "schadupp"],
    "zug": ["Zug", "Zuck", "Zuhg"],
    "sieben": ["sieben", "siebn", "siebm"],
    "fünf": ["fünf", "fünf", "fümf"],
    "a": ["ah"], "b": ["beh"], "c": ["zeh"], "d": ["deh"],
    "e": ["eh"], "f": ["eff"], "g": ["geh"], "h": ["hah"],
}  # fmt: skip
LETTER_SHARE = 0.12
ZWO_SHARE = 0.15
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

    def square(self, rng, letters=LETTER_SHARE):
        """A file and a rank."""
        file = rng.choice(self.letters if rng.random() < letters else self.files)
        rank = rng.choice(self.ranks)
        if rank == "zwei" and rng.random() < ZWO_SHARE:
            rank = "zwo"
        return [file, rank]

    def long_move(self, rng, letters=0.0):
        """Piece, square, optional nach or schlägt, square: the form that players are taught."""
        link = rng.choice([["nach"], ["schlägt"], []])
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
            words = [rng.choice(["kurze", "lange"]), "rochade"]
        elif form < 0.50:
            words = self.long_move(rng, letters)
        elif form < 0.58:
            words = [piece, "von", *first, "nach", *second]
        elif form < 0.63:
            words = [piece, "auf", *first, "schlägt", *second]
        elif form < 0.78:
            words = [piece, *rng.choice([["nach"], ["schlägt"], [], []]), *first]
        elif form < 0.92:
            words = [*first, *rng.choice([["nach"], ["schlägt"], []]), *second]
        else:
            words = first
        if rng.random() < PROMOTION_SHARE:
            words = [*words, *rng.choice([["umwandlung"], []]), rng.choice(self.pieces[1:5])]
        if rng.random() < SUFFIX_SHARE:
            words = [*words, rng.choice(["schach", "matt", "schachmatt"])]
        return words

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


DICTIONARY = "/usr/share/dict/ngerman"
ONSETS = (
    "b d f g h j k l m n p r s t w z sch st sp kl br tr pf schl zw qu kn gr bl fr schr schw dr"
).split()
NUCLEI = "a e i o u ä ö ü ei au eu ie ah eh oh uh".split()
CODAS = ["", "", "n", "r", "l", "s", "t", "ch", "m", "f", "k", "st", "ng", "cht", "nz", "rt", "lf"]


@functools.cache
def dictionary():
    """Ordinary German words of Debian's wngerman."""
    with open(DICTIONARY, encoding="utf-8") as file:
        words = (line.strip() for line in file)
        return [word for word in words if re.fullmatch(r"[A-Za-zäöüÄÖÜß]{3,12}", word)]


def os_has_dictionary():
    """Whether wngerman is installed; only training needs it."""
    return os.path.exists(DICTIONARY)


def pseudo_word(rng):
    """A word that does not exist but could."""
    count = rng.choice([1, 2, 2, 3])
    return "".join(
        rng.choice(ONSETS) + rng.choice(NUCLEI) + rng.choice(CODAS) for _ in range(count)
    )


SUBJECTS = "ich du er sie wir ihr man der_Gegner mein_Freund die_Frau das_Kind jemand".split()
VERBS = (
    "habe hat ist war kommt geht sieht macht spielt nimmt zieht denkt glaubt sagt will kann muss "
    "wird findet steht liegt fährt braucht kennt bringt lernt schreibt liest hört wartet"
).split()
FILLERS = (
    "auch noch schon gerade wohl vielleicht heute morgen immer nie nicht mehr sehr gut gern oft "
    "hier dort dann jetzt eben doch nur ganz wieder zu_Hause in_der_Stadt am_Abend mit_dem_Zug "
    "auf_der_Straße um_acht_Uhr seit_drei_Jahren vor_vier_Tagen zum_Arzt bei_uns nach_Hause"
).split()
STARTS = "und aber also ja_ähm weil dass wenn na_ja ach_so entschuldigung gestern".split()
CHESS_TALK = (
    "der {p} steht gut auf {s}", "ich glaube der {p} kommt nach {s}", "warum nicht {p} auf {s}",
    "wenn er den {p} nimmt verliert er die Partie", "das war ein schöner Zug mit dem {p}",
    "hast du den {p} auf {s} gesehen", "der {p} auf {s} ist schwach", "mein {p} hängt",
    "er bietet remis an", "wie spät ist es auf der Uhr", "wer hat die letzte Partie gewonnen",
    "nach der Rochade steht der {p} besser", "dann schlägt er auf {s} und gewinnt",
    "die {f} Linie ist offen", "das Feld {s} ist schwach", "ich habe den {p} übersehen",
    "er hat Schach gesagt aber es war kein Schach", "ich ziehe lieber mit dem {p}",
)  # fmt: skip


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
    return rng.choice(CHESS_TALK).format(
        p=rng.choice(announcements.pieces), s=square, f=rng.choice(announcements.letters)
    )


def prose(rng):
    """Something like a German sentence: function words between dictionary words."""
    parts = [rng.choice(STARTS)] if rng.random() < 0.3 else []
    parts += [rng.choice(SUBJECTS), rng.choice(VERBS)]
    for _ in range(rng.randint(1, 4)):
        parts.append(rng.choice(FILLERS) if rng.random() < 0.5 else rng.choice(dictionary()))
    return " ".join(parts).replace("_", " ")
