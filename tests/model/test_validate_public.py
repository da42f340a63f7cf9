#!/usr/bin/env python3
"""perfmodel validate public: what is left out is not learned from, what it does with wrong options, and that published
times make predictions of other GPUs better than one set of parameters for all.

PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import shutil
import statistics
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, Base, rows_of, run, share_without_datasets, write_rows

GPUS = ("gtx680", "k20c", "gtx980")  # two GPUs of Kepler, one of Maxwell


class Public(Base):
    """perfmodel validate public."""

    def setUp(self):
        super().setUp()
        self.environment = {"PERFMODEL_SHARE": str(share_without_datasets(self.folder / "share")),
                            "XDG_DATA_HOME": str(self.folder / "none")}
        (self.folder / "public").mkdir()
        for name in ("devices", "classes", "h100", "h100-trace"):
            shutil.copy(DATASETS / f"{name}.csv", self.folder)
        for gpu in GPUS:
            for name in (gpu, f"{gpu}-trace"):
                shutil.copy(DATASETS / "public" / f"{name}.csv", self.folder / "public")

    def document(self, *arguments):
        """Of a validation."""
        return self.json_of("validate", "public", "--datasets", self.folder, *arguments,
                            environment=self.environment)

    def predicted(self, *arguments):
        """Returns the predicted seconds and ends of intervals by GPU."""
        found = {gpu: [] for gpu in GPUS}
        for s in self.document(*arguments)["samples"]:
            found[s["device"]].append((s["program"], s["variant"], s["size"], s["predicted_s"], s["lo_s"], s["hi_s"]))
        self.assertTrue(all(found.values()))
        return found

    def stretch(self, gpu):
        """Makes the published times of a GPU five times as long."""
        path = self.folder / "public" / f"{gpu}.csv"
        rows = rows_of(path)
        for row in rows:
            row["time_s"] = repr(5 * float(row["time_s"]))
        write_rows(path, rows)

    def test_what_is_left_out_changes_no_digit(self):
        """Leaving out a GPU leaves out its own times. Leaving out its architecture also leaves out
        the times of the other GPU."""
        by_gpu, by_architecture = self.predicted("--leave-out", "gpu"), self.predicted("--leave-out", "architecture")
        self.stretch("k20c")
        after = self.predicted("--leave-out", "gpu")
        self.assertEqual(after["k20c"], by_gpu["k20c"])
        self.assertNotEqual(after["gtx680"], by_gpu["gtx680"])
        after = self.predicted("--leave-out", "architecture")
        self.assertEqual(after["k20c"], by_architecture["k20c"])
        self.assertEqual(after["gtx680"], by_architecture["gtx680"])
        self.assertNotEqual(after["gtx980"], by_architecture["gtx980"])

    def test_a_program_is_left_out(self):
        """Programs are left out on all GPUs, including the predicted one. Times of other programs
        on that GPU may be used."""
        before = self.predicted("--leave-out", "program")
        for gpu in GPUS:
            path = self.folder / "public" / f"{gpu}.csv"
            rows = rows_of(path)
            for row in rows:
                row["time_s"] = repr((5 if row["program"] == "simple_matsum" else 1) * float(row["time_s"]))
            write_rows(path, rows)
        after = self.predicted("--leave-out", "program")
        for gpu in GPUS:
            of_it = [[p for p in found[gpu] if p[0] == "simple_matsum"] for found in (before, after)]
            self.assertTrue(of_it[0])
            self.assertEqual(*of_it)
            self.assertNotEqual(before[gpu], after[gpu])

    def test_published_times_help(self):
        """Compares with predictions by one set of parameters, learned on the H100."""
        medians = []
        for method in ("auto", "units"):
            document = self.document("--method", method)
            self.assertEqual((document["leave_out"], document["method"]), ("gpu", method))
            medians.append(statistics.median(abs(s["predicted_s"] / s["measured_s"] - 1) for s in document["samples"]))
            self.assertAlmostEqual(document["median_ape"], medians[-1])
            for s in document["samples"]:
                self.assertIn(s["origin"], ("gpuperfpredict", "shoc"))
                self.assertTrue(0 < s["lo_s"] <= s["predicted_s"] <= s["hi_s"])
        self.assertLess(medians[0], medians[1])
        self.assertLess(medians[0], .15)

    def test_the_same_bytes(self):
        """Twice the same."""
        first, second = (run("validate", "public", "--datasets", self.folder, "--json",
                              environment=self.environment) for _ in range(2))
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(first.stdout, second.stdout)

    def test_wrong_options(self):
        """A wrong option gives one line with the remedy."""
        for arguments, words in (
                (("public", "--leave-out", "sample"), "not a sample"),
                (("public", "--method", "paper"), "methods auto and units"),
                (("public", "--from", "h100"), "--from"),
                (("h100", "--leave-out", "gpu"), "validate public"),
                (("h100", "--leave-out", "architecture"), "validate public")):
            self.refused([words], "validate", "--datasets", self.folder, *arguments,
                         environment=self.environment)
        shutil.rmtree(self.folder / "public")
        self.refused(["public/NAME.csv"], "validate", "public", "--datasets", self.folder,
                     environment=self.environment)


if __name__ == "__main__":
    unittest.main()
