"""What is said in Danish: how espeak-ng is told the words, talk, and the sentences of the sets."""

# espeak-ng's phonemes of the chess words as people say them, where it would say them otherwise or
# in one way only. A `?` before a vowel makes it short; elsewhere it is the catch in the throat
# (stød) that many have there.
_SAID = {
    "anna": "'?&n?& '?&n?& '?An?&",
    "bodil": "b'od?il b'oD?il b'Od?il",
    "cecilie": "s?es'ilj@ s?es'i:li@",
    "cesar": "s'esA s'EsA s'es?& ts'es?A",
    "david": "d'&v?iD d'&v?iD d'Av?iD d'&v?it",
    "erik": "'eR?Ek '?eR?ek",
    "eva": "'ev?& 'e:v?& 'ev?A",
    "frederik": "fR'?ED@-R?Ek fR'?EDR?Ek fR'?eDR?Ek",
    "felix": "f'el?iks f'?El?iks",
    "gustav": "g'ust?Aw g'ust?Aw g'?ust?&w g'ust?Af g'?ost?Aw g'ust?Av",
    "henrik": "h'?EnR?Ek h'?EnR?Ek h'?EnR?ik",
    "hector": "h'?Ekt?V h'?Ekd?V h'?EktO h'?ekt?V",
    "a": "'?& '&: '&:?",
    "b": "b'e: b'e b'e:?",
    "c": "s'e: s'e s'e:?",
    "d": "d'e: d'e d'e:?",
    "e": "'e: '?e 'e:?",
    "f": "'?Ef",
    "g": "g'e: g'e g'e:?",
    "h": "h'O: h'O h'0:?",
    "et": "'?et 'et '?et '?Et 'e:n",
    "eins": "'aIns 'Ajns",
    "to": "t'o: t'o t'?o t'o:?",
    "zwei": "tsv'Aj sv'Aj tsv'aI",
    "tre": "tR'E: tR'?E tR'E tR'E?",
    "drei": "dR'Aj dR'aI",
    "fire": "f'i?V f'i:?V",
    "vier": "f'i3- f'i:?V",
    "fem": "f'?Em f'?Em f'?Em?",
    "fünf": "f'?ynf f'Ynf",
    "seks": "s'?Eks s'?Eks s'?eks",
    "sechs": "s'?Eks",
    "syv": "s'yw s'yw s'yv s'yw?",
    "sieben": "s'ib@n s'ibm",
    "otte": "'O:t@ '0:d@ '0:d@ '0t@ 'Ot@- '0:d '?ot@",
    "acht": "'?Axt '?Akt '?Axt",
    "konge": "k'?VN@ k'?VN@- k'?0N@ k'?VN",
    "könig": "k'Wnik k'YniC k'WniS k'Yni",
    "dronning": "dR'?Vn?eN dR'?0n?eN dR'?Vn?iN",
    "dame": "d'&m@ d'&:m@- d'&:m",
    "tårn": "t'O:n t'O3-n t'0:n t'O:?n",
    "turm": "t'?u3-m t'?03-m",
    "løber": "l'Y:b?V l'Yb?V l'W:b?V l'Y:w?V",
    "läufer": "l'0jf?V l'Ojf?V l'Vjf?V",
    "springer": "spR'?EN?V spR'?eN?V spR'?EN?V spR'?iN?V",
    "bonde": "b'?0n@ b'?0n@- b'?on@ b'?0n",
    "bauer": "b'Aw?V",
    "kort": "k'O:t k'?0t k'?03-t",
    "kurze": "k'?u3-ts@ k'?03-ts@ k'?u3-s@",
    "lang": "l'?AN l'?AN l'?AN?",
    "lange": "l'?AN@ l'?AN@-",
    "rokade": "R?ok'&:D@ R?ok'&:D@- R?ok'&:D",
    "rochade": "R?oS'&:D@ R?oS'&:d@ R?0h'&:d@",
    "lille": "l'?il@ l'?il@- l'?el@",
    "kleine": "kl'Ajn@ kl'aIn@",
    "store": "st'o?V st'o:?V st'O:?V",
    "große": "gR'o:s@ gR'os@-",
    "rokerer": "R?ok'e?V R?ok'e:?V",
    "slår": "sl'O: sl'O3- sl'O sl'O:?",
    "schlägt": "Sl'Ekt Sl'?ekt",
    "til": "t'?el t'?il t?el",
    "på": "p'?0 p'?O p?0 p'0:?",
    "fra": "fR'?A fR'A",
    "skak": "sk'?Ak",
    "mat": "m'?&t",
    "skakmat": "sk'?Akm,?&t sk,?Akm'?&t",
    "forvandling": "f?Vv'?&nl?eN f?0v'?&nl?eN f?Vv'?&nl?iN",
    "nej": "n'Aj n'aI n'Aj?",
    "stop": "st'?Vp st'?0p",
    "rettelse": "R'?&t@ls@ R'?&d@ls@ R'?At@ls@ R'?Et@ls@ R'?Atls@",
    "gentag": "g'?Ent,& g'?Ent,&g g'?Ent,&j",
    "træk": "tR'?Ak tR'?&k tR'?Ek tR'?&k",
    "er": "?E3- ?&3- '?E3-",
    "trækket": "tR'?Ak@D tR'?&k@-D tR'?&g@D tR'?Ek@D",
    "trækker": "tR'?Ak?V tR'?&k?V tR'?&g?V tR'?Ek?V",
    "remis": "R?em'i R?em'i: R?Em'i R?em'i:?",
    "modtaget": "m'oDt,&@D m'ot,&@D m'oDt,&j@D",
    "afslået": "'Awsl,O@D '&wsl,O@D",
    "opgiver": "'?Vpg,i?V '?0pg,i?V '?Vpg,iv?V",
    "dommer": "d'?Vm?V d'?0m?V",
    "jeg": "jAj j'Aj ja",
    "retter": "R'?&t?V R'?&d?V R'?At?V R'?Et?V",
    "jadoube": "S?&d'up S?&d'ub S?Ad'ub j?&d'ub@",
    "reklamation": "R?ekl?&m?&S'o:n R?Ekl?&m?&S'on",
    "stilling": "st'?el?eN st'?il?eN st'?el?iN",
    "halvtreds": "h?&ltR'?Es h?AltR'?Es",
    "tryk": "tR'?Wk tR'Yk",
    "brættet": "bR'?At@D bR'?&d@D bR'?&t@-D bR'?Et@D",
    "brætter": "bR'?At?V bR'?&d?V bR'?&t?V bR'?Et?V",
    "brikker": "bR'?ek?V bR'?Ek?V bR'?Eg?V",
    "altså": "'?&ls,0 '?Als,0",
    "forrige": "f'O:i@ f'?VR?i@ f'?0R?i@",
    "hvorfor": "v'0f?V v'0f,0 v?Vf'?V v'of,O",
    "kortere": "k'O:t?V k'O:d?V k'03-t?V",
    "begynd": "b?eg'?Wn b?eg'Yn b@g'Yn",
    "her": "h'?E3- h'E: h'?&3-",
    "sorte": "s'03-t@ s'O:t@ s'o3-d@",
    "sige": "s'i@ s'i:",
    "sig": "s'i: s'i",
    "tyve": "t'yw@ t'y:v@ t'y:w",
    "tredive": "tR'?ADv@ tR'?EDv@ tR'?&Dv@",
    "fyrre": "f'W?V f'WR@",
    "giver": "g'i?V g'i:v?V",
    "tager": "t'A t'&?V t'A?V",
    "meget": "m'Aj@D m'&j@D m'A:D",
    "hvad": "v?& v'& v'&D",
    "det": "d?e d?E d'e",
    "ulovligt": "'ul,Vwlit 'ul,0wlit",
    "intet": "'?ent@D '?end@D '?int@-D",
    "gevinstforsøg": "g?ev'?enstf?Vs,Wj g?ev'?enstf?Vs,Yj g?ev'?enstf?Vs,Wg",
    "trukket": "tR'?0k@D tR'?0g@D tR'?ok@D",
    "udsætte": "'uDs,?Et@ 'uDs,?Ed@ 'us,?Et@",
    "gå": "g'0: g'0?",
    "tid": "t'iD t'i:D t'iD?",
    "hjælp": "j'?Elp",
    "nå": "n'0 n'O",
    "hov": "h'?Vw h'?0w",
    "tabt": "t'?Apt",
}  # fmt: skip
SPELLINGS = {word: [f"[[{form}]]" for form in said.split()] for word, said in _SAID.items()}
CASTLINGS = (
    "kort rokade", "lang rokade", "lille rokade", "store rokade", "rokade kort", "rokade lang",
    "rokade", "rokerer kort", "rokerer lang", "jeg rokerer", "kurze rochade", "lange rochade",
    "kleine rochade", "große rochade", "rochade",
)  # fmt: skip
"""Every form of castling, and all that the grammar has. What has no side is asked about."""

COSTS = {}

DICTIONARY = "/usr/share/dict/danish"
ENCODING = "utf-8"
WORD = r"[a-zæøåé]{3,12}"
"""The words of the dictionary that are taken: Debian's wdanish."""
ONSETS = (
    "b d f g h j k l m n p r s t v sk st sp kl br tr bl fl kr gr fr sl pl sn kn hv str spr skr "
    "tj sj"
).split()
NUCLEI = "a e i o u y æ ø å ej øj av ov ar er or år ær ør ig".split()
CODAS = ["", "", "n", "r", "l", "s", "t", "d", "k", "m", "f", "g", "st", "ng", "nd", "ld", "sk"]

SUBJECTS = (
    "jeg du han hun vi de man min_modstander min_ven kvinden barnet nogen ingen dommeren din_bror"
).split()
VERBS = (
    "har havde er var kommer kom går gik så laver spiller spillede tager tog flytter tror tænker "
    "synes sagde vil kan_se må_være skal_finde stod ligger kørte mangler kender bragte lærte "
    "skrev læste hører venter fik kunne_gøre skulle_gå"
).split()
FILLERS = (
    "også stadig allerede bare måske i_dag i_morgen altid aldrig ikke mere meget godt ofte gerne "
    "her der så nu kun ganske igen hjemme i_byen om_aftenen med_toget på_gaden klokken_otte "
    "i_tre_år for_fire_dage_siden til_lægen hos_os en_gang_til den_første lidt forleden_dag "
    "i_morges dog vist nok jo sikkert"
).split()
STARTS = "og men så fordi at hvis når nå okay undskyld i_går du_ved ja_ja nej_men hør".split()
CHESS_TALK = (
    "{p} står godt på {s}", "jeg tror {p} går til {s}", "hvorfor ikke {p} på {s}",
    "hvis han tager med {p} taber han partiet", "det var et flot træk med {p}",
    "så du {p} på {s}", "{p} på {s} er svag", "min {p} hænger", "han tilbød remis",
    "hvad er klokken på uret", "hvem vandt det sidste parti", "efter rokaden er {p} bedre",
    "så slår han på {s} og vinder", "{f} linjen er åben", "feltet {s} er svagt",
    "jeg overså {p}", "han sagde skak men det var ikke skak", "jeg ville hellere flytte {p}",
    "han rokerede for tidligt", "hun gav op efter tredive træk", "du trykkede for sent på uret",
)  # fmt: skip

# Sentences of the development and the test set.
DEV_TEXTS = (
    "jeg talte med min bror i telefonen i går", "hvor er det nærmeste toilet",
    "vil du give mig et glas vand", "vejret bliver bedre igen i morgen",
    "turneringslederen er her om fem minutter", "min modstander er meget langsom i dag",
    "springeren står godt på felix tre", "hvorfor tog du ikke løberen",
    "hvis jeg går til eva otte med tårnet er han mat", "dronningen står dårligt",
    "måske vil jeg hellere flytte en bonde nu", "hvor mange træk har vi tilbage",
    "den sidste bus kører kvart i otte", "har du allerede spist",
    "fjerde runde begynder ikke før klokken syv i aften", "han tabte sit tårn",
    "seien Sie bitte still", "could you be quiet please", "mange tak for hjælpen",
    "jeg vil gerne have to boller og en kop kaffe", "undskyld er den plads ledig",
)  # fmt: skip
TEST_TEXTS = (
    "på lørdag skal vi besøge mine forældre i Aarhus", "har du tilfældigvis en kuglepen",
    "varmen er gået i stykker igen", "så ses vi efter frokost",
    "i tredje parti vandt jeg et tårn", "hans konge står stadig i midten",
    "bonden på gustav syv kan næppe holdes", "jeg regner med løber slår hector syv",
    "nej det var i går aftes", "vil du være sød at lukke vinduet",
    "når springeren er væk fra felix tre kommer dronningen", "sikke et smukt angreb",
    "anna og david har fri klokken fire", "felix har otte point i ni runder",
    "min datter lærer at spille klaver", "toget til Odense er forsinket",
    "könnten Sie bitte die Tür aufmachen", "the clock is still running", "godmorgen alle sammen",
    "han afslog remis og så tabte han", "uret går stadig vær venligst stille",
)  # fmt: skip
