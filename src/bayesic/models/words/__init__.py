"""Texts: naive Bayes on their words, and which words and models suit them."""
