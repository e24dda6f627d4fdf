"""The phone set, and the way from espeak-ng's phoneme names to it."""

SILENCE = "SIL"
CONSONANTS = "p b t d k g f v s z S C x h j m n N l r ts".split()
VOWELS = "i: I e: E E: a A: o: O u: U y: y Y: W @ 3 aI aU OY".split()
PHONES = [SILENCE, *CONSONANTS, *VOWELS]
INDEX = {phone: number for number, phone in enumerate(PHONES)}
COUNT = len(PHONES)

# espeak-ng's German names that differ from ours, or that foreign words bring in.
SAME_AS = {
    "R": "r", "A": "A:", "E2": "E", ";": "j", "Z": "S", "D": "z", "T": "s", "tS": "S", "w": "v",
    "Q": "O", "V": "a", "i": "I", "e": "e:", "o": "O", "u": "U", "3:": "3", "y2": "y", "@-": "@",
    "a:": "A:", "O:": "o:", "I2": "I", "0": "O", "@2": "@", "l#": "l", "r-": "r", "o2": "O",
    "aa": "A:", "W:": "Y:",
}  # fmt: skip
TWO_PHONES = {
    "UR": ("U", "3"), "pF": ("p", "f"), "pf": ("p", "f"), "ks": ("k", "s"), "dZ": ("d", "S"),
    "aI@": ("aI", "@"),
}  # fmt: skip
MARKS = str.maketrans("", "", "',%=")
PAUSES = ("", "|", "||", ":")
SHORTEST_S = 0.001


class UnknownPhone(ValueError):
    """espeak-ng used a phoneme that the model does not have."""


def from_espeak(events, end_s):
    """Turn espeak-ng phoneme events [(start in s, name)] into [(start, end, phone)].

    An `r` that no vowel follows is the vocalised `3`; neighbouring pauses become one.
    """
    spans = []
    starts = [start for start, _ in events] + [end_s]
    for (start, name), end in zip(events, starts[1:]):
        name = name.translate(MARKS)
        if name.startswith("_") or name in PAUSES:
            spans.append((start, end, SILENCE))
        elif name in TWO_PHONES:
            first, second = TWO_PHONES[name]
            middle = (start + end) / 2
            spans += [(start, middle, first), (middle, end, second)]
        else:
            phone = SAME_AS.get(name, name)
            if phone not in INDEX:
                raise UnknownPhone(name)
            spans.append((start, end, phone))
    spans = [span for span in spans if span[1] - span[0] >= SHORTEST_S]
    return _merge_pauses(_vocalise(spans))


def _vocalise(spans):
    result = []
    for number, (start, end, phone) in enumerate(spans):
        follower = spans[number + 1][2] if number + 1 < len(spans) else SILENCE
        if phone == "r" and follower not in VOWELS:
            phone = "3"
        result.append((start, end, phone))
    return result


def _merge_pauses(spans):
    result = []
    for start, end, phone in spans:
        if result and phone == SILENCE == result[-1][2]:
            result[-1] = (result[-1][0], end, SILENCE)
        else:
            result.append((start, end, phone))
    return result


def variants(phones):
    """A pronunciation and the ways in which Germans shorten or colour it."""
    phones = tuple(phones)
    forms = [phones]
    if len(phones) > 2 and phones[-2:] in (("I", "C"), ("I", "k")):
        forms += [(*phones[:-1], "k"), (*phones[:-1], "C")]
    if len(phones) > 3 and phones[-2:] == ("@", "n"):
        before = phones[-3]
        nasal = {"b": "m", "p": "m", "g": "N", "k": "N"}.get(before, "n")
        forms.append((*phones[:-2], nasal))
        if before in ("m", "n"):
            forms.append(phones[:-2])
    for number, phone in enumerate(phones[:-1]):
        if phone == "3" and phones[number + 1] not in VOWELS:
            forms.append((*phones[:number], "r", *phones[number + 1 :]))
    return list(dict.fromkeys(forms))
