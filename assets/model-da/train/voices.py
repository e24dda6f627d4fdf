"""The voices that speak Danish for the training, and those that are kept for tests."""

ESPEAK = ("da",)
"""espeak-ng's voices of the language; each has all variants."""
PRONOUNCING = ("da",)
"""Those that tell how people's words are pronounced."""
ESPEAK_FILES = ("gmq/da", "gmw/de")
DICTIONARIES = ("da", "en", "de")
"""Danish names some foreign words in English."""

# How many parts of the data there are of each kind; those that take longest come first.
CHUNKS = {
    "chess": 14, "talk": 8, "diphones": 6, "people": 4, "noise": 2, "music": 2, "accented": 6,
}  # fmt: skip
FIRST_CHUNKS = {**CHUNKS, "accented": 0}
LAST_CHUNKS = {
    "accented": 6, "talk": 5, "diphones": 4, "people": 4, "noise": 1, "music": 1,
}  # fmt: skip
"""The training ends with these: more of the habits that Danes have and espeak-ng has not."""

SOURCES = {"units": 9, "diphones": 7, "people": 5, "chess": 10, "talk": 7, "accented": 12}
"""The parts for a training that makes the rooms itself."""

# Festival's Czech, Finnish and Italian diphone voices, all free, all real people. They have accents
# and lack some Danish sounds (Czech and Italian have no y and no ø, Italian has no h), so that what
# needs these is left out; none has a soft d, and it is said with a hard one, as foreigners do.
_PLAIN = "p=p b=b t=t d=d k=k g=g f=f v=v D=d s=s j=j m=m n=n l=l r=r w=u V=a @=e "
CZECH = _PLAIN + "S=s~ h=h N=n*+g i=i: e=e: E=e a=a A=a: u=u: o=o: O=o"
FINNISH = _PLAIN + "S=S h=h N=N i=i: e=e: E=e a=@ A=a y=y: Y=7: W=7 u=u: o=o: O=o"
ITALIAN = _PLAIN + "S=S N=ng+g i=i1 e=e1 E=E a=a1 A=a1 u=u1 o=o1 O=O1"
FESTIVAL = {}
FESTIVAL_TRAINING = ()
"""Festival has no Danish voice."""

# Flite has no Danish voices.
FLITE_TRAINING = FLITE_DEV = FLITE_TEST = ()
FLITE = {}
RHVOICE_TRAINING = ()

TRACT = {}
"""VocalTractLab's speaker is a German: he speaks no Danish."""

MBROLA = ()
PICO = ()
"""Neither MBROLA nor pico2wave has a Danish voice."""
