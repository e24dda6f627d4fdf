"""The voices that speak Swedish for the training, and those that are kept for tests."""

ESPEAK = ("sv",)
"""espeak-ng's voices of the language; each has all variants."""
PRONOUNCING = ("sv",)
"""Those that tell how people's words are pronounced."""
NEIGHBOURS = ("nb", "nb", "fi")
"""Voices of other languages that read Swedish, as guests from Norway and Finland do."""
ESPEAK_FILES = ("gmq/sv", "gmq/nb", "urj/fi")
DICTIONARIES = ("sv", "no", "fi", "en")
"""Swedish names some foreign words in English."""

# How many parts of the data there are of each kind; those that take longest come first.
CHUNKS = {
    "chess": 13, "talk": 7, "diphones": 6, "people": 4, "noise": 2, "music": 2, "accented": 6,
    "neighbours": 2,
}  # fmt: skip
FIRST_CHUNKS = {**CHUNKS, "accented": 0}
LAST_CHUNKS = {
    "accented": 6, "talk": 4, "diphones": 3, "people": 4, "noise": 1, "music": 1, "neighbours": 1,
}  # fmt: skip
"""The training ends with these: more accents, and more of people's voices."""

# Festival's Czech, Finnish and Italian diphone voices, all free, all real people. They have accents
# and lack the Swedish u and y; words with these are left to others. `swedish=own+own …`
_PLAIN = "p=p b=b t=t d=d k=k g=g f=f v=v s=s j=j m=m n=n l=l r=r a=a "
CZECH = _PLAIN + "S=s~ x=ch h=h i:=i: I=i e:=e: E=e E:=e: A:=a: o:=o: O=o u:=u: U=u @=e N=n*+g"
FINNISH = (
    _PLAIN + "S=S h=h i:=i: I=i e:=e: E=e E:=@: A:=a: o:=o: O=o u:=u: U=u @=e y:=y: y=y "
    "Y:=7: W=7 N=N"
)
ITALIAN = _PLAIN + "S=S i:=i1 I=i e:=e1 E=E E:=E1 A:=a1 o:=o1 O=O u:=u1 U=u @=e N=ng+g"
FESTIVAL = {}
FESTIVAL_TRAINING = ()
"""Festival has no Swedish voice that is free."""

# Flite has no Swedish voices.
FLITE_TRAINING = FLITE_DEV = FLITE_TEST = ()
FLITE = {}

TRACT = {}
"""VocalTractLab's speaker is a German: he speaks no Swedish."""

MBROLA = ("sw1", "sw2")
PICO = ()
