"""How long the first question of each kind compiles, each in a process and a cache of its own.

    python -m benchmarks compiling

Processor seconds of Numba, which a user waits for once after an installation.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import tell_and_keep

RESULTS = Path(__file__).with_name("COMPILING.md")
MOST = 5.0  # seconds of the first call of a public function

# by, NUMBERS, LABELS, WEATHER, RAIN and TEXTS are those of `bayesic.warm_up`
CALLS = {
    "GaussianNB.fit": "by.GaussianNB().fit(NUMBERS, LABELS)",
    "GaussianNB.leave_one_out": (
        "by.GaussianNB().fit(NUMBERS, LABELS).leave_one_out(NUMBERS, LABELS)"
    ),
    "KMeans.fit": "by.KMeans(2).fit(NUMBERS)",
    "GaussianMixture.fit": "by.GaussianMixture(2).fit(NUMBERS)",
    "QuadraticDiscriminantAnalysis": (
        "by.QuadraticDiscriminantAnalysis().fit(NUMBERS, LABELS).predict(NUMBERS)"
    ),
    "TreeAugmentedNB": "by.TreeAugmentedNB().fit(WEATHER, LABELS).predict(WEATHER)",
    "AveragedOneDependence": "by.AveragedOneDependence().fit(WEATHER, LABELS).predict(WEATHER)",
    "AveragedOneDependence, back-off": (
        "by.AveragedOneDependence(smoothing='back-off').fit(WEATHER, LABELS).predict(WEATHER)"
    ),
    "BayesForest.fit": "by.BayesForest(4).fit(NUMBERS, LABELS)",
    "TextClassifier.fit, English": "by.TextClassifier(language='en').fit(TEXTS, LABELS)",
    "TextClassifier.fit, Chinese": "by.TextClassifier().fit(TEXTS, LABELS)",
    "TextClassifier.fit, characters": "by.TextClassifier(analyzer='char').fit(TEXTS, LABELS)",
    "learn_structure, hill-climb": "by.learn_structure(WEATHER)",
    "learn_structure, exact": "by.learn_structure(WEATHER, 'exact')",
    "BeliefNetwork.sample": "NETWORK.sample(100)",
    "BeliefNetwork.query, gibbs": "NETWORK.query('play', RAIN, method='gibbs', samples=100)",
    "BeliefNetwork.query": "NETWORK.query('play', RAIN)",
    # as a network too large for tables of whole cliques
    "BeliefNetwork.query, likelihoods": (
        "NETWORK.query('play', RAIN, likelihoods={'wet': [0.9, 0.2]})"
    ),
    "BeliefNetwork.most_probable": "NETWORK.most_probable(RAIN)",
}

PROGRAM = """
from time import process_time
from numba.core import event
from bayesic.warm_up import *

class Clock(event.Listener):
    depth, seconds = 0, 0.0
    def on_start(self, event):
        self.seconds -= process_time() if self.depth == 0 else 0.0
        self.depth += 1
    def on_end(self, event):
        self.depth -= 1
        self.seconds += process_time() if self.depth == 0 else 0.0

NETWORK = by.BeliefNetwork(EDGES).fit(WEATHER, smoothing=1)
clock = Clock()
event.register("numba:compile", clock)
{call}
print(clock.seconds)
"""


def seconds_of(call: str) -> float:
    """Processor seconds of compiling for one call, in a fresh cache."""
    with tempfile.TemporaryDirectory() as cache:
        variables = {"NUMBA_CACHE_DIR": cache, "BAYESIC_KERNELS": "compiled", "BAYESIC_QUIET": "1"}
        run = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", PROGRAM.format(call=call)],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=True,
        )
    return float(run.stdout)


def report() -> str:
    """The table, the slowest first."""
    found = {name: seconds_of(call) for name, call in CALLS.items()}
    lines = [
        f"| `{name}` | {seconds:.1f} | {'yes' if seconds <= MOST else 'no'} |"
        for name, seconds in sorted(found.items(), key=lambda pair: -pair[1])
    ]
    return f"""# Compiling

Processor seconds that the first call of its kind compiles, after a fresh installation; later
processes find the kernels on disk. `bayesic warm-up` compiles all of them at once.

| first call | seconds | at most {MOST:.0f} |
| --- | ---: | --- |
{chr(10).join(lines)}
"""


if __name__ == "__main__":
    tell_and_keep(report, RESULTS, __doc__)
