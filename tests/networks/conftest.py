"""The folder of helpers that the tests of networks share."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # so that `from random_networks import ...` works
