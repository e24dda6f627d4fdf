"""What is said in German: how espeak-ng is told the words, talk, and the sentences of the sets."""

# How espeak-ng must be spelt to so that it says the German chess words as people do.
SPELLINGS = {
    "cesar": ["Zesar", "Zehsar", "Zäsar", "Zehsahr"],
    "eva": ["Eva", "Efa", "Ewa"],
    "david": ["David", "Dafid", "Dawitt"],
    "hector": ["Hektor", "Hector"],
    "gustav": ["Gustav", "Gustaff"],
    "anna": ["Anna", "Annah"],
    "bella": ["Bella", "Bellah"],
    "könig": ["König", "König", "Könick"],
    "schlägt": ["schlägt", "schläkt", "schleekt"],
    "rochade": ["Roschade", "Rochade", "Rohschade"],
    "remis": ["Remie", "Römie", "Rehmie"],
    "jadoube": ["schaduhp", "schahduhp", "schadupp"],
    "zug": ["Zug", "Zuck", "Zuhg"],
    "sieben": ["sieben", "siebn", "siebm"],
    "fünf": ["fünf", "fünf", "fümf"],
    "a": ["ah"], "b": ["beh"], "c": ["zeh"], "d": ["deh"],
    "e": ["eh"], "f": ["eff"], "g": ["geh"], "h": ["hah"],
}  # fmt: skip
CASTLINGS = (
    "kurze rochade", "lange rochade", "kleine rochade", "große rochade", "rochade kurz",
    "rochade lang", "rochade", "rochiere kurz", "rochiere lang", "ich rochiere",
)  # fmt: skip
"""Every form of castling, and all that the grammar has. What has no side is asked about."""

# What the grammar of this language pays that others do not (`hearing/grammar.py`).
COSTS = {}

DICTIONARY = "/usr/share/dict/ngerman"
ENCODING = "utf-8"
WORD = r"[A-Za-zäöüÄÖÜß]{3,12}"
"""The words of the dictionary that are taken: Debian's wngerman."""
ONSETS = (
    "b d f g h j k l m n p r s t w z sch st sp kl br tr pf schl zw qu kn gr bl fr schr schw dr"
).split()
NUCLEI = "a e i o u ä ö ü ei au eu ie ah eh oh uh".split()
CODAS = ["", "", "n", "r", "l", "s", "t", "ch", "m", "f", "k", "st", "ng", "cht", "nz", "rt", "lf"]

SUBJECTS = "ich du er sie wir ihr man der_Gegner mein_Freund die_Frau das_Kind jemand".split()
VERBS = (
    "habe hat ist war kommt geht sieht macht spielt nimmt zieht denkt glaubt sagt will kann muss "
    "wird findet steht liegt fährt braucht kennt bringt lernt schreibt liest hört wartet"
).split()
FILLERS = (
    "auch noch schon gerade wohl vielleicht heute morgen immer nie nicht mehr sehr gut gern oft "
    "hier dort dann jetzt eben doch nur ganz wieder zu_Hause in_der_Stadt am_Abend mit_dem_Zug "
    "auf_der_Straße um_acht_Uhr seit_drei_Jahren vor_vier_Tagen zum_Arzt bei_uns nach_Hause"
).split()
STARTS = "und aber also ja_ähm weil dass wenn na_ja ach_so entschuldigung gestern".split()
CHESS_TALK = (
    "der {p} steht gut auf {s}", "ich glaube der {p} kommt nach {s}", "warum nicht {p} auf {s}",
    "wenn er den {p} nimmt verliert er die Partie", "das war ein schöner Zug mit dem {p}",
    "hast du den {p} auf {s} gesehen", "der {p} auf {s} ist schwach", "mein {p} hängt",
    "er bietet remis an", "wie spät ist es auf der Uhr", "wer hat die letzte Partie gewonnen",
    "nach der Rochade steht der {p} besser", "dann schlägt er auf {s} und gewinnt",
    "die {f} Linie ist offen", "das Feld {s} ist schwach", "ich habe den {p} übersehen",
    "er hat Schach gesagt aber es war kein Schach", "ich ziehe lieber mit dem {p}",
)  # fmt: skip

# Sentences of the development and the test set.
DEV_TEXTS = (
    "ich habe gestern mit meinem Bruder telefoniert", "wo ist hier die nächste Toilette",
    "kannst du mir bitte ein Glas Wasser bringen", "das Wetter wird morgen wieder besser",
    "der Turnierleiter kommt in fünf Minuten", "mein Gegner ist heute sehr langsam",
    "der Springer ist gut auf Felix drei", "warum hast du nicht den Läufer geschlagen",
    "wenn ich mit dem Turm nach Eva acht gehe ist er matt", "die Dame steht schlecht",
    "vielleicht spiele ich jetzt lieber einen Bauernzug", "wie viele Züge haben wir noch",
    "um drei viertel acht fährt der letzte Bus nach Hause", "hast du schon gegessen",
    "die vierte Runde beginnt erst um sieben Uhr abends", "er hat seinen Turm eingestellt",
    "please be quiet during the game", "je ne comprends pas ce coup", "danke schön",
    "ich hätte gern zwei Brötchen und einen Kaffee", "entschuldigung ist dieser Platz frei",
)  # fmt: skip
TEST_TEXTS = (
    "am Samstag besuchen wir meine Eltern in Dresden", "haben Sie vielleicht einen Kugelschreiber",
    "die Heizung ist schon wieder ausgefallen", "wir sehen uns dann nach dem Essen",
    "in der dritten Partie habe ich einen Turm gewonnen", "sein König steht noch in der Mitte",
    "der Bauer auf Gustav sieben ist kaum zu halten",
    "ich rechne mit Läufer schlägt Hector sieben",
    "nein das war doch schon gestern Abend", "machst du bitte das Fenster zu",
    "wenn der Springer von Felix drei weg ist kommt die Dame", "was für ein schöner Angriff",
    "Anna und David haben um vier Uhr Zeit", "Felix hat acht Punkte aus neun Runden",
    "meine Tochter lernt gerade Klavier spielen", "der Zug nach Hamburg hat Verspätung",
    "could you open the door please", "il fait très beau aujourd'hui", "guten Morgen zusammen",
    "er hat das Remis abgelehnt und dann verloren", "die Uhr läuft noch bitte nicht stören",
)  # fmt: skip
