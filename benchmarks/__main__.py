"""The door: `python -m benchmarks NAME` runs a program, without a NAME it lists all of them."""

import runpy
import sys

from benchmarks import shared
from benchmarks.overview import README, listing, overview, programs


def main() -> None:
    """Run the program that is named, list all, or write the overview."""
    name, *arguments = sys.argv[1:] or [""]
    known = programs()
    if name in ("", "-h", "--help"):
        print(f"python -m benchmarks NAME [--dry]\n\n{listing()}")
    elif name == "overview":
        README.write_text(overview(), encoding="utf-8")
    elif name in known:
        shared.check(name)
        sys.argv = [f"python -m benchmarks {name}", *arguments]
        runpy.run_module(known[name].module, run_name="__main__", alter_sys=True)
    else:
        sys.exit(f"There is no benchmark {name!r}. There are: {', '.join(known)}.")


if __name__ == "__main__":
    main()
