"""Build the site: `make docs`, or `PYTHONPATH=tools python -m website FOLDER`."""

import shutil
import sys
from pathlib import Path

from website.pages import ROOT, write_pages

SETTINGS = Path(__file__).parent


def build(out: Path) -> int:
    """Build both trees into out, the Chinese one into out/zh; 0 if there is no warning."""
    from sphinx.cmd.build import build_main

    work = out.with_name(f"{out.name}-work")
    shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(work, ignore_errors=True)
    pages = work / "pages"
    write_pages(pages)
    strict = ["-q", "-W", "--keep-going", "-c", str(SETTINGS)]
    english = [*strict, "-d", str(work / "en"), str(pages), str(out)]
    chinese = [*strict, "-t", "zh", "-d", str(work / "zh"), str(pages / "zh"), str(out / "zh")]
    trees = [english, chinese] if (pages / "zh" / "index.md").exists() else [english]
    return max([build_main(tree) for tree in trees])


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "site"))
