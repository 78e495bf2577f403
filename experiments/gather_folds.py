"""What every epoch of every fold of cross-validated networks brought, as one JSON file.

python experiments/gather_folds.py runs/hotels/adhominem runs/hotels/hrsn -o results/x.json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    found = {
        run.name: {
            path.parent.name: json.loads(path.read_text(encoding="utf-8"))
            for path in sorted(run.glob("fold-*/history.json"))
        }
        for run in arguments.runs
    }
    arguments.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
