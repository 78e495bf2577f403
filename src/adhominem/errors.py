"""Everything that can go wrong, as a tree.

AdhominemError          one line for the user: what came, what was expected, what to do
├── InputError          a text, a file or a line that cannot be read
├── OutputError         a file or folder that cannot be written
├── ModelError          a model folder that is missing, damaged or of another format
├── NotFittedError      a verifier asked before it was fitted or loaded
├── ExperimentError     an experiment file or run folder that does not fit
└── MissingExtraError   an optional package that is not installed
"""


class AdhominemError(Exception):
    """Base of all errors that the package raises on purpose; its message is one line.

    >>> adhominem.load().verify("one text", None)
    Traceback (most recent call last):
    adhominem.errors.InputError: right is missing (None): give a text or a list of texts
    """


class InputError(AdhominemError):
    pass


class OutputError(AdhominemError):
    pass


class ModelError(AdhominemError):
    pass


class NotFittedError(AdhominemError):
    pass


class ExperimentError(AdhominemError):
    pass


class MissingExtraError(AdhominemError):
    pass
