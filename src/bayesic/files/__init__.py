"""Model files: written whole or not at all, read without running code."""
