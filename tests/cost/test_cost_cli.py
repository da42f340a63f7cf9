#!/usr/bin/env python3
"""perfmodel advise with prices, as its users meet it: what it tells, and every wrong input.

Sums are made again here from the predictions in the same document. PERFMODEL is the program; ctest
sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import math
import sys
import unittest
import unittest.mock

sys.path.insert(1, sys.path[0] + "/..")
from program import Base

ADVISE = ("advise", "--target", "h100", "--program", "matmul", "--size", "512", "--sample", "0.02")
LAYOUTS = ("advise", "--target", "h100", "--program", "idw", "--size", "4096", "--clusters", "1", "--sample", "0.02")
# Wrong options, and words of the error message. More are in test_options.py, and all bounds in
# test_cost.c.
WRONG = (
    (["--runs", "1e+300 cannot be"], ["--runs", "1e300"]),
    (["--runs nan", "a number is wanted"], ["--runs", "nan"]),
    (["--runs inf", "a number is wanted"], ["--runs", "inf"]),
    (["--runs 1e999", "a number is wanted"], ["--runs", "1e999"]),
    (["--runs 5x", "a number is wanted"], ["--runs", "5x"]),
    (["--runs 1,000", "a number is wanted"], ["--runs", "1,000"]),
    (["--runs ", "a number is wanted"], ["--runs", ""]),
    (["--rate 80EUR", "a number is wanted"], ["--rate", "80EUR"]),
    (["--rate", "1e+10 cannot be"], ["--rate", "1e10"]),
    (["--gpu-hour", "-0.5 cannot be"], ["--gpu-hour=-0.5"]),
    (["--gpu-hour 2/3", "a number is wanted"], ["--gpu-hour", "2/3"]),
    (["--hours", "-2 cannot be"], ["--hours=-2"]),
    (["--hours nan", "a number is wanted"], ["--hours", "nan"]),
    (["--passes", "0.5 cannot be"], ["--passes", "0.5"]),
    (["--gpus", "1.5 cannot be", "whole number"], ["--gpus", "1.5"]),
    (["--currency", "1 to 16 bytes"], ["--currency", ""]),
    (["--currency", "1 to 16 bytes"], ["--currency", "x" * 17]),
    (["--currency", "control character"], ["--currency", "a\nb"]),
    (["--effort write", "write=X, read=X"], ["--effort", "write"]),
    (["--effort speed=2", "write=X, read=X"], ["--effort", "speed=2"]),
    (["--effort 2x", "a number is wanted"], ["--effort", "read=2x"]),
    (["--effort write", "0 cannot be"], ["--effort", "write=0"]),
    (["--effort factor", "0.9 cannot be"], ["--effort", "factor=0.9"]),
    (["--instead", "no GPU 'h1000'", "did you mean h100?"], ["--instead", "h1000"]),
    (["--instead", "no GPU ''"], ["--instead", "=3"]),
    (["--instead h100", "that is the target"], ["--instead", "h100=3"]),
    (["--instead x3", "a number is wanted"], ["--instead", "h200=x3"]),
    (["--instead ", "a number is wanted"], ["--instead", "h200="]),
    (["--instead h200", "-3 cannot be"], ["--instead", "h200=-3"]),
    (["--instead h200", "1e+12 cannot be"], ["--instead", "h200=1e12"]),
)
# A program with a struct, and a version written by hand. It has 1 changed kernel and 2 lines that
# the base lacks.
MOVE = """typedef struct { float x, y, v, w; } Body;
__kernel void move(__global Body *bodies, float t)
{
    const size_t i = get_global_id(0);
    bodies[i].x += t * bodies[i].v;
}
"""
BY_HAND = MOVE.replace("    bodies[i].x += t * bodies[i].v;\n", """    /* all at once */
    const float4 all = vload4(i, (__global float *)bodies);

    bodies[i].x = all.x + t * all.z;
""")
WORKLOAD = """[workload]
name = move
source = move.cl
[size 4096]
n = 4096
[buffer bodies]
type = Body
count = n
output = yes
restore = yes
[launch move]
kernel = move
global = n
local = 64
arguments = bodies, float 0.5
[variant hand]
source = hand.cl
"""
RANGES = ("hours", "cost", "saving_a_month", "break_even_runs", "break_even_days", "net_a_year")


class Cost(Base):
    """perfmodel advise."""

    def document(self, *arguments):
        """Returns an advice, and its choices by variant."""
        document = self.json_of(*arguments)
        return document, {choice["variant"]: choice for choice in document["choices"]}

    def near(self, value, wanted):
        """Checks that numbers are equal up to the digits of JSON."""
        self.assertTrue(math.isclose(value, wanted, rel_tol=1e-6, abs_tol=1e-12), (value, wanted))

    @staticmethod
    def seconds(document, choice):
        """Returns seconds of a version as the cost module computes them: the base's predicted time
        divided by the measured gain if there is one."""
        base = next(c for c in document["choices"] if c["variant"] == document["base"])
        if choice["measured_gain"] is None:
            return choice["predicted_s"]
        return base["predicted_s"] / choice["measured_gain"]

    def check_money(self, document, choice, prices):
        """Checks the middle values computed from the gains."""
        month = prices["runs"] * prices["passes"] * prices["gpus"] * prices["price"] / 3600
        base = next(c for c in document["choices"] if c["variant"] == document["base"])
        cost, saving = choice["cost"], month * (base["predicted_s"] - self.seconds(document, choice))
        work = cost["hours"]["mid"] * prices["rate"]
        self.near(cost["saving_a_month"]["mid"], saving)
        self.near(cost["cost"]["mid"], work)
        self.near(cost["net_a_year"]["mid"], 12 * saving - work)
        if saving > 0:
            self.near(cost["break_even_runs"]["mid"], work / saving * prices["runs"])
            self.near(cost["break_even_days"]["mid"], work / saving * 365.25 / 12)
        else:
            self.assertIsNone(cost["break_even_runs"]["mid"])
            self.assertIsNone(cost["break_even_days"]["mid"])

    def test_money(self):
        """With all options, one version gains and another does not."""
        prices = {"runs": 1e9, "passes": 2, "gpus": 3, "price": 1.5, "rate": 80}
        document, choices = self.document(*ADVISE, "--runs", "1e9", "--passes", "2", "--gpus", "3", "--gpu-hour",
                                          "1.5", "--rate", "80", "--currency", "EUR")
        self.assertIsNone(choices["nolocal"]["cost"])
        self.assertGreater(choices["local"]["cost"]["saving_a_month"]["mid"], 0)
        self.assertLess(choices["shared:a"]["cost"]["saving_a_month"]["mid"], 0)
        for variant, choice in choices.items():
            if variant == "nolocal":
                continue
            with self.subTest(variant=variant):
                self.check_money(document, choice, prices)
                for name in RANGES:
                    lo, mid, hi = (choice["cost"][name][end] for end in ("lo", "mid", "hi"))
                    if None not in (lo, mid, hi):
                        self.assertTrue(lo <= mid <= hi, (name, lo, mid, hi))
        self.assertEqual({k: document["cost_options"][k] for k in ("hours", "hourly_rate", "gpu_hour", "runs_per_month",
                                                                   "passes", "gpus", "currency", "assumed")},
                         {"hours": None, "hourly_rate": 80, "gpu_hour": 1.5, "runs_per_month": 1e9, "passes": 2,
                          "gpus": 3, "currency": "EUR", "assumed": []})
        self.assertEqual(document["elsewhere"], [])

    def test_hours(self):
        """Hours are estimated from the shown size of the rewrite by the given rates, or are given
        by the user."""
        rates = ("--rate", "80", "--effort", "write=3", "--effort", "read=50", "--effort", "kernel=2", "--effort", "factor=1.5")
        document, choices = self.document(*ADVISE, *rates)
        for variant, choice in choices.items():
            if variant == document["base"]:
                continue
            size, hours = choice["rewrite"], choice["cost"]["hours"]
            self.assertEqual(size["by_hand"], variant == "local")
            self.assertGreater(size["source_lines"], 0)
            self.assertEqual((size["kernels"], size["structs"]), (1, 0))
            lines = size["source_lines"] + size["host_lines"]
            self.near(hours["mid"], 2 + lines / (3 if size["by_hand"] else 50))
            self.near(hours["hi"], hours["mid"] * 1.5)
            self.near(hours["lo"], hours["mid"] / 1.5)
        self.assertEqual(document["cost_options"]["effort"],
                         {"write": 3, "read": 50, "kernel": 2, "struct": 4, "factor": 1.5})
        _, choices = self.document(*ADVISE, "--variant", "local", "--hours", "0", "--rate", "80")
        self.assertEqual(choices["local"]["cost"]["cost"], {"lo": 0, "mid": 0, "hi": 0})

    def test_layouts(self):
        """Rewrites of a struct need host code, and no kernels written by hand."""
        document, choices = self.document(*LAYOUTS)
        self.assertEqual(choices["aos"]["rewrite"], {"kernels": 0, "structs": 0, "source_lines": 0, "host_lines": 0,
                                                     "by_hand": False})
        for variant, choice in choices.items():
            if variant == "aos":
                continue
            size = choice["rewrite"]
            self.assertEqual((size["kernels"], size["structs"], size["by_hand"]), (1, 1, False), variant)
            self.assertGreater(size["host_lines"], 20)
        self.assertGreater(choices["soa"]["rewrite"]["source_lines"], 0)
        self.assertIsNone(document["cost_options"])

    def test_by_hand_with_a_struct(self):
        """A version by hand keeps the struct, and its lines count as written by
        hand. Generated layouts only have to be read."""
        for name, text in (("move.cl", MOVE), ("hand.cl", BY_HAND), ("move.workload", WORKLOAD)):
            self.write(name, text)
        _, choices = self.document("advise", "--target", "h100", "--workload", self.folder / "move.workload",
                                   "--clusters", "1", "--rate", "80")
        self.assertEqual(choices["hand"]["rewrite"], {"kernels": 1, "structs": 0, "source_lines": 2,
                                                      "host_lines": 0, "by_hand": True})
        self.near(choices["hand"]["cost"]["hours"]["mid"], 4 + 2 / 2.24)
        soa = choices["soa"]
        self.assertFalse(soa["rewrite"]["by_hand"])
        self.near(soa["cost"]["hours"]["mid"],
                  8 + (soa["rewrite"]["source_lines"] + soa["rewrite"]["host_lines"]) / 200)

    def test_chance(self):
        """The chance of a gain above 1 is shown if it is predicted, and unknown for the base.
        Without prices no money is shown, but one note says how to get it."""
        lines = self.good(*ADVISE, "--variant", "local").stdout.splitlines()
        self.assertEqual(sum("--gpu-hour" in line for line in lines), 1)
        self.assertFalse(any("saved" in line for line in lines))
        document, choices = self.document(*ADVISE)
        self.assertTrue(all(choice["cost"] is None for choice in choices.values()))
        self.assertEqual(document["elsewhere"], [])
        for variant, choice in choices.items():
            self.assertIn("bound", choice)
            self.assertIsInstance(choice["terms"], list)
            if variant == document["base"] or choice["lo"] is None:
                self.assertIsNone(choice["chance"])
                continue
            self.assertEqual(choice["chance"] > 0.5, choice["gain"] > 1)
            self.assertEqual(choice["chance"] > 0.95, choice["lo"] > 1)
        self.assertIn("basis", document)

    def test_tables(self):
        """Examples are marked as such, no line is wider than the terminal, and versions keep their
        numbers."""
        for columns in ("60", "80", "200"):
            with unittest.mock.patch.dict(os.environ, COLUMNS=columns):
                lines = self.good(*ADVISE, "--rate", "80", "--instead", "h200=3").stdout.splitlines()
            self.assertLessEqual(max(map(len, lines)), int(columns))
        self.assertEqual([line for line in lines if "an example" in line],
                         ["  an hour of a GPU: 2 (an example; --gpu-hour says yours)",
                          "  runs a month: 1000 (an example; --runs says yours)"])
        ranking = [line.split() for line in lines if "x " in line and ".." in line]
        money = lines[lines.index(next(line for line in lines if "saved a month" in line)) + 1:]
        money = [line.split() for line in money if line.split()[:1] and line.split()[0].isdigit()]
        names = {row[0]: row[-1] for row in ranking if "(as it is)" not in " ".join(row)}
        self.assertEqual({row[0]: row[-1] for row in money}, names)
        self.assertTrue(any("never" in row for row in money))
        self.assertTrue(any(line.startswith("Cheapest after a year: as it is on h100") for line in lines))

    def test_elsewhere(self):
        """Sums for both GPUs come from their own advice, with a price for one GPU and a common
        price."""
        document, choices = self.document(*ADVISE, "--runs", "1e12", "--gpu-hour", "2", "--hours", "10", "--rate",
                                          "50", "--instead", "h200=3", "--instead", "h200")
        other = self.json_of("advise", "--target", "h200", *ADVISE[3:])
        there = {choice["variant"]: self.seconds(other, choice) for choice in other["choices"]}
        month, dear = 1e12 * 2 / 3600, 1e12 * 3 / 3600
        place, cheap = document["elsewhere"]
        self.assertEqual((place["target"], place["gpu_hour"], cheap["gpu_hour"]), ("h200", 3, 2))
        best = self.seconds(document, choices[document["best"]]) * month
        base = there[other["base"]] * dear
        self.near(place["here"]["base_month"]["mid"], choices["nolocal"]["predicted_s"] * month)
        self.near(place["here"]["best_month"]["mid"], best)
        self.near(place["here"]["best_year"], 12 * best + 500)
        self.near(place["there"]["base_month"]["mid"], base)
        self.near(place["there"]["best_month"]["mid"], there[other["best"]] * dear)
        self.near(cheap["there"]["base_year"], 12 * base / 1.5)
        self.near(place["overtakes_days"]["mid"], 500 / (base - best) * 365.25 / 12)
        sums = {name: place[name.split()[1]][name.split()[0] + "_year"]
                for name in ("base here", "best here", "base there", "best there")}
        self.assertEqual(place["cheapest"], min(sums, key=sums.get))

    def test_wrong_options(self):
        """A wrong option gives one line with the reason, before any work is done."""
        for words, arguments in WRONG:
            with self.subTest(arguments=arguments):
                self.refused(words, *ADVISE, *arguments)


if __name__ == "__main__":
    unittest.main()
