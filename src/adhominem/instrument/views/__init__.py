"""Views of a text beside the network: counts of character sequences and of masked tokens."""
