"""Each detector alone: what it finds, and what looks alike and is not meant."""

from __future__ import annotations

import pytest

from adhominem.instrument.linguistics.habits import find_habits

CASES: list[tuple[str, str, list[str]]] = [
    ("punctuation mark", "Well, yes; (really): no - never.", [",", ";", "(", ")", ":", "-"]),
    ("punctuation mark", "It was good. Really good.", []),
    (
        "accumulated punctuation",
        "What?! No... Yes!! So -- so. . . .",
        ["?!", "...", "!!", "--", ". . . ."],
    ),
    ("accumulated punctuation", "At 5 p.m., we left (at last).", []),
    ("special character", "R&B at 5% @ home * now", ["&", "%", "@", "*"]),
    ("special character", "Nice :-) and 👍🏽", [":-)", "👍🏽"]),
    ("special character", "It donâ€™t count", []),
    ("accumulated special characters", "***** for $$$ at C++", ["*****", "$$$", "C++"]),
    ("missing white space", "Nice.The end,really!Yes", ["Nice.The", "end,really"]),
    ("missing white space", "At 10:30 a.m. the U.S. e.g. 3.5 room(s) No.5 and/or", []),
    ("missing characters", "We didnt know im here", ["didnt", "im"]),
    ("missing characters", "He lets us in; its well, were ill.", []),
    ("surplus characters", "helpfull staff, accross", ["helpfull", "accross"]),
    ("substituted characters", "I recieve, thier", ["recieve", "thier"]),
    ("substituted characters", "graspings, yappiness and chuckers", []),
    ("substituted characters", "A xylophone, a pterodactyl and a chrysanthemum.", []),
    ("lower for upper case", "in london on monday. it rained", ["in", "london", "monday", "it"]),
    ("lower for upper case", "Wait... what? It cost approx. five pounds.", []),
    (
        "upper for lower case",
        "It has 4 Stars and friendly Staff there. This Hotel If You Get In",
        ["Stars", "Staff", "This Hotel If You Get In"],
    ),
    ("upper for lower case", "The Strip, Mount Fuji and Room 5", []),
    ("continuous capitals", "I am NOT happy, it was VERY BAD indeed", ["NOT", "VERY BAD"]),
    ("continuous capitals", "The BBC and NATO in the USA on TV", []),
    ("faulty compound spelling", "alot of hotelroom light", ["alot", "hotelroom"]),
    ("faulty compound spelling", "the bathroom downstairs", []),
    ("faulty separate spelling", "the bath room and the week end", ["bath room", "week end"]),
    ("faulty separate spelling", "check out the hot dog, may be", []),
    ("acronym", "The BBC, the U.S. and a B&B, lol", ["BBC", "U.S.", "B&B", "lol"]),
    ("acronym", "Henry VIII said NO and I AM here", []),
    ("abbreviation without full stop", "Dr Who, etc and 5 mins", ["Dr", "etc", "mins"]),
    ("abbreviation without full stop", "Dr. Who, etc. and the minister", []),
    ("unusual abbreviation", "w/ ppl and w/o pics", ["w/", "ppl", "w/o", "pics"]),
    ("British spelling", "the colour of the theatre, realised", ["colour", "theatre", "realised"]),
    ("British spelling", "Theatre lovers at the Globe Theatre", ["Theatre"]),
    ("American spelling", "the color of the theater, realized", ["color", "theater", "realized"]),
    ("American spelling", "check the meter and the tire", []),
    ("foreign word", "merci for the soufflé and the playa", ["merci", "playa"]),
    ("foreign word", "the café and the decor of Piazza della Signoria", []),
    ("interjection", "Hmm, ugh, er, yikes!", ["Hmm", "ugh", "er", "yikes"]),
    ("slang", "a comfy, crappy gizmo of a dude", ["comfy", "crappy", "dude"]),
    ("alternative spelling", "sooo kinda gonna thru", ["sooo", "kinda", "gonna", "thru"]),
    ("alternative spelling", "misssing", []),
    ("alternative spelling", "livin' and goin' within' reason", ["livin", "goin'"]),
    ("non-standard grammar", "He has took it, we seen it", ["has took", "we seen"]),
    ("non-standard grammar", "I would of gone; you couldn't of", ["would of", "couldn't of"]),
    (
        "non-standard grammar",
        "Your not alone, its way to early, more then ok",
        ["Your", "to", "then"],
    ),
    ("non-standard grammar", "Their is there own bath, you're own", ["Their", "there", "you're"]),
    ("non-standard grammar", "I would of course go. The might of the sea is better then, too.", []),
    (
        "non-standard grammar",
        "Have we seen it? Your room is better. Then we left.",
        [],
    ),
    ("neologism", "a islandy, hotelish, unrelaxing room", ["islandy", "hotelish", "unrelaxing"]),
    ("neologism", "totaly friendy particulary noisey", []),
    ("verb in first position", "Loved it here. Would stay again.", ["Loved", "Would"]),
    (
        "verb in first position",
        "Won't be back soon. Highly recommend it.",
        ["Won't", "Highly recommend"],
    ),
    ("verb in first position", "Would you go? Will Smith would. Had we known it. Go there.", []),
    (
        "proper noun",
        "We met Kuklinski near the Place de la Concorde",
        ["Kuklinski", "Place de la Concorde"],
    ),
    ("proper noun", "The house was old. Great rooms.", []),
    ("name as common noun", "on facebook and youtube", ["facebook", "youtube"]),
    ("misspelt proper noun", "in San Fransisco at the Marriot", ["Fransisco", "Marriot"]),
    ("misspelt proper noun", "in San Francisco with Kuklinski", []),
    (
        "similar expression",
        "whilst near by, until now; I cannot",
        ["whilst", "near by", "until", "cannot"],
    ),
    ("similar expression", "in a while", ["a while"]),
    ("noun with digits", "a 5-star, 3-night stay in room12", ["5-star", "3-night", "room12"]),
    ("noun with digits", "the 2nd at 10am in the 60s for 30km, covid 19", []),
    ("repeated mistake", "alot and alot, definately", ["alot", "alot"]),
]


@pytest.mark.parametrize(("category", "text", "expected"), CASES)
def test_finds(category: str, text: str, expected: list[str]) -> None:
    found = [hit.surface for hit in find_habits(text).hits if hit.category == category]
    assert found == expected


@pytest.mark.parametrize(
    ("misspelt", "intended"),
    [
        *(("accomodation", "accommodation"), ("seperate", "separate"), ("wierd", "weird")),
        *(("restaraunt", "restaurant"), ("becuase", "because"), ("occured", "occurred")),
        *(("freindly", "friendly"), ("recomend", "recommend"), ("beleive", "believe")),
        *(("neccessary", "necessary"), ("wich", "which"), ("dont", "don't"), ("im", "I'm")),
        *(("tolietries", "toiletries"), ("noisey", "noisy"), ("childrens", "children's")),
    ],
)
def test_the_intended_word(misspelt: str, intended: str) -> None:
    assert intended in [hit.intended for hit in find_habits(f"Well the {misspelt} was").hits]
