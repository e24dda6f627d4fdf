"""The voices that speak German for the training, and those that are kept for tests."""

ESPEAK = ("de",)
"""espeak-ng's voices of the language; each has all variants."""
PRONOUNCING = ("de",)
"""Those that tell how people's words are pronounced."""
ESPEAK_FILES = ("gmw/de",)
DICTIONARIES = ("de", "en")
"""German names some foreign words in English."""

# How many parts of the data there are of each kind; those that take longest come first.
CHUNKS = {
    "tract": 2, "chess": 44, "talk": 22, "diphones": 30, "people": 44, "units": 24, "noise": 3,
    "music": 5, "accented": 24,
}  # fmt: skip
FIRST_CHUNKS = {**CHUNKS, "accented": 0}
LAST_CHUNKS = {
    "tract": 2, "accented": 24, "talk": 10, "diphones": 6, "people": 22, "units": 20, "noise": 2,
    "music": 2,
}  # fmt: skip
"""The training ends with these: few of the rolled r of espeak-ng and of the Festival voices."""

SOURCES = {
    "tract": 2, "diphones": 12, "people": 10, "units": 14, "chess": 14, "talk": 14, "accented": 20,
}  # fmt: skip
"""The parts for a training that makes the rooms itself."""

# Festival's Czech, Finnish and Italian diphone voices, all free, all real people. They have accents
# and lack some German sounds, but their timbre is a person's. `german=own+own …`
_PLAIN = "p=p b=b t=t d=d k=k g=g f=f v=v s=s j=j m=m n=n l=l r=r 3=a a=a "
CZECH = (
    _PLAIN + "z=z S=s~ x=ch h=h ts=c i:=i: I=i e:=e: E=e E:=e: A:=a: o:=o: O=o u:=u: U=u @=e "
    "aI=a+j aU=a+u OY=o+j N=n*+g"
)
FINNISH = (
    _PLAIN + "z=s S=S x=h C=h h=h ts=t+s i:=i: I=i e:=e: E=@ E:=@: A:=a: o:=o: O=o u:=u: U=u @=e "
    "y:=y: y=y Y:=7: W=7 aI=a+i aU=a+u OY=o+y N=N"
)
ITALIAN = (
    _PLAIN + "z=z S=S ts=ts i:=i1 I=i e:=e1 E=E E:=E1 A:=a1 o:=o1 O=O u:=u1 U=u @=e "
    "aI=a+i aU=a+u OY=O+i N=ng+g"
)
FESTIVAL = {}
FESTIVAL_TRAINING = ()
"""Festival has no German voice that is free."""

# Flite has no German voices.
FLITE_TRAINING = FLITE_DEV = FLITE_TEST = ()
FLITE = {}
RHVOICE_TRAINING = ()

# VocalTractLab's names for our phones.
TRACT = {
    **{name: name for name in "p b t d k g f v s z S C x h j m n N l ts".split()},
    **{name: name for name in "i: I e: E E: a o: O u: U y: @ aI aU OY".split()},
    "A:": "a:", "Y:": "2:", "W": "9", "y": "Y", "3": "6", "r": "R",
}  # fmt: skip

MBROLA = ("de1", "de2", "de3", "de4", "de5", "de6", "de7")
PICO = ("de-DE",)
