"""Views of a text beside the network: counts of characters in a row and of masked tokens."""
