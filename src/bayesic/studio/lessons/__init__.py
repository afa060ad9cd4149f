"""The lessons desk: worked examples of the textbooks, computed by the library as they change."""
