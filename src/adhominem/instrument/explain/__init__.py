"""How many habits a search for edits may undo, on the page and on the command line alike."""

BUDGET, MAX_BUDGET = 10, 50
