"""What is said in Swedish: how espeak-ng is told the words, talk, and the sentences of the sets."""

# How espeak-ng must be spelt to so that it says the Swedish chess words as people do. What stands
# in double brackets are its phonemes. The first spelling is that of the sets; MBROLA's voices, who
# are told by it too, have no retroflex n.
SPELLINGS = {
    "bella": ["[[b'Ela]]"],
    "cesar": ["Cesar", "Cesar", "Sesar", "Sässar"],
    "david": ["David", "David", "[[d'A:vId]]"],
    "felix": ["Felix", "[[f'e:lIks]]", "[[f'e:lIks]]"],
    "gustav": ["Gustav", "Gustav", "[[g'u-stav]]", "Gustaff"],
    "sju": ["sju", "sju", "schu"],
    "torn": ["torn", "[[t'u:n.]]", "[[t'u:n.]]"],
    "bonde": ["bonnde", "bonde", "bonnde"],
    "rockad": ["[[rOk'A:d]]", "[[ROk'A:d]]", "[[RUk'A:d]]", "rockad"],
    "rockerar": ["[[ROk'e:RaR]]", "[[ROk'e:RaR]]", "[[RUk'e:RaR]]"],
    "schack": ["[[sx'ak]]", "schack", "schack"],
    "schackmatt": ["[[sxakm'at]]", "schackmatt"],
    "slår": ["slår", "slår", "schlår"],
    "till": ["till", "till", "[[tI]]"],
    "tillägg": ["[[t'IlEg]]"],
    "förlåt": ["förlåt", "[[fWl.'o:t]]"],
    "toppen": ["[[t'OpE-n]]"],
    "upprepa": ["[[8pR'e:pa]]", "upprepa"],
    "sa": ["[[s'A:]]"],
    "är": ["är", "ä", "e"],
    "remi": ["[[REm'i:]]", "[[Re:m'i:]]", "[[R@m'i:]]"],
    "erbjuder": ["[[E:Rbj'u-dE-R]]", "[[ERbj'u-dE-R]]"],
    "erbjudande": ["[[E:Rbj'u-dandE-]]", "[[ERbj'u-dandE-]]"],
    "domare": ["[[d'UmaRE-]]", "domare"],
    "jag": ["ja", "jag"],
    "jadoube": ["[[Sad'u:b]]", "[[jad'u:b]]", "jadob"],
    "reklamation": ["reklamation", "[[REklamaS'u:n]]"],
    "femtio": ["femtio", "femti", "[[f'EmtIU]]"],
    "trettio": ["trettio", "tretti", "[[tR'EtIU]]"],
    "fyrtio": ["[[f'WtIU]]", "[[f'WtI]]", "fyrtio", "fyrti"],
    "tio": ["[[t'i:U]]", "tio", "[[t'i:@]]"],
    "tjugo": ["tjugo", "[[S;'u-gU]]", "[[S;'u-gE-]]"],
    "brädet": ["brädet", "bräde"],
    "draget": ["draget", "drage"],
    "antar": ["[[ant'A:R]]", "[[ant'A:R]]", "antar"],
    "avböjer": ["[[A:vb'WjE-R]]", "avböjer"],
    "varför": ["[[v'aRfWR]]", "varför"],
    "föregående": ["[[f'Y:RE-g,o:E-ndE-]]", "föregående"],
    "utförligare": ["utförligare", "[[u-tf'Y:l.IgaRE-]]"],
    "utfört": ["utfört", "[[u-tf'Y:t]]"],
    "diagonalen": ["[[dIagUn'A:lE-n]]", "[[dIagOn'A:lE-n]]"],
    "material": ["[[matE-RI'A:l]]", "[[matERI'A:l]]"],
    "regelvidrigt": ["[[R'e:gE-lv,i:dRIt]]", "regelvidrigt"],
    "alltså": ["alltså", "allså"],
    "skjuta": ["sjuta", "skjuta"],
    "hur": ["[[h'u-R]]"],
    "har": ["har", "har", "ha"],
    "mycket": ["mycket", "mycke"],
    "vad": ["[[v'A:]]", "vad"],
    "var": ["var", "[[v'A:]]"],
    "det": ["[[d'e:]]", "det"],
    "domaren": ["[[d'UmaRE-n]]", "domaren"],
    "gjort": ["[[j'u:t]]"],
    "inte": ["[['IntE-]]"],
    "remianbud": ["[[REm'i:anb,u-d]]", "remianbud"],
    "igen": ["[[Ij'En]]", "igen"],
}  # fmt: skip
CASTLINGS = (
    "kort rockad", "lång rockad", "liten rockad", "stor rockad", "rockad kort", "rockad lång",
    "rockad", "rockerar kort", "rockerar långt", "jag rockerar",
)  # fmt: skip
"""Every form of castling, and all that the grammar has. What has no side is asked about."""

COSTS = {}

DICTIONARY = "/usr/share/dict/swedish"
ENCODING = "latin-1"
WORD = r"[a-zåäöé]{3,12}"
"""The words of the dictionary that are taken: Debian's wswedish."""
ONSETS = (
    "b d f g h j k l m n p r s t v st sp sk sj tj skj kl br tr kv pl kn gr bl fl sl fr sn str skr"
).split()
NUCLEI = "a e i o u y å ä ö a e o u ej aj öj".split()
CODAS = ["", "", "n", "r", "l", "s", "t", "ck", "m", "ff", "k", "st", "ng", "rn", "nd", "rt", "rs"]

SUBJECTS = (
    "jag du han hon vi ni de man motståndaren min_vän kvinnan barnet någon ingen domaren din_bror"
).split()
VERBS = (
    "har hade är var går kommer ser gör spelar tar drar tänker tror säger vill kan måste skulle "
    "blir hittar står ligger åker behöver känner köper lär skriver läser hör väntar gillar fick"
).split()
FILLERS = (
    "också ännu redan bara kanske idag imorgon alltid aldrig inte mer mycket bra väl ofta här där "
    "då nu ju helt igen hemma i_stan på_kvällen med_tåget på_gatan klockan_åtta i_tre_år "
    "för_fyra_dagar_sedan till_doktorn hos_oss en_gång_till den_första lite häromdagen i_morse"
).split()
STARTS = "och men så jaha för_att om när nja okej ursäkta igår du_vet alltså_öh ja_men".split()
CHESS_TALK = (
    "{p} står bra på {s}", "jag tror att {p} går till {s}", "varför inte {p} på {s}",
    "om han tar min {p} förlorar han partiet", "det var ett fint drag med {p}",
    "såg du hans {p} på {s}", "hans {p} på {s} är svag", "min {p} hänger", "han bjöd remi",
    "hur mycket är klockan", "vem vann förra partiet", "efter rockaden står {p} bättre",
    "sedan slår han på {s} och vinner", "linjen {f} är öppen", "rutan {s} är svag",
    "jag missade {p}", "han sa schack men det var ingen schack", "jag drar hellre med {p}",
    "han rockerade för tidigt", "hon gav upp i trettionde draget", "du tryckte för sent",
)  # fmt: skip

# Sentences of the development and the test set.
DEV_TEXTS = (
    "jag pratade med min bror i telefon igår", "var ligger närmaste toalett",
    "kan du hämta ett glas vatten åt mig", "vädret blir bättre igen imorgon",
    "tävlingsledaren kommer om fem minuter", "min motståndare är väldigt långsam idag",
    "springaren står bra på felix tre", "varför slog du inte löparen",
    "om jag går till eva åtta med tornet är han matt", "damen står dåligt",
    "jag spelar kanske hellre ett bonddrag nu", "hur många drag har vi kvar",
    "sista bussen hem går kvart i åtta", "har du redan ätit",
    "fjärde ronden börjar inte förrän sju på kvällen", "han tappade sitt torn",
    "please be quiet during the game", "seien Sie bitte still", "tack så mycket",
    "jag skulle vilja ha två bullar och en kaffe", "ursäkta är den här platsen ledig",
)  # fmt: skip
TEST_TEXTS = (
    "på lördag ska vi hälsa på mina föräldrar i Västerås", "har du möjligtvis en penna",
    "värmen har gått sönder igen", "vi ses efter maten då",
    "i tredje partiet vann jag ett torn", "hans kung står fortfarande i mitten",
    "bonden på gustav sju går knappt att hålla", "jag räknar med löpare slår hector sju",
    "nej det var ju igår kväll", "kan du stänga fönstret är du snäll",
    "när springaren är borta från felix tre kommer damen", "vilket vackert angrepp",
    "anna och david är lediga klockan fyra", "felix har åtta poäng på nio ronder",
    "min dotter lär sig spela piano", "tåget till Malmö är försenat",
    "could you open the door please", "il fait très beau aujourd'hui", "god morgon allihop",
    "han tackade nej till remi och förlorade sedan", "klockan går fortfarande var tyst",
)  # fmt: skip
