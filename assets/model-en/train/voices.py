"""The voices that speak English for the training, and those that are kept for tests."""

ESPEAK = (
    "en", "en-us", "en-us", "en-gb-x-rp", "en-gb-x-rp", "en-gb-scotland", "en-gb-x-gbclan",
    "en-gb-x-gbcwmd", "en-029", "en-us-nyc",
)  # fmt: skip
"""espeak-ng's voices of the language; each has all variants. The commonest accents stand twice."""
PRONOUNCING = ("en-gb-x-rp", "en-us")
"""Those that tell how people's words are pronounced."""
ESPEAK_FILES = (
    "gmw/en", "gmw/en-US", "gmw/en-GB-x-rp", "gmw/en-GB-scotland", "gmw/en-GB-x-gbclan",
    "gmw/en-GB-x-gbcwmd", "gmw/en-029", "gmw/en-US-nyc",
)  # fmt: skip
DICTIONARIES = ("en",)

# How many parts of the data there are of each kind; those that take longest come first.
CHUNKS = {
    "units": 8, "chess": 12, "talk": 7, "flite": 7, "diphones": 7, "people": 10, "noise": 2,
    "music": 2, "accented": 7,
}  # fmt: skip
FIRST_CHUNKS = {**CHUNKS, "accented": 0}
LAST_CHUNKS = {
    "accented": 7, "units": 8, "talk": 5, "flite": 7, "diphones": 4, "people": 10, "noise": 1,
    "music": 1,
}  # fmt: skip
"""The training ends with these: more accents, and more of people's voices."""

SOURCES = {
    "units": 8, "diphones": 10, "flite": 8, "rhvoice": 8, "people": 8, "chess": 10, "talk": 8,
    "accented": 8,
}  # fmt: skip
"""The parts for a training that makes the rooms itself."""

# Festival's American voices kal and ked, British rab and don, and Czech, Finnish and Italian ones,
# all free, all real people's diphones. The foreign ones have accents and lack English sounds.
# `english=own+own …`
AMERICAN = (
    "p=p b=b t=t d=d k=k g=g f=f v=v T=th D=dh s=s z=z S=sh Z=zh tS=ch dZ=jh h=hh m=m n=n N=ng l=l "
    "r=r j=y w=w i:=iy I=ih E=eh a=ae V=ah A:=aa O:=ao U=uh u:=uw 3=er @=ax eI=ey aI=ay OI=oy "
    "aU=aw oU=ow"
)
BRITISH = (
    "p=p b=b t=t d=d k=k g=g f=f v=v T=th D=dh s=s z=z S=sh Z=zh tS=ch dZ=jh h=h m=m n=n N=ng l=l "
    "r=r j=y w=w i:=ii I=i E=e a=a V=uh A:=aa 0=o O:=oo U=u u:=uu 3:=@@ @=@ eI=ei aI=ai OI=oi "
    "aU=au oU=ou"
)
_PLAIN = "p=p b=b t=t d=d k=k g=g f=f v=v T=t D=d s=s j=j m=m n=n l=l r=r a=e V=a w=v "
CZECH = (
    _PLAIN + "z=z S=s~ Z=z~ tS=c~ h=h i:=i: I=i E=e A:=a: 0=o O:=o: U=u u:=u: @=e eI=e+j aI=a+j "
    "aU=a+u OI=o+j oU=o+u N=n*+g"
)
FINNISH = (
    _PLAIN + "z=s S=S tS=t+S h=h i:=i: I=i E=e A:=a: 0=o O:=o: U=u u:=u: @=e eI=e+i aI=a+i aU=a+u "
    "OI=o+i oU=o+u N=N"
)
ITALIAN = (
    _PLAIN + "z=z S=S i:=i1 I=i E=E A:=a1 0=O O:=O1 U=u u:=u1 @=e eI=e+i aI=a+i aU=a+u OI=O+i "
    "oU=o+u N=ng+g"
)
FESTIVAL = {
    "kal": ("voice_kal_diphone", AMERICAN, 105, "pau", "en-us"),
    "ked": ("voice_ked_diphone", AMERICAN, 110, "pau", "en-us"),
    "rab": ("voice_rab_diphone", BRITISH, 105, "#", "en-gb-x-rp"),
    "don": ("voice_don_diphone", BRITISH, 105, "#", "en-gb-x-rp"),
}
"""Command, sounds, the person's pitch in hertz, the name of a pause, and espeak-ng's voice."""
FESTIVAL_TRAINING = ("kal", "ked", "rab", "don") * 2

# Flite's voices are made of people's sentences (CMU ARCTIC): an American woman, an American and a
# Scot. It tells when each sound ends. kal and kal16 are Festival's kal again.
FLITE_TRAINING = ("slt", "rms")
FLITE_DEV = ()
FLITE_TEST = ("awb",)
FLITE = {
    **{own: own for own in "p b t d k g f v s z m n l r w".split()},
    "th": "T", "dh": "D", "sh": "S", "zh": "Z", "ch": "tS", "jh": "dZ", "hh": "h", "ng": "N",
    "y": "j", "iy": "i:", "ih": "I", "eh": "E", "ae": "a", "ah": "V", "aa": "A:", "ao": "O:",
    "uh": "U", "uw": "u:", "er": "3", "ax": "@", "ey": "eI", "ay": "aI", "oy": "OI", "aw": "aU",
    "ow": "oU",
}  # fmt: skip
"""Our phones for its sounds; `pau` is a pause."""

# RHVoice's voices are models of people's sentences too. It does not tell when a sound ends. Those of
# the Russians evgeniy-eng and lyubov may not be changed, and are for tests.
RHVOICE_TRAINING = ("bdl", "clb")
RHVOICE_TEST = ("alan", "evgeniy-eng", "lyubov")

TRACT = {}
"""VocalTractLab's speaker is a German: he speaks no English."""

MBROLA = ("en1", "us1", "us2", "us3")
PICO = ("en-GB", "en-US")
