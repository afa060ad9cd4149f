"""`bayesic network` on a network that is too wide for exact answers: a sentence, and a way out."""

import numpy as np
import pytest

from bayesic.networks.network import BeliefNetwork


@pytest.fixture
def wide(folder):
    """48 causes, each pair of which has an effect: all hang together once the effects are seen."""
    causes = [f"cause{number}" for number in range(48)]
    pairs = [(one, other) for place, one in enumerate(causes) for other in causes[:place]]
    effects = {f"{one}+{other}": (one, other) for one, other in pairs}
    edges = [(cause, effect) for effect, its in effects.items() for cause in its]
    noisy = np.array([[[0.9, 0.1], [0.5, 0.5]], [[0.4, 0.6], [0.1, 0.9]]])
    net = BeliefNetwork(
        edges,
        {key: [0.5, 0.5] for key in causes} | dict.fromkeys(effects, noisy),
        {key: ["yes", "no"] for key in [*causes, *effects]},
    )
    net.write(folder / "wide.json")
    return folder / "wide.json"


def test_a_network_that_is_too_wide_is_refused_in_one_sentence(run, wide):
    said = run("network", "query", str(wide), code=1).stderr
    assert "Traceback" not in said
    assert "An exact answer may take 4.3 GB of memory, and this one needs" in said
    assert "Observe more: cause" in said
    assert "--method likelihood-weighting or --method gibbs" in said
