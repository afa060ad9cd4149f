"""The site: pages of docs/ and the reference of all public names. `make docs` builds it."""
