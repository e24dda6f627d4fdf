"""What is said in English: how espeak-ng is told the words, talk, and the sentences of the sets."""

# How synthesisers must be spelt to so that they say the chess words as people do.
SPELLINGS = {
    "cesar": ["Seezer", "Cesar", "Saysar", "Seizah", "Caesar"],
    "eva": ["Eva", "Eighva", "Eeva", "Aivah"],
    "david": ["David", "David", "David", "Dahveed"],
    "hector": ["Hector", "Hector", "Hecktor"],
    "gustav": ["Gustav", "Gustav", "Goostahv", "Gustahv"],
    "anna": ["Anna", "Anna", "Ahna"],
    "felix": ["Felix", "Feelix", "Fellix"],
    "jadoube": ["zhadoob", "jadoob", "zhahdoob"],
    "takeback": ["take back"],
    "kingside": ["king side", "kingside"],
    "queenside": ["queen side", "queenside"],
    "checkmate": ["checkmate", "check mate"],
    "i": ["I"],
    "a": ["eigh"],
    "b": ["bee"], "c": ["see"], "d": ["dee"], "e": ["ee"], "f": ["ef"], "g": ["jee"],
    "h": ["aitch"],
}  # fmt: skip
CASTLINGS = (
    "short castling", "long castling", "castle short", "castle long", "castle kingside",
    "castle queenside", "kingside castling", "queenside castling", "castling short",
    "castling long", "castling kingside", "castling queenside", "castles short", "castles long",
    "castles kingside", "castles queenside", "short castle", "long castle", "kingside castle",
    "queenside castle", "castling", "castle", "castles",
)  # fmt: skip
"""Every form of castling, and all that the grammar has. What has no side is asked about."""

# "Pawn" is often said as little more than "on", which begins few moves.
COSTS = {"on_alone": 6.0, "file_alone": 2.0, "on_to": 1.0, "promotes_to": 0.0}

DICTIONARY = "/usr/share/dict/british-english"
ENCODING = "utf-8"
WORD = r"[a-z]{3,12}"
"""The words of the dictionary that are taken: Debian's wbritish."""
ONSETS = (
    "b d f g h j k l m n p r s t w z sh st sp kl br tr th ch qu cr gr bl fl sn fr sl thr str pl y v"
).split()
NUCLEI = "a e i o u ee oo ai ou ea oa er ar or ow igh aw".split()
CODAS = ["", "", "n", "r", "l", "s", "t", "ck", "m", "ff", "k", "st", "ng", "ght", "nd", "p", "x"]

SUBJECTS = (
    "I you he she we they people my_opponent my_friend the_woman the_child somebody nobody "
    "the_arbiter your_brother"
).split()
VERBS = (
    "have had was went came saw made played took moved think thinks believe said want can_see "
    "must_be will_find stood lay drove need know brought learned wrote read heard waited like "
    "got would_say could_do should_go"
).split()
FILLERS = (
    "also still already just perhaps today tomorrow always never not more very good well often "
    "here there then now only quite again at_home in_town in_the_evening by_train on_the_street "
    "at_eight_o'clock for_three_years four_days_ago to_the_doctor with_us one_more_time "
    "the_first_one a_little the_other_day this_morning"
).split()
STARTS = "and but so well because that if when oh_well okay excuse_me yesterday you_know".split()
CHESS_TALK = (
    "the {p} is good on {s}", "I think the {p} goes to {s}", "why not {p} on {s}",
    "if he takes the {p} he loses the game", "that was a lovely move with the {p}",
    "did you see the {p} on {s}", "the {p} on {s} is weak", "my {p} is hanging",
    "he offered a draw", "what time is it on the clock", "who won the last game",
    "after castling the {p} is better", "then he takes on {s} and wins",
    "the {f} file is open", "the square {s} is weak", "I overlooked the {p}",
    "he said check but it was no check", "I would rather move the {p}",
    "he castled too early", "she resigned on move thirty", "you pressed the clock too late",
)  # fmt: skip

# Sentences of the development and the test set.
DEV_TEXTS = (
    "I talked to my brother on the phone yesterday", "where is the nearest toilet please",
    "could you bring me a glass of water", "the weather will be better again tomorrow",
    "the tournament director will be here in five minutes", "my opponent is very slow today",
    "the knight is well placed on felix three", "why didn't you take the bishop",
    "if I go to eva eight with the rook he is mated", "the queen is badly placed",
    "maybe I would rather play a pawn move now", "how many moves do we have left",
    "the last bus home leaves at a quarter to eight", "have you eaten already",
    "the fourth round does not start before seven in the evening", "he lost his rook",
    "seien Sie bitte still", "je ne comprends pas ce coup", "thank you very much",
    "I would like two rolls and a coffee", "excuse me is this seat free",
)  # fmt: skip
TEST_TEXTS = (
    "on Saturday we are going to visit my parents in Leeds", "do you happen to have a pen",
    "the heating has broken down again", "see you after lunch then",
    "in the third game I won a rook", "his king is still in the middle",
    "the pawn on gustav seven can hardly be held",
    "I am reckoning with bishop takes hector seven",
    "no that was last night", "would you close the window please",
    "once the knight has gone from felix three the queen comes", "what a beautiful attack",
    "anna and david are free at four o'clock", "felix has eight points out of nine rounds",
    "my daughter is learning to play the piano", "the train to Brighton is late",
    "könnten Sie bitte die Tür aufmachen", "il fait très beau aujourd'hui", "good morning everyone",
    "he declined the draw and then he lost", "the clock is still running please be quiet",
)  # fmt: skip
