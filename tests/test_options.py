#!/usr/bin/env python3
"""Options that several commands share are the same everywhere: each command that takes one refuses
the same values with code 2 and one line, and knows it in --help, the completions and the manual.
PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PERFMODEL = os.environ["PERFMODEL"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
COMMANDS = ("devices", "collect", "validate", "predict", "trace", "transform", "advise", "report")
# What each command needs beside the option, so that nothing else is wrong.
USUAL = {"devices": ["--probe"], "collect": ["--list"], "validate": ["h100"], "predict": ["--target", "h200", "--from", "h100"],
         "trace": ["--program", "nbody"], "transform": ["--layout", "soa", "--program", "idw"],
         "advise": ["--target", "h100", "--program", "idw"],
         "report": ["--target", "h100", "--program", "idw", "--json"]}
# Who takes a shared option, and values that it never has.
SHARED = {
    "datasets": ({*COMMANDS} - {"transform"}, []),
    "target": ({"collect", "predict", "trace", "advise", "report"}, []),
    "program": ({"collect", "predict", "trace", "transform", "advise", "report"}, []),
    "variant": ({*COMMANDS} - {"devices"}, []),
    "size": ({*COMMANDS} - {"devices"}, []),
    "sample": ({"collect", "predict", "trace", "advise", "report"}, ["0", "-1", "1.5", "half", "nan", "0.5x", ""]),
    "step-limit": ({"collect", "predict", "trace", "advise", "report"}, ["0", "-1", "many", "nan", "inf", ""]),
    "seed": ({"collect", "predict", "trace", "advise", "report"}, ["-1", "1.5", "one", "", "99999999999999999999"]),
    "leave-out": ({"validate", "predict", "advise", "report"}, ["kernel", ""]),
    "clusters": ({"advise", "report"}, ["0", "1001", "2.5", "few", ""]),
    "rate": ({"advise", "report"}, ["much", "", "-1", "inf"]),
    "runs": ({"advise", "report"}, ["0", "often"]),
    "gpus": ({"advise", "report"}, ["0", "1.5"]),
    "effort": ({"advise", "report"}, ["read", "speed=3", "read=fast"]),
    "from": ({"validate", "predict"}, ["no_such_dataset"]),
    "method": ({"validate", "predict"}, ["no_such_method"]),
    "json": (set(COMMANDS), []),
}
# Names, which are looked at in the work and not in the words: what is told lists right ones.
NAMES = {"target": ({"trace", "predict", "advise", "report"}, "no_such_gpu", "h100"),
         "size": ({"predict", "trace", "transform", "advise", "report"}, "7", None),
         "variant": ({"predict", "trace", "advise", "report"}, "no_such_variant", "soa")}


def run(*words, **variables):
    done = subprocess.run([PERFMODEL, *words], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, **variables})
    return done.returncode, done.stdout, done.stderr


def options_of(command):
    """The long options in the command's --help."""
    return set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", run(command, "--help")[1], re.M)) - {"help"}


class Words(unittest.TestCase):
    def refused(self, words, told):
        code, out, errors = run(*words)
        lines = [line for line in errors.splitlines() if not line.startswith("[")]
        self.assertEqual((code, out, len(lines)), (2, "", 1), (words, out, errors))
        self.assertIn(told, lines[0], words)

    def test_who_takes_what(self):
        takes = {command: options_of(command) for command in COMMANDS}
        for option, (commands, _) in SHARED.items():
            self.assertEqual({c for c in COMMANDS if option in takes[c]}, commands, option)
        for command in COMMANDS:
            for option in set(SHARED) - takes[command]:
                self.refused([command, *USUAL[command], f"--{option}=1"], f"--{option}")

    def test_bad_values(self):
        for option, (commands, values) in SHARED.items():
            for command in commands:
                for value in values:
                    told = value if value.startswith("no_such") else f"--{option}"
                    words = [w for w in USUAL[command] if w != "--list"]
                    with self.subTest(command=command, option=option, value=value):
                        self.refused([command, *words, f"--{option}={value}"], told)

    def test_once(self):
        for command, options in (("trace", ("target", "size", "variant")), ("predict", ("target",)),
                                 ("advise", ("target", "program", "size")), ("report", ("size",))):
            for option in options:
                self.refused([command, *[w for w in USUAL[command] if w != f"--{option}"],
                              f"--{option}=a", f"--{option}=b"], "one at a time"
                             if option not in ("program", "target") else "")

    def test_parts(self):
        for words, told in ((["devices", "--device", "0"], "--probe"), (["devices", "-o", "x"], "--probe"),
                            (["transform", "--variant", "soa", "--layout", "soa", "--program", "idw"], "--variant"),
                            (["transform", "--layout", "soa", "--size", "1", "x.cl"], "--size")):
            self.refused(words, told)

    def test_names(self):
        for option, (commands, wrong, right) in NAMES.items():
            for command in commands:
                words = list(USUAL[command])
                if f"--{option}" in words:
                    at = words.index(f"--{option}")
                    del words[at:at + 2]
                with self.subTest(command=command, option=option):
                    self.refused([command, *words, f"--{option}", wrong], wrong)
                    if right and (option, command) not in (("variant", "predict"), ("variant", "trace")):
                        self.assertIn(right, run(command, *words, f"--{option}", wrong)[2])

    def test_documented(self):
        with open(os.path.join(ROOT, "completions", "_perfmodel"), encoding="utf-8") as file:
            zsh = file.read()
        with open(os.path.join(ROOT, "completions", "perfmodel.bash"), encoding="utf-8") as file:
            bash = file.read()
        with open(os.path.join(ROOT, "docs", "man", "perfmodel.1"), encoding="utf-8") as file:
            manual = file.read().replace("\\-", "-")
        for command in COMMANDS:
            for option in options_of(command):
                for name, text in (("zsh", zsh), ("bash", bash), ("the manual", manual)):
                    self.assertRegex(text, rf"--{option}\b", f"{name} does not know it of {command}")


class Work(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def test_predict_size_and_variant(self):
        words = ["predict", "--target", "h200", "--from", "h100", "--program", "nbody", "--json"]
        whole = json.loads(run(*words)[1])["predictions"]
        sizes = sorted({p["size"] for p in whole})[:2]
        code, out, errors = run(*words, "--variant", "local", "--size", sizes[0], "--size", sizes[1])
        self.assertEqual(code, 0, errors)
        # What is predicted is the same, whatever else is predicted with it.
        self.assertEqual(json.loads(out)["predictions"],
                         [p for p in whole if p["variant"] == "local" and p["size"] in sizes])
        code, _, errors = run(*words, "--variant", "local", "--size", "7")
        self.assertEqual((code, len(errors.splitlines())), (2, 1))
        for size in sizes:
            self.assertIn(size, errors)

    def test_validate_size(self):
        document = json.loads(run("validate", "h100", "--variant", "local", "--json")[1])
        self.assertEqual({s["variant"] for s in document["samples"]}, {"local"})
        both = json.loads(run("validate", "h100", "--variant", "local", "--variant", "nolocal", "--json")[1])
        self.assertEqual({s["variant"] for s in both["samples"]}, {"local", "nolocal"})
        code, _, errors = run("validate", "h100", "--size", "7")
        self.assertEqual(code, 2)
        self.assertIn("no sample of size '7'", errors)

    def test_collect_datasets(self):
        """Counters are those of the GPU that the table of --datasets has."""
        with open(os.path.join(ROOT, "datasets", "devices.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        mine = list(next(row for row in rows if row[0] == "h100"))
        mine[0] = "mygpu"
        with open(os.path.join(self.folder, "devices.csv"), "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([rows[0], mine])
        words = ["collect", "--device", "none", "--counters", "trace", "--program", "copy", "--size", "16",
                 "--variant", "float", "--sample", "0.01", "--target", "mygpu", "-o",
                 os.path.join(self.folder, "mine.csv")]
        code, _, errors = run(*words)
        self.assertEqual(code, 2)
        self.assertIn("mygpu", errors)
        code, _, errors = run(*words, "--datasets", self.folder)
        self.assertEqual(code, 0, errors)
        with open(os.path.join(self.folder, "mine.csv"), newline="", encoding="utf-8") as file:
            self.assertEqual([row["device"] for row in csv.DictReader(file)], ["mygpu"])

    def test_advise_and_report_have_the_same_keys(self):
        words = ["--target", "h100", "--program", "idw", "--size", "4096", "--variant", "soa", "--sample", "0.05",
                 "--rate", "80", "--runs", "1e9"]
        code, out, errors = run("advise", *words, "--json")
        self.assertEqual(code, 0, errors)
        advice = json.loads(out)
        code, out, errors = run("report", *words, "--json")
        self.assertEqual(code, 0, errors)
        report = json.loads(out)
        told = report["targets"][0]["programs"][0]
        self.assertEqual({c["variant"] for c in advice["choices"]}, {"aos", "soa"})
        self.assertEqual(advice["choices"], told["choices"])
        for key in ("target", "program", "size", "base", "best", "basis", "examined", "nakai"):
            self.assertEqual(advice[key], told[key], key)
        for key, value in report["cost_options"].items():
            self.assertEqual(advice["cost_options"][key], value, key)

    def test_advise_wrong_variant(self):
        code, _, errors = run("advise", "--target", "h100", "--program", "idw", "--variant", "no_such")
        self.assertEqual(code, 2)
        self.assertIn("asta:32", errors)


if __name__ == "__main__":
    sys.exit(unittest.main())
