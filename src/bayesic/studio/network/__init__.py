"""The network desk: documents and their versions, questions, edits, cases, over HTTP."""
