"""Checks that what a verdict says holds: twelve faults of an earlier model, before and now.

    python experiments/truth.py adhominem hotels.pairs.jsonl.gz --mails list.pairs.jsonl.gz \
        -o results/truth.json

The faults, the figures before and the tests that guard against each stand in `truth.json` beside
this file. The new figures are computed here on labelled pairs of development authors, or taken over
from what other experiments measured on test authors.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import adhominem
from adhominem.errors import AdhominemError
from adhominem.files import write_whole
from adhominem.instrument.evidence.limits import OUT_OF_DOMAIN
from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.linguistics.rewrites import find_edits, rewrite
from adhominem.instrument.report.scales import at_bound
from adhominem.instrument.report.wording import bound_words, support_words, verdict_words
from adhominem.instrument.views.ngrams import CharacterNgrams
from adhominem.laboratory.evaluation.answers import draw, read_labelled
from adhominem.laboratory.evaluation.measures import cllr
from adhominem.records import Pair, Verdict

Figures = dict[str, Any]
CHARACTERS = CharacterNgrams(())

BEFORE = Path(__file__).with_suffix(".json")  # faults, figures of the audit, tests
GRAMMAR = ("Don't you think so?", "C + was the grade.", "We switched to AT&T.")
AS_WRITTEN, PLAIN = "I read the book.5 stars. It’s good…", "I read the book. 5 stars. It's good..."


def check_copies(
    verifier: FeatureVerifier, pairs: list[Pair], *, distinct: bool, k: int = 3
) -> Figures:
    """Every text once against every text k times, leaving out repeated text or not."""
    same = np.array([bool(pair.same_author) for pair in pairs])
    copied = [replace(pair, left=pair.left * k, right=pair.right * k) for pair in pairs]
    once, often = (verifier.decide(part, distinct=distinct) for part in (pairs, copied))
    return {
        "pairs": len(pairs),
        "copies": k,
        "cllr_once": cllr(once.llr, same),
        "cllr_copied": cllr(often.llr, same),
        "largest_change": float(np.abs(often.llr - once.llr).max()),
        "verdicts_moved": int(((once.llr > 0) != (often.llr > 0)).sum()),
    }


def check_contributions(verifier: FeatureVerifier, pairs: list[Pair]) -> Figures:
    """The sum of the contributions of each decided pair."""
    agree, apart, by_occlusion = [], [], []
    for pair in pairs:
        [decision] = verifier.decide([pair])
        effects = verifier.word_effects(pair)
        if decision.verdict is Verdict.UNDECIDED or effects is None:
            continue
        line = sum(term.llr for term in decision.terms)
        total = float(effects.contributions().sum())
        agree.append((total > 0) == (decision.llr > 0))
        by_occlusion.append((float(effects.effect().sum()) > 0) == (decision.llr > 0))
        apart.append(abs(total - line))
    return {
        "pairs": len(agree),
        "sign_of_verdict": float(np.mean(agree)),
        "sign_of_verdict_by_occlusion": float(np.mean(by_occlusion)),
        "largest_difference_from_llr": max(apart),
    }


def check_stated_kind(verifier: FeatureVerifier, mails: list[Pair], stated: str) -> Figures:
    """Mails that are said to be of another kind."""
    found = list(verifier.decide([replace(pair, genre=stated) for pair in mails]))
    refused = [any(r.code == OUT_OF_DOMAIN for r in one.reasons) for one in found]
    return {
        "pairs": len(found),
        "stated": stated,
        "refused": sum(refused),
        "reliable": sum(one.reliable for one in found),
        "largest_ratio": float(10 ** max(one.llr for one in found)),
    }


def check_headlines(verifier: FeatureVerifier, pairs: list[Pair]) -> Figures:
    """Headlines that say more than the verbal scale, and bounds that are reached."""
    found = list(verifier.decide(pairs))
    bound = [one for one in found if at_bound(one)]
    decided = [one for one in found if verdict_words(one).startswith("Probably")]
    return {
        "pairs": len(found),
        "headline_without_support": sum(support_words(d.llr).startswith("no") for d in decided),
        "least_ratio_with_headline": float(10 ** min(abs(one.llr) for one in decided)),
        "at_bound": len(bound),
        "at_bound_and_said": sum(bool(bound_words(one)) for one in bound),
    }


def check_odd_texts(verifier: FeatureVerifier, text: str) -> Figures:
    """Verdicts on a text and itself, a near copy, one word sixty times, and an empty side."""
    odd = {"itself": text, "near copy": text.replace(" the ", " a ", 1), "one word": "the " * 60}
    found = {name: verifier.verify(text, other) for name, other in odd.items()}
    try:
        verifier.verify([], text)
        empty = "no error"
    except AdhominemError as error:
        empty = str(error)
    reasons = {name: [r.code for r in one.reasons] for name, one in found.items()}
    return {**reasons, "reliable": sum(one.reliable for one in found.values()), "empty": empty}


def check_cues(lift: Mapping[str, Any]) -> Figures:
    """Character sequences that tell two spellings apart, and attention to unknown misspellings."""
    one, other = (
        set(CHARACTERS.keys(CHARACTERS.codes(text)[0]).tolist()) for text in (AS_WRITTEN, PLAIN)
    )
    rows = {part["name"]: part["matched"] for part in lift["corpora"]}
    misspelt = {
        name: row["difference"]
        for name, matched in rows.items()
        for row in matched
        if row["name"] == "misspelt word, not known"
    }
    return {"sequences": len(one ^ other), "misspelt": misspelt}


def sum_reliable(rows: Iterable[Mapping[str, Any]]) -> Figures:
    """Reliable answers and how many of them were wrong, for each verdict."""
    counts: dict[str, int] = {"pairs": 0}
    for row in rows:
        counts["pairs"] += row["pairs"]
        for verdict in ("same", "different"):
            n = row.get(f"reliable_{verdict}", 0)
            wrong = round(n * (row.get(f"reliable_wrong_{verdict}") or 0))
            counts[verdict] = counts.get(verdict, 0) + n
            counts[f"{verdict}_wrong"] = counts.get(f"{verdict}_wrong", 0) + wrong
    return counts


def describe(found: Mapping[str, Any]) -> dict[str, str]:
    """The new figures of each fault in words."""
    quoted, copies, sums = found["quoted errors"], found["copies"], found["contributions"]
    pan = quoted["pan15_en_train"]
    short = found["short texts"]
    sixteen = [row for row in found["many texts"]["verdicts"] if row["texts"] >= 16]
    worst = {n: max(row["false_same"] for row in sixteen if row["texts"] == n) for n in (16, 50)}
    piles = found["many texts"]["several authors"]
    stated, sure, heads = found["stated kind"], found["reliable"], found["headlines"]
    lost = found["faithfulness"]["exchange"]
    swaps = {(row["verdict"], row["by"]): row for row in found["faithfulness"]["swaps"]}
    swap = swaps["same author", "same author"]
    odd, cues, edits = found["odd texts"], found["cues"], found["edits"]
    return {
        "quoted errors": f"the true error is inside the quoted interval in "
        f"{sum(row['inside'] for row in quoted.values())} of {len(quoted)} conditions; PAN 2015: "
        f"{pan['low']:.1%} to {pan['high']:.1%} quoted, {pan['error']:.1%} true",
        "copies": f"Cllr from {copies['cllr_once']:.2f} to {copies['cllr_copied']:.2f}, "
        f"{copies['verdicts_moved']} of {copies['pairs']} verdicts moved, largest change of log10 "
        f"LR {copies['largest_change']:.1g}",
        "short texts": "; ".join(
            f"{row['from']} to {row['to']} words: Cllr {row['cllr']:.2f}, "
            f"{100 * row['reliable']:.1f} % reliable"
            for row in short
        ),
        "many texts": f"Cllr of {min(row['cllr'] for row in sixteen):.2f} to "
        f"{max(row['cllr'] for row in sixteen):.2f} at 16 and 50 texts a side, by what a text is; "
        f"two authors called one in at most {worst[16]:.0%} at 16 and {worst[50]:.0%} at 50, which "
        "is more than calibration pairs have; "
        f"{100 * piles['refused']:.0f} % of {piles['sides']:,} piles of strangers are refused",
        "contributions": "the sum has the sign of the verdict in "
        f"{100 * sums['sign_of_verdict']:.0f} % of {sums['pairs']} decided pairs and differs "
        f"from log10 LR by {sums['largest_difference_from_llr']:.0e} at most",
        "stated kind": f"of {stated['pairs']} pairs of mails stated as {stated['stated']} "
        f"{stated['refused']} are refused as unlike them, {stated['reliable']} are reliable",
        "reliable": f"reliable “same” wrong in {sure['same_wrong']} of {sure['same']}, reliable "
        f"“different” in {sure['different_wrong']} of {sure['different']} pairs of test authors",
        "headlines": f"{heads['headline_without_support']} of {heads['pairs']} headlines without "
        f"support; the least LR with a headline is {heads['least_ratio_with_headline']:.1f}; "
        f"{heads['at_bound_and_said']} of {heads['at_bound']} bounds are named",
        "faithfulness": f"{found['faithfulness']['pairs']} pairs; words exchanged for others: the "
        f"words named take {lost['value']:.2f} of log10 LR, {lost['above_random']['value']:.2f} "
        f"more than random words and {lost['above_matched']['value']:.2f} more than words of "
        f"the same frequency; sentences swapped for others of the author: "
        f"{swap['named']['value']:.2f}, random sentences {swap['random']['value']:.2f}",
        "edits": f"{sum(old == new for old, new in edits.items())} of {len(edits)} such sentences "
        "stay as they are: " + ", ".join(f"“{new}”" for new in edits.values()),
        "odd texts": ", ".join(f"{name}: {' '.join(odd[name])}" for name in list(odd)[:3])
        + f"; {odd['reliable']} reliable; a side without texts: “{odd['empty']}”",
        "cues": f"sequences that tell them apart: {cues['sequences']}; unknown misspellings: "
        + ", ".join(f"{row['value']:+.2f} ({name})" for name, row in cues["misspelt"].items()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--mails", type=Path, required=True, help="pairs of another kind")
    parser.add_argument("--most", type=int, default=1000, help="pairs for the check of copies")
    parser.add_argument("--explained", type=int, default=100, help="pairs that are explained")
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", type=Path, required=True)
    arguments = parser.parse_args()
    verifier = require_features(adhominem.load(arguments.model), "a {kind} model has no features")
    chosen = draw(read_labelled(arguments.pairs), arguments.most, seed=arguments.seed)
    mails = draw(read_labelled(arguments.mails), arguments.most, seed=arguments.seed)
    explained = draw(chosen, arguments.explained, seed=arguments.seed)
    kinds, others, voices, faithfulness, lift = (
        json.loads((arguments.results / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("kinds", "other-genres", "voices", "faithfulness", "lift")
    )
    many = [row for row in voices["many texts"] if row["pairs"]]
    single = [*kinds["stated"]["kinds"].values(), *kinds["not stated"]["kinds"].values()]
    figures: dict[str, Any] = {
        "quoted errors": others["quoted"],
        "copies": check_copies(verifier, chosen, distinct=True)
        | {"if they counted": check_copies(verifier, chosen, distinct=False)},
        "short texts": [row for row in kinds["not stated"]["by words"] if row["to"] <= 120],
        "many texts": {
            "verdicts": many,
            "one author": voices["one author"],
            "several authors": voices["several authors"],
        },
        "contributions": check_contributions(verifier, explained),
        "stated kind": check_stated_kind(verifier, mails, "hotels"),
        "reliable": sum_reliable([*single, *many]),
        "headlines": check_headlines(verifier, [*chosen, *mails]),
        "faithfulness": {
            "pairs": faithfulness["pairs"],
            "exchange": faithfulness["comprehensiveness"]["exchange"]["shares"],
            "swaps": faithfulness["swaps"],
        },
        "edits": {
            text: rewrite(text, find_edits(text, find_habits(text))).text for text in GRAMMAR
        },
        "odd texts": check_odd_texts(verifier, chosen[0].left[0].text),
        "cues": check_cues(lift),
    }
    now = describe(figures)
    table = json.loads(BEFORE.read_text(encoding="utf-8"))
    report = {
        "model": verifier.identity.sha256 if verifier.identity else None,
        "pairs": [arguments.pairs.name, arguments.mails.name],
        "source of the figures before": table["source"],
        "faults": [
            {**row, "now": now[row["name"]], "figures": figures[row["name"]]}
            for row in table["faults"]
        ],
    }
    write_whole(arguments.o, json.dumps(report, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
