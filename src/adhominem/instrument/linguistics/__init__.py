"""The linguistic categories of the paper as small detectors over tokens."""
