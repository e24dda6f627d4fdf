"""The phone set, and the way from espeak-ng's phoneme names to it."""

from .language import sounds

SILENCE = "SIL"
CONSONANTS, VOWELS = sounds.CONSONANTS, sounds.VOWELS
PHONES = [SILENCE, *CONSONANTS, *VOWELS]
INDEX = {phone: number for number, phone in enumerate(PHONES)}
COUNT = len(PHONES)

MARKS = str.maketrans("", "", "',%=")
PAUSES = ("", "|", "||", ":")
SHORTEST_S = 0.001


class UnknownPhone(ValueError):
    """espeak-ng used a phoneme that the model does not have."""


def from_espeak(events, end_s):
    """Turn espeak-ng phoneme events [(start in s, name)] into [(start, end, phone)].

    Neighbouring pauses become one.
    """
    spans = []
    starts = [start for start, _ in events] + [end_s]
    for (start, name), end in zip(events, starts[1:]):
        name = name.translate(MARKS)
        if name.startswith("_") or name in PAUSES:
            spans.append((start, end, SILENCE))
        elif name in sounds.TWO_PHONES:
            first, second = sounds.TWO_PHONES[name]
            middle = (start + end) / 2
            spans += [(start, middle, first), (middle, end, second)]
        else:
            phone = sounds.SAME_AS.get(name, name)
            if phone not in INDEX:
                raise UnknownPhone(name)
            spans.append((start, end, phone))
    spans = [span for span in spans if span[1] - span[0] >= SHORTEST_S]
    names = sounds.settled([phone for _, _, phone in spans])
    return _merge_pauses([(start, end, name) for (start, end, _), name in zip(spans, names)])


def _merge_pauses(spans):
    result = []
    for start, end, phone in spans:
        if result and phone == SILENCE == result[-1][2]:
            result[-1] = (result[-1][0], end, SILENCE)
        else:
            result.append((start, end, phone))
    return result


def variants(phones):
    """A pronunciation and the ways in which people shorten or colour it."""
    return sounds.variants(phones)
