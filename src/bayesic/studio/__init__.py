"""The studio: a page on which networks are opened, asked and changed, and the server behind it."""
