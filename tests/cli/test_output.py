#!/usr/bin/env python3
"""What commands print: tables that fit the terminal, the same results as csv, md and json, --quiet, and the nearest right
name of a wrong one.
PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import io
import json
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import ROOT, Base, run

TEMPLATE = [str(ROOT / "kernels" / "example" / "template.workload"), "--size", "small"]
TILES = str(ROOT / "kernels" / "tune" / "matmul_tiles.workload")
# A command for each table. The last word of each tuple is a list of the JSON document, whose
# members are the CSV's rows.
TABLES = (
    (["predict", "--target", "a100", *TEMPLATE], "predictions"),
    (["predict", "--target", "a100", "--target", "h100", "--target", "v100", "--target", "mi210", *TEMPLATE], "predictions"),
    (["predict", "--target", "h200", "--from", "h100", "--program", "nbody"], "predictions"),
    (["advise", "--target", "a100", *TEMPLATE, "--variant", "soa", "--rate", "80", "--co2", "300"], "choices"),
    (["trace", "--target", "a100", *TEMPLATE], "kernels"),
    (["check", "--target", "a100", *TEMPLATE, "-o", "base.json"], "kernels"),
    (["tune", "--target", "a100", TILES, "--budget", "4"], "choices"),
    (["validate", "h100", "--method", "ridge"], "samples"),
    (["validate", "--methods"], None),
    (["devices"], "times"),
    (["cache"], "kinds"),
    (["collect", "--list"], None),
)


def lists_named(document, name):
    """Returns the members of the lists (or objects) with this name, at any depth."""
    if name is None:
        return document
    if isinstance(document, list):
        return [row for one in document for row in lists_named(one, name)]
    if not isinstance(document, dict):
        return []
    if name in document:
        return list(document[name] if isinstance(document[name], list) else document[name].values())
    return [row for value in document.values() for row in lists_named(value, name)]


class Tables(Base):
    def good(self, words, **environment):
        if words[0] == "cache":  # other tests write to the cache that all share
            environment["PERFMODEL_CACHE"] = str(self.folder / "cache")
        done = run(*words, environment=environment, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_width(self):
        """No line is longer than COLUMNS, with and without UTF-8. The default is 80 columns."""
        for words, _ in TABLES:
            for columns, locale in (("60", "C"), ("", "C.UTF-8")):
                done = self.good(words, COLUMNS=columns, LC_ALL=locale)
                with self.subTest(words=words, columns=columns):
                    longest = max(done.stdout.splitlines(), key=len)
                    self.assertLessEqual(len(longest), int(columns or 80), longest)
                    self.assertTrue(locale != "C" or done.stdout.isascii())

    def test_csv(self):
        """The CSV has one row per member of the document's list, with the same fields and
        numbers."""
        for words, name in TABLES:
            document = json.loads(self.good([*words, "--json"]).stdout)
            rows = list(csv.DictReader(io.StringIO(self.good([*words, "--format", "csv"]).stdout)))
            with self.subTest(words=words):
                wanted = lists_named(document, name)
                self.assertEqual(len(rows), len(wanted))
                for row, one in zip(rows, wanted):
                    for key, value in one.items():
                        if isinstance(value, str):
                            self.assertEqual(row[key], value)
                        elif isinstance(value, (int, float)) and not isinstance(value, bool):
                            self.assertEqual(float(row[key]), value)
                        elif value is None:
                            self.assertEqual(row[key], "")
                if name == "predictions":
                    self.assertIn(rows[0]["target"], ("a100", "h200"))

    def test_json(self):
        """--format json is --json."""
        words = TABLES[0][0]
        self.assertEqual(self.good([*words, "--json"]).stdout, self.good([*words, "--format", "json"]).stdout)

    def test_markdown(self):
        for words, _ in TABLES[:1] + TABLES[3:7]:
            lines = self.good([*words, "--format", "md"], COLUMNS="60").stdout.splitlines()
            heads = [i for i, line in enumerate(lines) if line.startswith("|--")]
            with self.subTest(words=words):
                self.assertTrue(heads)
                for i in heads:
                    self.assertEqual(lines[i].count("|"), lines[i - 1].count("|"))
                    self.assertEqual(lines[i - 2:i - 1], [""] if i > 1 else [])

    def test_quiet(self):
        """With --quiet, nothing is on standard error, and of each table only the rows remain."""
        for words, _ in TABLES[::3]:
            done = self.good([*words, "--quiet"])
            with self.subTest(words=words):
                self.assertEqual(done.stderr, "")
                self.assertNotIn("Based on", done.stdout)
                self.assertTrue(done.stdout)

    def test_below(self):
        """Below each table of predictions is the accuracy, and the data that it is based on."""
        for target, told in (("a100", "times of other GPUs and the specification of a100"), ("h100", "times measured on h100")):
            words = " ".join(self.good(["predict", "--target", target, *TEMPLATE]).stdout.split())
            self.assertRegex(words, r"90 % intervals are typically a factor of [1-9.]+ either way. Based on " + told)

    def test_base_first(self):
        first = self.good(["advise", "--target", "a100", *TEMPLATE, "--variant", "soa"]).stdout.splitlines()[0]
        self.assertRegex(first, r"on a100: [0-9.]+ [mun]s as it is \(90 %: [0-9.]+ to [0-9.]+ [mun]s\)")


class Names(Base):
    def test_nearest(self):
        for words, told in ((["pedict"], "did you mean predict?"), (["help", "trasform"], "did you mean transform?"),
                            (["predict", "--tarket", "a100", *TEMPLATE], "did you mean --target?"),
                            (["predict", "--target=a100", "--leave-ot=class"], "did you mean --leave-out?"),
                            (["trace", "--program", "nbdy"], "did you mean nbody?"),
                            (["trace", "--program", "nbody", "--variant", "lokal"], "did you mean local?"),
                            (["trace", "--program", "nbody", "--size", "8193"], "did you mean 8192?"),
                            (["validate", "h200-corpos"], "did you mean h200-corpus?"),
                            (["predict", "--target", "h200", "--from", "h1000"], "did you mean h100?"),
                            (["validate", "h100", "--method", "ridg"], "did you mean ridge?"),
                            (["trace", "--target", "rtx2080it", *TEMPLATE], "did you mean rtx2080ti?"),
                            (["trace", "--target", "MI 308X", *TEMPLATE], "did you mean mi300x?"),
                            (["devices", "--format", "jsn"], "did you mean json?")):
            with self.subTest(words=words):
                done = self.refused([told], *words, progress=True)
                self.assertLess(len(done.stderr), 500)

    def test_values_are_no_options(self):
        """The value of an option may begin with --."""
        self.refused(["--no-such.csv"], "predict", "--target", "h200", "--from", "--no-such.csv")
        self.refused(["no option '--no-such'"], "predict", "--target", "h200", "--no-such")


if __name__ == "__main__":
    unittest.main()
