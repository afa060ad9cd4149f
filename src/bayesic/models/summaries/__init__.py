"""What models tell of themselves: the columns of a summary, and the table of one column."""
