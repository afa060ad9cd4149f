"""EM with partly known classes by plain loops, in numbers of whatever kind come in: the oracle."""

import math

import numpy as np


def em_by_loops(rows, labels, weight, n_steps, estimate):
    """P(c | row) after the last step, and log likelihood plus log prior after each.

    labels : None where unknown; such rows count with the weight
    estimate(amounts, classes) : from the amount of each row in each class to a function
        joint(row, c), and the log of the prior of what was estimated
    """
    classes = sorted({label for label in labels if label})
    hard = [{c: int(c == label) for c in classes} if label else None for label in labels]
    weights = [1 if label else weight for label in labels]
    shares = [share or dict.fromkeys(classes, 0) for share in hard]
    trace = []
    for _ in range(n_steps + 1):  # the first time without the unlabelled rows
        amounts = [{c: w * s[c] for c in classes} for w, s in zip(weights, shares, strict=True)]
        joint, log_prior = estimate(amounts, classes)
        joints = [{c: joint(row, c) for c in classes} for row in rows]
        shares = [
            fixed or {c: each[c] / sum(each.values()) for c in classes}
            for fixed, each in zip(hard, joints, strict=True)
        ]
        log_likelihood = sum(
            math.log(each[label]) if label else float(weight) * math.log(sum(each.values()))
            for label, each in zip(labels, joints, strict=True)
        )
        trace.append(log_likelihood + log_prior)
    answers = [[float(each[c] / sum(each.values())) for c in classes] for each in joints]
    return np.array(answers), trace[1:]
