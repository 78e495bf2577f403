"""A case: many named texts, each against every other."""
