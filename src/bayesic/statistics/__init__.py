"""All that is kept of the data: immutable values with a zero, `+` and `-`.

Each statistic is raw, with no smoothing inside, and comes with the function that summarises data
into it. Learning is `+`, forgetting is `-`. What all share is in `additive.py`; how counts with
labels are added and taken away, whatever the labels are, in `aligned.py`.
"""
