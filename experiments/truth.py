"""Checks that what a verdict says holds: copies of texts change nothing, contributions add up.

    python experiments/truth.py adhominem hotels.pairs.jsonl.gz -o results/truth.json

Takes labelled pairs of development authors. Writes, for texts given once and three times, Cllr, the
largest change of log10 LR and the verdicts that moved; and for contributions, how often their sum
has the sign of the verdict and how far it is from the log10 LR before its bounds. Takes over what
other experiments measured: quoted against true errors, and figures by length and number of texts.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import adhominem
from adhominem.files import write_whole
from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.laboratory.evaluation.answers import read_labelled
from adhominem.laboratory.evaluation.measures import cllr
from adhominem.records import Pair, Verdict


def check_copies(
    verifier: FeatureVerifier, pairs: list[Pair], *, distinct: bool, k: int = 3
) -> dict[str, Any]:
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


def check_contributions(verifier: FeatureVerifier, pairs: list[Pair]) -> dict[str, Any]:
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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--most", type=int, default=1000, help="pairs for the check of copies")
    parser.add_argument("--explained", type=int, default=100, help="pairs that are explained")
    parser.add_argument("--kinds", type=Path, default=Path("results/kinds.json"))
    parser.add_argument("--quoted", type=Path, default=Path("results/other-genres.json"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", type=Path, required=True)
    arguments = parser.parse_args()
    verifier = require_features(adhominem.load(arguments.model), "a {kind} model has no features")
    pairs = read_labelled(arguments.pairs)
    order = np.random.default_rng(arguments.seed).permutation(len(pairs))
    chosen = [pairs[i] for i in order[: arguments.most]]
    kinds = json.loads(arguments.kinds.read_text(encoding="utf-8"))["not stated"]
    report = {
        "model": verifier.identity.sha256 if verifier.identity else None,
        "source": arguments.pairs.name,
        "copies": check_copies(verifier, chosen, distinct=True),
        "copies_if_they_counted": check_copies(verifier, chosen, distinct=False),
        "contributions": check_contributions(verifier, chosen[: arguments.explained]),
        "quoted": json.loads(arguments.quoted.read_text(encoding="utf-8"))["quoted"],
        "by words": kinds["by words"],
        "by texts": kinds["by texts"],
    }
    write_whole(arguments.o, json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
