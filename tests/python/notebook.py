#!/usr/bin/env python3
"""Runs a notebook: in Jupyter where nbclient and a kernel are installed, else its code cells one after the other
in this Python, without a screen. Any exception in a cell is a failure.
PYTHONPATH has the package. SPDX-License-Identifier: GPL-3.0-or-later
"""
import importlib.util
import json
import os
import pathlib
import sys
import tempfile


def run_plainly(document):
    """Returns the code cells of the notebook as one program."""
    os.environ["MPLBACKEND"] = "Agg"
    names = {"__name__": "__main__"}
    for number, cell in enumerate(document["cells"]):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)  # pylint: disable=exec-used


def run_in_jupyter(path, folder):
    """Runs the notebook in Jupyter; False: Jupyter is not installed."""
    try:
        import nbformat
        from jupyter_client.kernelspec import NoSuchKernel
        from nbclient import NotebookClient
    except ImportError as error:
        print(f"not run in Jupyter: {error}")
        return False
    notebook = nbformat.read(path, as_version=4)
    try:
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    except NoSuchKernel as error:
        print(f"not run in Jupyter: no kernel {error}")
        return False
    shown = [output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    if not any("image/png" in output["data"] for output in shown):
        raise SystemExit(f"{path}: no plot came out")
    print(f"run in Jupyter: {len(shown)} outputs")
    return True


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    try:
        import pandas  # noqa: F401  pylint: disable=unused-import
        import perfmodel  # noqa: F401  pylint: disable=unused-import
        if not importlib.util.find_spec("matplotlib"):
            raise ImportError("no matplotlib")
    except ImportError as error:
        print(f"{path.name} is not run: {error}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        if not run_in_jupyter(path, folder):
            os.chdir(folder)
            run_plainly(json.loads(path.read_text(encoding="utf-8")))
            print("its code ran in plain Python")


if __name__ == "__main__":
    main()
