"""What models say about themselves: the columns of a summary, and the table of one column."""
