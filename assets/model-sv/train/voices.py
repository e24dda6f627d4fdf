"""The voices that speak Swedish for the training, and those that are kept for tests."""

ESPEAK = ("sv",)
"""espeak-ng's voices of the language; each has all variants."""
PRONOUNCING = ("sv",)
"""Those that tell how people's words are pronounced."""
NEIGHBOURS = ("nb", "nb", "fi")
"""Voices of other languages that read Swedish, as guests from Norway and Finland do."""
ESPEAK_FILES = ("gmq/sv", "gmq/nb", "urj/fi", "gmw/de")
DICTIONARIES = ("sv", "no", "fi", "en", "de")
"""Swedish names some foreign words in English."""

# How many parts of the data there are of each kind; those that take longest come first.
CHUNKS = {
    "chess": 13, "talk": 7, "diphones": 9, "people": 6, "noise": 2, "music": 2, "accented": 6,
    "neighbours": 2,
}  # fmt: skip
FIRST_CHUNKS = {**CHUNKS, "accented": 0}
LAST_CHUNKS = {
    "accented": 6, "talk": 4, "diphones": 4, "people": 6, "noise": 1, "music": 1, "neighbours": 1,
}  # fmt: skip
"""The training ends with these: more accents, and more of people's voices."""
SOURCES = {
    "units": 9, "diphones": 8, "people": 6, "chess": 9, "talk": 7, "accented": 9, "neighbours": 2,
}  # fmt: skip
"""The parts for a training that makes the rooms itself."""

# Festival's Czech, Finnish, Italian and American diphone voices, all free, all real people. They
# have accents. Czechs, Italians and Americans lack the Swedish u and y; words with these are left
# to others. The Finns say their y and ö for the long and the short u, as guests do, and an h for
# the sje: without them no person's diphones said "sju" or "kung". `swedish=own+own …`
_PLAIN = "p=p b=b t=t d=d k=k g=g f=f v=v s=s j=j m=m n=n l=l r=r a=a "
CZECH = _PLAIN + "S=s~ x=ch h=h i:=i: I=i e:=e: E=e E:=e: A:=a: o:=o: O=o u:=u: U=u @=e N=n*+g"
FINNISH = (
    _PLAIN + "S=S h=h i:=i: I=i e:=e: E=e E:=@: A:=a: o:=o: O=o u:=u: U=u @=e y:=y: y=y "
    "Y:=7: W=7 N=N u-:=y: 8=7 x=h"
)
ITALIAN = _PLAIN + "S=S i:=i1 I=i e:=e1 E=E E:=E1 A:=a1 o:=o1 O=O u:=u1 U=u @=e N=ng+g"
AMERICAN = (
    "p=p b=b t=t d=d k=k g=g f=f v=v s=s S=sh x=hh h=hh j=y m=m n=n N=ng l=l r=r i:=iy I=ih e:=ey "
    "E=eh E:=eh a=ah A:=aa o:=ao O=aa u:=uw U=uh W=er Y:=er @=ax"
)
FESTIVAL = {
    "kal": ("voice_kal_diphone", AMERICAN, 105, "pau", "sv"),
    "ked": ("voice_ked_diphone", AMERICAN, 110, "pau", "sv"),
}
FESTIVAL_TRAINING = ("kal", "ked")
"""Festival has no Swedish voice that is free: Americans who read Swedish."""

# Flite has no Swedish voices.
FLITE_TRAINING = FLITE_DEV = FLITE_TEST = ()
FLITE = {}
RHVOICE_TRAINING = ()

TRACT = {}
"""VocalTractLab's speaker is a German: he speaks no Swedish."""

MBROLA = ("sw1", "sw2")
PICO = ()
