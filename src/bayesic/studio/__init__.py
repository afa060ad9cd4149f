"""The studio: tables, texts and networks on a page, and the server behind it."""
