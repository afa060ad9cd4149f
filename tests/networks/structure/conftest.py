"""The folder of helpers that the tests of structures share."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # so that `from coded_tables import ...` works
