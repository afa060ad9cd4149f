"""The folder of helpers that the tests of the engine share."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # so that `from small_models import ...` works
