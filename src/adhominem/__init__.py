"""Authorship verification: did one author write both texts, how sure is that, and why.

import adhominem

verifier = adhominem.load()
decision = verifier.verify(text_a, text_b)
page = adhominem.render(verifier.explain_texts(text_a, text_b), form="html")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from adhominem.errors import AdhominemError, optional_imports
from adhominem.records import Decision, Document, Explanation, Pair, Verdict

if TYPE_CHECKING:
    from adhominem.instrument.model_folder import load
    from adhominem.instrument.report.render import render
    from adhominem.instrument.verifier import Verifier
    from adhominem.laboratory.classifier import AuthorshipClassifier as AuthorshipClassifier

__all__ = [
    "AdhominemError",
    "Decision",
    "Document",
    "Explanation",
    "Pair",
    "Verdict",
    "Verifier",
    "__version__",
    "load",
    "render",
]

# Imported when first asked for: `import adhominem` loads neither numpy nor torch. The classifier
# needs the extra `lab` and is therefore not in the list above.
_LATE = {
    "AuthorshipClassifier": "adhominem.laboratory.classifier",
    "Verifier": "adhominem.instrument.verifier",
    "load": "adhominem.instrument.model_folder",
    "render": "adhominem.instrument.report.render",
}
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in _LATE:
        with optional_imports():
            return getattr(import_module(_LATE[name]), name)
    raise AttributeError(f"module 'adhominem' has no attribute '{name}'")
