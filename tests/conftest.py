"""How the property tests run.

`pytest --hypothesis-profile=thorough` looks at many more examples, `quick` at a few.
"""

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("BAYESIC_QUIET", "1")  # nothing on stderr about compiling

settings.register_profile(
    "bayesic",
    deadline=None,
    max_examples=60,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("bayesic"), max_examples=1000)
settings.register_profile("quick", settings.get_profile("bayesic"), max_examples=5)
settings.load_profile("bayesic")
