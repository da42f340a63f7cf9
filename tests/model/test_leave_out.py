#!/usr/bin/env python3
"""--leave-out class, as users of validate, predict, advise and report meet it: nothing that is said of a program depends
on the times of any program of its class.

PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, Base, rows_of, write_rows

CLASSES = {row["program"]: row["class"] for row in rows_of(DATASETS / "classes.csv")}
KEYS = ("predicted_s", "lo_s", "hi_s")
LEFT_OUT = "window"


def predictions_of(samples, of_class=True):
    """Returns the messages' parts about programs of the class, or of other programs, by key."""
    return {(s["program"], s["variant"], s["size"], s["kernel"]): [s[key] for key in KEYS]
            for s in samples if (CLASSES[s["program"]] == LEFT_OUT) == of_class}


class LeaveOut(Base):
    """Each command runs with the shipped times, and with the times of one class multiplied by
    ten."""

    def setUp(self):
        super().setUp()
        for path in DATASETS.glob("h[12]00*.csv"):
            rows = rows_of(path)
            for row in rows:
                if CLASSES[row["program"]] == LEFT_OUT and row["time_s"]:
                    row["time_s"] = repr(10 * float(row["time_s"]))
            write_rows(self.folder / path.name, rows)

    def both(self, *words):
        """Returns the documents of both runs. The JSON files beside the datasets say which rows are
        CUDA."""
        for path in DATASETS.glob("h[12]00-cuda*.json"):
            self.write(path.name, path.read_text(encoding="utf-8"))
        return self.json_of(*words), self.json_of(*words, "--datasets", self.folder)

    def check(self, before, after):
        """Results of the class do not change, results of other programs do."""
        self.assertGreater(len(predictions_of(before)), 5)
        self.assertEqual(predictions_of(before), predictions_of(after))
        self.assertNotEqual(predictions_of(before, False), predictions_of(after, False))

    def test_validate(self):
        """Tests methods that learn in folds, and methods with a closed form."""
        for words in (["--method", "units"], ["--method", "ridge"], ["--method", "paper", "--variant", "nolocal"]):
            before, after = self.both("validate", "h100", "--counters", "code", "--leave-out", "class", *words)
            self.assertEqual(before["leave_out"], "class")
            self.check(before["samples"], after["samples"])
        words = ["validate", "h100", "--counters", "code", "--method", "units"]
        self.assertNotEqual(predictions_of(self.json_of(*words)["samples"]),
                            predictions_of(self.json_of(*words, "--leave-out", "class")["samples"]))

    def test_validate_needs_classes(self):
        """Rows are left out by their class and not by their program."""
        rows = [row for row in rows_of(DATASETS / "h100.csv") if row["program"] in ("dct8x8", "haar1d", "median3x3", "sobel3x3")]
        path = self.folder / "few.csv"
        write_rows(path, rows)
        self.refused(["2 classes to learn from", "at least 3"], "validate", path, "--leave-out", "class")

    def test_predict(self):
        """Predicts by the profile, from other GPUs' times with and without the target's own times,
        and by the target's dataset."""
        some = [word for program in ("sobel3x3", "median3x3", "haar1d") for word in ("--program", program)]
        before, after = self.both("predict", "--target", "gtx980", "--from", "h100-trace", "--leave-out", "class", *some)
        self.assertEqual(before["basis"], "profile")
        self.check(before["predictions"], after["predictions"])
        words = ["predict", "--target", "h200", "--from", "h100-trace", "--leave-out", "class", "--counters", "code",
                 "--method", "units", *some]
        before, after = self.both(*words)
        self.assertEqual(before["basis"], "dataset")
        self.check(before["predictions"], after["predictions"])
        before, after = self.both(*words, "--basis", "profile")
        self.assertEqual(before["basis"], "profile")
        self.check(before["predictions"], after["predictions"])

    def test_advise_and_report(self):
        """Compares times, gains and chances, from the target's own times and from other GPUs'
        times."""
        for target in ("h100", "gtx980"):
            words = ["--target", target, "--program", "sobel3x3", "--size", "1536x1536", "--variant", "local",
                     "--sample", "0.05", "--leave-out", "class"]
            advice = self.both("advise", *words)
            keys = (*KEYS, "variant", "gain", "lo", "hi", "chance")
            said = [[[choice[key] for key in keys] for choice in one["choices"]] for one in advice]
            self.assertEqual(said[0], said[1], target)
        words += ["--rate", "80"]
        for unit in ("class", "program"):
            words[words.index("--leave-out") + 1] = unit
            report = self.json_of("report", *words)
            self.assertIs(report["leave_out"], True)
            self.assertEqual(report["leave_out_unit"], unit)
        words = words[:words.index("--leave-out")]
        report = self.json_of("report", *words)
        self.assertIs(report["leave_out"], False)
        self.assertIsNone(report["leave_out_unit"])

    def test_workload(self):
        """The program's workload file names a class that the table lacks."""
        text = self.good("advise", "--template").stdout
        paths = {kind: self.write(f"{kind}.workload", text.replace("[workload]\n", f"[workload]\nclass = {kind}\n"))
                 for kind in (LEFT_OUT, "transform")}
        said = {}
        for kind, path in paths.items():
            words = ["advise", "--target", "gtx980", "--workload", path, "--size", "small", "--variant", "soa",
                     "--leave-out", "class"]
            said[kind] = [[choice[key] for choice in one["choices"] for key in (*KEYS, "gain", "lo", "hi", "chance")]
                          for one in self.both(*words)]
        self.assertEqual(said[LEFT_OUT][0], said[LEFT_OUT][1])
        self.assertNotEqual(said["transform"][0], said["transform"][1])

    def test_a_wrong_table(self):
        """A wrong value is reported in one line."""
        self.write("classes.csv", "program,class\nsph,\n")
        place = [str(self.folder / "classes.csv") + ":2: class is empty"]
        for words in (["validate", "h100"], ["predict", "--target", "gtx980", "--program", "sph"]):
            self.refused(place, *words, "--leave-out", "class", "--datasets", self.folder)

    def test_wrong_words(self):
        """leave_out has one of three values."""
        for words in (["validate", "h100"], ["predict", "--target", "gtx980"],
                      ["advise", "--target", "h100", "--program", "sph"],
                      ["report", "--target", "h100", "--program", "sph", "--json"]):
            self.refused(["--leave-out claz: ", "program", "class", "sample"], *words, "--leave-out", "claz")


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False, verbosity=0).result.wasSuccessful() else 1)
