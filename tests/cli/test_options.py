#!/usr/bin/env python3
"""Options that several commands share are the same everywhere: each command that takes one refuses
the same values with code 2 and one line, and has it in --help. test_manual.py checks the manual and the completions.
PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, ROOT, Base, rows_of, run, write_rows

COMMANDS = ("init", "devices", "collect", "validate", "predict", "trace", "transform", "advise", "tune", "report",
            "capture", "check", "merge", "cache")
# The other words that each command needs, so that only the option can be wrong.
USUAL = {"init": ["no_such.cu"], "devices": ["--probe"], "collect": ["--list"], "validate": ["h100"], "predict": ["--target", "h200", "--from", "h100"],
         "trace": ["--program", "nbody"], "transform": ["--layout", "soa", "--program", "idw"],
         "advise": ["--target", "h100", "--program", "idw"],
         "tune": ["--target", "h100", "--workload", str(ROOT / "kernels" / "tune" / "matmul_tiles.workload")],
         "report": ["--target", "h100", "--program", "idw", "--json"], "capture": ["-o", "c", "--kernel", "k"],
         "merge": ["no_such.csv", "-o", "/dev/full/out.csv"], "cache": ["--fill"],
         "check": ["--target", "h100", "--output", "/dev/full/base.json", str(ROOT / "kernels" / "example" / "template.workload")]}
SOURCES = {"init", "collect", "predict", "trace", "advise", "tune", "report", "check"}
# The commands that have a shared option, and values that it rejects.
SHARED = {
    "datasets": ({*COMMANDS} - {"capture", "merge"}, []),
    "target": ({"collect", "predict", "trace", "transform", "advise", "tune", "report", "check"}, []),
    "workload": ({"collect", "predict", "trace", "transform", "advise", "tune", "report", "check"}, []),
    "program": ({"collect", "predict", "trace", "transform", "advise", "report"}, []),
    "variant": ({*COMMANDS} - {"init", "devices", "capture", "tune", "merge", "cache"}, []),
    "size": ({*COMMANDS} - {"init", "devices", "capture", "merge", "cache"}, []),
    "sample": ({"collect", "predict", "trace", "transform", "advise", "tune", "report", "check"}, ["0", "-1", "1.5", "half", "nan", "0.5x", ""]),
    "step-limit": ({"collect", "predict", "trace", "transform", "advise", "tune", "report", "check"}, ["0", "-1", "many", "nan", "inf", ""]),
    "ptxas": ({"collect", "predict", "trace", "transform", "advise", "tune", "report", "check"}, []),
    "seed": ({"collect", "predict", "trace", "transform", "advise", "tune", "report", "check"}, ["-1", "1.5", "one", "", "99999999999999999999"]),
    "leave-out": ({"validate", "predict", "transform", "advise", "tune", "report"}, ["kernel", "claz", ""]),
    "clusters": ({"transform", "advise", "report"}, ["0", "1001", "2.5", "few", ""]),
    "rate": ({"advise", "report"}, ["much", "", "-1", "inf"]),
    "runs": ({"advise", "report"}, ["0", "often"]),
    "gpus": ({"advise", "report"}, ["0", "1.5"]),
    "effort": ({"advise", "report"}, ["read", "speed=3", "read=fast"]),
    "from": ({"validate", "predict"}, ["no_such_dataset"]),
    "method": ({"validate", "predict"}, ["no_such_method"]),
    "json": ({*COMMANDS}, []),
    "quiet": ({*COMMANDS}, []),
    "format": ({*COMMANDS}, []),
    "shard": ({"collect", "trace", "tune", "check"}, ["0/3", "4/3", "1", "/3", "1/0", "-1/3", "1/3x", "auto/0", ""]),
    "budget": ({"tune"}, ["0", "1.5", "many", "", "s", "0s", "-3s", "1e10"]),
    "grid": (SOURCES, ["4x4", "1,2,3,4", "1,", "-1", ""]),
    "block": (SOURCES, ["16x16", "", "many"]),
    "arg": (SOURCES, ["n", "=3", "n=", ""]),
    "set": (SOURCES, ["n", "=3", "n="]),
    "measure": ({"tune"}, ["0", "-1", "some", ""]),
}
# Options whose value is a name. Names are checked later than the command line, and the error lists
# valid names.
NAMES = {"target": ({"trace", "predict", "advise", "tune", "report"}, "no_such_gpu", "perfmodel devices"),
         "size": ({"predict", "trace", "transform", "advise", "tune", "report", "check"}, "7", None),
         "variant": ({"predict", "trace", "advise", "report"}, "no_such_variant", "soa")}


def options_of(command):
    """Returns the long options in the command's --help."""
    return set(re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)", run(command, "--help").stdout, re.M)) - {"help"}


class Words(Base):
    def wrong(self, words, *told):
        return self.refused(told, *words, progress=True)

    def test_who_takes_what(self):
        takes = {command: options_of(command) for command in COMMANDS}
        for option, (commands, _) in SHARED.items():
            self.assertEqual({c for c in COMMANDS if option in takes[c]}, commands, option)
        for command in COMMANDS:
            for option in set(SHARED) - takes[command]:
                self.wrong([command, *USUAL[command], f"--{option}=1"], f"--{option}")

    def test_bad_values(self):
        for option, (commands, values) in SHARED.items():
            for command in commands:
                for value in values:
                    told = value if value.startswith("no_such") else f"--{option}"
                    words = [w for w in USUAL[command] if w != "--list"]
                    with self.subTest(command=command, option=option, value=value):
                        self.wrong([command, *words, f"--{option}={value}"], told)

    def test_once(self):
        for command, options in (("trace", ("target", "size", "variant")), ("predict", ("target",)),
                                 ("advise", ("target", "program", "size")), ("report", ("size",))):
            for option in options:
                self.wrong([command, *[w for w in USUAL[command] if w != f"--{option}"],
                              f"--{option}=a", f"--{option}=b"], "one at a time"
                             if option not in ("program", "target") else "")

    def test_parts(self):
        for words, told in ((["devices", "--device", "0"], "--probe"), (["devices", "-o", "x"], "--probe"),
                            (["transform", "--variant", "soa", "--layout", "soa", "--program", "idw"], "--variant"),
                            (["transform", "--layout", "soa", "--size", "1", "x.cl"], "--size")):
            self.wrong(words, told)

    def test_names(self):
        for option, (commands, wrong, right) in NAMES.items():
            for command in commands:
                words = list(USUAL[command])
                if f"--{option}" in words:
                    at = words.index(f"--{option}")
                    del words[at:at + 2]
                with self.subTest(command=command, option=option):
                    done = self.wrong([command, *words, f"--{option}", wrong], wrong)
                    if right and (option, command) not in (("variant", "predict"), ("variant", "trace")):
                        self.assertIn(right, done.stderr)


class Work(Base):
    def test_predict_size_and_variant(self):
        words = ["predict", "--target", "h200", "--from", "h100", "--program", "nbody"]
        whole = self.json_of(*words)["predictions"]
        sizes = sorted({p["size"] for p in whole})[:2]
        some = self.json_of(*words, "--variant", "local", "--size", sizes[0], "--size", sizes[1])["predictions"]
        # A prediction does not depend on the other samples that are predicted.
        self.assertEqual(some, [p for p in whole if p["variant"] == "local" and p["size"] in sizes])
        self.refused(sizes, *words, "--json", "--variant", "local", "--size", "7")

    def test_validate_size(self):
        document = self.json_of("validate", "h100", "--variant", "local")
        self.assertEqual({s["variant"] for s in document["samples"]}, {"local"})
        both = self.json_of("validate", "h100", "--variant", "local", "--variant", "nolocal")
        self.assertEqual({s["variant"] for s in both["samples"]}, {"local", "nolocal"})
        self.refused(["no sample of size '7'"], "validate", "h100", "--size", "7")

    def test_collect_datasets(self):
        """Counters follow the GPU's row in the table of --datasets."""
        mine = next(row for row in rows_of(DATASETS / "devices.csv") if row["device"] == "h100")
        write_rows(self.folder / "devices.csv", [{**mine, "device": "mygpu"}])
        words = ["collect", "--device", "none", "--counters", "trace", "--program", "copy", "--size", "16",
                 "--variant", "float", "--sample", "0.01", "--target", "mygpu", "-o", self.folder / "mine.csv"]
        self.refused(["mygpu"], *words)
        self.good(*words, "--datasets", self.folder)
        self.assertEqual([row["device"] for row in rows_of(self.folder / "mine.csv")], ["mygpu"])

    def test_advise_and_report_have_the_same_keys(self):
        words = ["--target", "h100", "--program", "idw", "--size", "4096", "--variant", "soa", "--sample", "0.05",
                 "--rate", "80", "--runs", "1e9"]
        advice, report = self.json_of("advise", *words), self.json_of("report", *words)
        told = report["targets"][0]["programs"][0]
        self.assertEqual({c["variant"] for c in advice["choices"]}, {"aos", "soa"})
        self.assertEqual(advice["choices"], told["choices"])
        for key in ("target", "program", "size", "base", "best", "basis", "examined", "nakai"):
            self.assertEqual(advice[key], told[key], key)
        for key, value in report["cost_options"].items():
            self.assertEqual(advice["cost_options"][key], value, key)

    def test_advise_wrong_variant(self):
        self.refused(["asta:32"], "advise", "--target", "h100", "--program", "idw", "--variant", "no_such")


if __name__ == "__main__":
    sys.exit(unittest.main())
