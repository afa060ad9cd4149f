"""All that is kept of the data: immutable values with a zero, `+` and `-`.

Each statistic is raw, with no smoothing inside, and comes with the function that summarises data
into it. Learning is `+`, forgetting is `-`.
"""
