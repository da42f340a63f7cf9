"""Builds the site of the documentation and checks it for broken links. Skipped if mkdocs-material
is missing."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def mkdocs():
    """Returns a mkdocs with the theme; None if there is none. `scripts/site.sh install` installs
    one."""
    for program in (ROOT / "build-site" / "venv" / "bin" / "mkdocs", shutil.which("mkdocs")):
        if program and pathlib.Path(program).exists():
            python = pathlib.Path(program).parent / "python3"
            if subprocess.run([python, "-c", "import material"], check=False, capture_output=True).returncode == 0:
                return program
    return None


def main():
    """Builds the site into a temporary folder and checks that its four main pages exist."""
    program = mkdocs()
    if not program:
        print("skipped: no mkdocs-material; scripts/site.sh install makes one where PyPI is")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, "build", "--strict", "-q", "-d", folder], check=False, cwd=ROOT, text=True,
                              env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True)
        print(done.stdout, done.stderr)
        index = pathlib.Path(folder) / "index.html"
        text = index.read_text(encoding="utf-8") if index.exists() else ""
        missing = [page for page in ("tutorial.html", "check.html", "tune.html", "model.html")
                   if f'href="{page}"' not in text or not (pathlib.Path(folder) / page).exists()]
        searched = list(pathlib.Path(folder).glob("search/search_index.js*"))
    if done.returncode or missing or not searched:
        print(f"the site ended with {done.returncode}; missing: {missing}; index of the search: {searched}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
