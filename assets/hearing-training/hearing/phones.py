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
SWALLOWED_FROM = 0.6
"""Where in the sound before it a sound without time of its own begins."""


class UnknownPhone(ValueError):
    """espeak-ng used a phoneme that the model does not have."""


def _ours(name, voice):
    """One or two phones for what a voice of espeak-ng calls a sound."""
    special = sounds.OF_VOICE.get(voice, {}).get(name)
    return special or sounds.TWO_PHONES.get(name) or (sounds.SAME_AS.get(name, name),)


def from_espeak(events, end_s, voice=None):
    """Turn espeak-ng phoneme events [(start in s, name)] into [(start, end, phone)].

    Neighbouring pauses become one.
    """
    spans = []
    starts = [start for start, _ in events] + [end_s]
    for (start, name), end in zip(events, starts[1:]):
        name = name.translate(MARKS)
        if name.startswith("_") or name in PAUSES:
            spans.append((start, end, SILENCE))
            continue
        if name in sounds.GOES_ON and spans:
            spans[-1] = (spans[-1][0], end, spans[-1][2])
            continue
        ours = _ours(name, voice)
        if not set(ours) <= INDEX.keys():
            raise UnknownPhone(name)
        if ours[0] in sounds.SWALLOWED and end - start < SHORTEST_S and spans:
            before, until, phone = spans.pop()
            start = before + (until - before) * SWALLOWED_FROM
            spans.append((before, start, phone))
        edges = [start, end] if len(ours) == 1 else [start, (start + end) / 2, end]
        spans += zip(edges, edges[1:], ours)
    spans = [span for span in spans if span[1] - span[0] >= SHORTEST_S]
    names = sounds.settled([phone for _, _, phone in spans])
    return _merged([(start, end, name) for (start, end, _), name in zip(spans, names)])


def _merged(spans):
    result = []
    for start, end, phone in spans:
        once = phone == SILENCE or phone in sounds.NEVER_TWICE
        if result and once and phone == result[-1][2]:
            result[-1] = (result[-1][0], end, phone)
        else:
            result.append((start, end, phone))
    return result


def variants(phones):
    """A pronunciation and the ways in which people shorten or colour it."""
    return sounds.variants(phones)
