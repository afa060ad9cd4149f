"""The text desk: texts are typed, answered word by word, and learned."""
