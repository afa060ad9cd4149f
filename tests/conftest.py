"""How the property tests run, and the folder of helpers that they share.

`pytest --hypothesis-profile=thorough` looks at many more examples.
"""

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.append(str(Path(__file__).parent))  # so that `from support import ...` works everywhere

settings.register_profile(
    "bayesic",
    deadline=None,
    max_examples=60,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", settings.get_profile("bayesic"), max_examples=1000)
settings.load_profile("bayesic")
