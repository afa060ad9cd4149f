"""What several test files share: `from helpers.labelled_rows import Rows`."""
