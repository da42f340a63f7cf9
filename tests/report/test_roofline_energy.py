#!/usr/bin/env python3
"""The roofline and energy as users meet them: advise, report, and collect where no meter can be read.

Points are made again here from counters of `trace` and from devices.csv. PERFMODEL is the program; ctest sets it.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import math
import re
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, Base, rows_of, run, write_rows

ADVISE = ("advise", "--program", "sobel3x3", "--size", "1536x1536", "--sample", "0.02", "--check-limit", "1")
# A kernel with four multiply-adds and a sum of floats, which are 9 operations per work-item; and a
# kernel with integers only.
SOURCE = """__kernel void floats(__global const float *a, __global float *b)
{
    float x = a[get_global_id(0)];
    x = fma(x, x, 1.5f); x = fma(x, x, 2.5f); x = fma(x, x, 3.5f); x = fma(x, x, 4.5f);
    b[get_global_id(0)] = x + a[0];
}
__kernel void integers(__global const int *a, __global int *b)
{
    b[get_global_id(0)] = a[get_global_id(0)] ^ 21;
}
"""
WORKLOAD = """[workload]
name = both
source = both.cl
[size 1]
n = 65536
[buffer a]
type = float
count = n
contents = random -1, 1
[buffer b]
type = float
count = n
output = yes
[launch floats]
kernel = floats
global = n
local = 64
arguments = a, b
[launch integers]
kernel = integers
global = n
local = 64
arguments = a, b
"""


class Roofline(Base):
    """Tests the roofline points of advise and report."""

    def near(self, value, wanted):
        """Checks that numbers are equal up to the digits of JSON."""
        self.assertTrue(math.isclose(value, wanted, rel_tol=1e-6), (value, wanted))

    def check_point(self, point, roofs):
        """Checks the least time over all roofs, and the values derived from it."""
        times = {name: level["bytes"] / roofs["bytes_per_s"][name] for name, level in point["levels"].items()}
        times["int" if point["operations"] == "int" else "fp32"] = \
            point["count"] / roofs["int_per_s" if point["operations"] == "int" else "fp32_per_s"]
        # At L2 the direction with more bytes counts. At L1 at most the bytes of its passes count.
        # Both are at most all bytes, and for L2 at least half.
        low = {name: seconds * {"l1": 0, "l2": .5}.get(name, 1) for name, seconds in times.items()}
        self.assertLessEqual(point["least_s"], max(times.values()) * (1 + 1e-6))
        self.assertGreaterEqual(point["least_s"], max(low.values()) * (1 - 1e-6))
        self.assertLessEqual(point["least_s"], times[point["bound"]] * (1 + 1e-6))
        self.assertGreaterEqual(point["least_s"], low[point["bound"]] * (1 - 1e-6))
        self.near(point["share"], point["least_s"] / point["time_s"])
        self.near(point["flops_per_s"], point["count"] / point["time_s"])
        self.near(point["roof_per_s"], point["count"] / point["least_s"])
        self.near(point["share"], point["flops_per_s"] / point["roof_per_s"])
        for level in point["levels"].values():
            if level["bytes"]:
                self.near(level["intensity"], point["count"] / level["bytes"])
            else:
                self.assertIsNone(level["intensity"])
        self.assertEqual(point["intensity"], point["levels"]["dram"]["intensity"])

    def test_operations_of_a_workload(self):
        """Operations are those of the source. A kernel without floats counts integers. The time is
        predicted, because it is not measured."""
        self.write("both.cl", SOURCE)
        path = self.write("both.workload", WORKLOAD)
        document = self.json_of("advise", "--target", "h200", path)
        kernels = {kernel["kernel"]: kernel["roofline"] for kernel in document["choices"][0]["kernels"]}
        self.assertEqual(kernels["floats"]["operations"], "fp32")
        self.assertEqual(kernels["floats"]["count"], 9 * 65536)
        self.assertEqual(kernels["integers"]["operations"], "int")
        self.assertEqual(document["choices"][0]["roofline"]["count"], 9 * 65536)
        for point in kernels.values():
            self.assertFalse(point["measured"])
            self.check_point(point, document["roofs"])

    def test_measured_points(self):
        """If the dataset has the version, the point uses its measured time. The terminal shows a
        short line."""
        document = self.json_of(*ADVISE, "--target", "h100")
        seconds = {row["variant"]: float(row["time_s"]) for row in rows_of(DATASETS / "h100-shared.csv")
                   if row["program"] == "sobel3x3" and row["size"] == "1536x1536"}
        for choice in document["choices"]:
            self.check_point(choice["roofline"], document["roofs"])
            if choice["variant"] in seconds:
                self.assertTrue(choice["roofline"]["measured"])
                self.near(choice["roofline"]["time_s"], seconds[choice["variant"]])
        words = self.good(*ADVISE, "--target", "h100", environment={"COLUMNS": "200"}).stdout
        self.assertRegex(words, r"roofline:\n  \w+: .*fp32 operations.*; lowest roof \w+, \d+ % reached \(measured\)")

    def test_report(self):
        """The report has a point in the JSON and a row in the tables for each kernel of each
        version."""
        page, text = self.folder / "page.json", self.folder / "page.md"
        for path in (page, text):
            self.good("report", "--target", "h100", "--target", "gtx980", *ADVISE[1:], "-o", path)
        rows = re.findall(r"^\| sobel3x3 \|.*\| (measured|predicted) \|$", text.read_text(encoding="utf-8"), re.M)
        self.assertGreater(rows.count("measured"), 0)
        self.assertGreater(rows.count("predicted"), 0)
        points = [kernel["roofline"] for target in json.loads(page.read_text(encoding="utf-8"))["targets"]
                  for choice in target["programs"][0]["choices"] for kernel in choice["kernels"]]
        self.assertEqual(["measured" if point["measured"] else "predicted" for point in points], rows)


class Energy(Base):
    """Tests the saved energy, measured and unmeasured."""

    def datasets(self, joules, name="h100-energy.csv"):
        """Makes a folder with a dataset of that name, which has measured energy of some versions of
        sobel3x3."""
        rows = rows_of(DATASETS / "h100.csv")
        for row in rows:
            row["energy_j"] = joules.get(row["variant"], "") if row["program"] == "sobel3x3" else ""
        write_rows(self.folder / name, rows)
        return self.folder

    def saved(self, *arguments):
        """Returns the energy of each version except the base."""
        document = self.json_of(*ADVISE, "--runs", "1e6", "--energy-price", "0.25", "--co2", "400", *arguments)
        return document, {choice["variant"]: choice["cost"]["energy"] for choice in document["choices"]
                          if choice["cost"]}

    def test_by_the_boards_limit(self):
        """Tests a GPU without measured energy."""
        document, saved = self.saved("--target", "h100")
        self.assertEqual(document["power_limit_w"], 700)
        self.assertIsNone(document["cost_options"])  # without a rate the work has no cost
        options = self.saved("--target", "h100", "--rate", "80")[0]["cost_options"]
        self.assertEqual((options["energy_price"], options["co2_g_a_kwh"]), (0.25, 400))
        for energy in saved.values():
            self.assertEqual((energy["basis"], energy["watts"]), ("at most", 700))
            self.assertAlmostEqual(energy["kwh_a_month"], energy["joules"] * 1e6 / 3.6e6)
            self.assertAlmostEqual(energy["money_a_month"], 0.25 * energy["kwh_a_month"])
            self.assertAlmostEqual(energy["co2_kg_a_month"], 0.4 * energy["kwh_a_month"])
        words = self.good(*ADVISE, "--target", "h100", "--co2", "400").stdout
        self.assertIn("at most 700 W", words)
        self.assertIn("  CO2 of a kWh: 400 g\n", words)
        self.assertNotIn("  a kWh:", words)

    def test_measured(self):
        """With energy of base and version, both are used. With energy of the base only, its mean
        power is used."""
        base = self.json_of(*ADVISE, "--target", "h100")["base"]
        other = "local" if base != "local" else "nolocal"
        _, saved = self.saved("--target", "h100", "--datasets", self.datasets({base: "0.03", other: "0.02"}))
        self.assertEqual(saved[other]["basis"], "measured")
        self.assertAlmostEqual(saved[other]["joules"], 0.01)
        _, saved = self.saved("--target", "h100", "--datasets", self.datasets({base: "0.03"}))
        seconds = next(float(row["time_s"]) for row in rows_of(self.folder / "h100-energy.csv")
                       if (row["program"], row["variant"], row["size"]) == ("sobel3x3", base, "1536x1536"))
        self.assertEqual(saved[other]["basis"], "power")
        self.assertTrue(math.isclose(saved[other]["watts"], 0.03 / seconds, rel_tol=1e-6))

    def test_no_variable_of_a_model(self):
        """A model ignores the energy column, and refuses it if it is named."""
        with_energy = self.datasets({"local": "0.02", "nolocal": "0.03"}, "h100.csv") / "h100.csv"
        plain = self.json_of("validate", DATASETS / "h100.csv", "--method", "ridge")
        self.assertEqual(self.json_of("validate", with_energy, "--method", "ridge")["samples"], plain["samples"])
        done = run("validate", with_energy, "--counters", "energy_j")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("energy_j is no counter, but what a run costs", done.stderr)

    def test_no_meter(self):
        """A device that is not NVIDIA's: times, a notice of one line, and an empty cell."""
        path = self.folder / "cpu.csv"
        done = run("collect", "--energy", "--device", "pocl", "--counters", "none", "--program", "sobel3x3",
                   "--variant", "nolocal", "--size", "1536x1536", "-o", path)
        if "no OpenCL device" in done.stderr:
            self.skipTest("no PoCL")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("no energy: "), 1)
        self.assertIn("; energy_j stays empty", done.stderr)
        self.assertEqual([row["energy_j"] for row in rows_of(path)], [""])

    def test_wrong(self):
        """Each in one line."""
        for words, arguments in ((("--energy-price", "-1 cannot be"), ("--energy-price=-1",)),
                                 (("--co2", "a number is wanted"), ("--co2", "nan"))):
            done = run(*ADVISE, "--target", "h100", *arguments)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)
        done = run("collect", "--energy", "--device", "none", "-o", self.folder / "x.csv")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertIn("--energy: --device none runs nothing", done.stderr)


if __name__ == "__main__":
    unittest.main()
