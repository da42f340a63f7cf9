#!/usr/bin/env python3
"""Workloads as commands take them: files, folders and captures, one or several, as plain arguments or by --workload.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import re
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, ROOT, Base, rows_of, run, write_rows

SOURCE = """__kernel void scale(__global const float *in, __global float *out, float by)
{
    out[get_global_id(0)] = in[get_global_id(0)] * by;
}
__kernel void add(__global const float *in, __global float *out, int behind)
{
    out[get_global_id(0) + behind] += in[get_global_id(0)];
}
"""

WORKLOAD = """[workload]
name = {name}
source = {source}
[size small]
n = 1024
[size large]
n = 4096
[buffer in]
type = float
count = n
contents = random
[buffer out]
type = float
count = n
output = yes
restore = yes
[launch scale]
global = n
local = 64
arguments = in, out, float 2
[launch add]
global = n
local = 64
arguments = in, out, int {behind}
"""


class Several(Base):
    def setUp(self):
        super().setUp()
        self.one, self.two = self.workload("one"), self.workload("two")

    def workload(self, name, folder=".", behind=0, path=None):
        """Writes a workload file in a folder below this one."""
        (self.folder / folder).mkdir(parents=True, exist_ok=True)
        self.write(f"{folder}/kernels.cl", SOURCE)
        return self.write(f"{folder}/{path or name}.workload",
                          WORKLOAD.format(name=name, source="kernels.cl", behind=behind))

    def programs(self, *arguments):
        return [p["program"] for p in self.json_of("collect", "--list", *arguments)]

    def test_places(self):
        """Tests each way to name workloads, and their order."""
        self.workload("deep", "captures/app.perfmodel", path="capture")
        self.workload("last", "captures/zoo.workload", path="capture") # a folder, whatever its name
        self.workload("mid", "captures")
        self.workload("lost", "captures/app.perfmodel/sources/more")
        self.workload("hidden", "captures/.git")
        self.write("captures/notes.txt", "no workload")
        captures = self.folder / "captures"
        for arguments, told in (([self.one], ["one"]), ([self.two, self.one], ["two", "one"]),
                                (["--workload", self.one], ["one"]),
                                (["--workload", self.two, "--workload", self.one], ["two", "one"]),
                                ([captures / "app.perfmodel"], ["deep"]),
                                ([captures], ["deep", "mid", "last"]), ([f"{captures}/"], ["deep", "mid", "last"]),
                                ([self.two, captures], ["two", "deep", "mid", "last"])):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.programs(*arguments), told)

    def test_wrong(self):
        """Each error is one line with the path, before any work, for every command."""
        (self.folder / "empty" / "below").mkdir(parents=True)
        self.workload("far", "empty/below/deeper")
        again = self.workload("one", "other")
        (self.folder / "garbage").mkdir()
        self.write("garbage/bad.workload", "no key\n")
        self.write("rows.csv", "device,program\n")
        self.write("rows.json", "{}\n")
        loose = self.folder / "loose.workload"
        loose.symlink_to(self.folder / "gone")
        commands = (["trace"], ["collect", "--device", "none", "-o", self.folder / "x.csv"],
                    ["advise", "--target", "h100"], ["predict", "--target", "h100"], ["report", "--target", "h100", "-o", self.folder / "x.html"])
        for words, arguments in ((["none.workload", "No such file"], ["none.workload"]),
                                 (["one.workload/x", "Not a directory"], [self.one / "x"]),
                                 ([f"{self.folder / 'empty'}: has no workload file"], [self.folder / "empty"]),
                                 (["rows.json: is JSON"], [self.folder / "rows.json"]),
                                 (["rows.csv: is a dataset"], [self.folder / "rows.csv"]),
                                 (["bad.workload:1"], [self.folder / "garbage"]),
                                 ([f"{again}: its name, one, is that of {self.one}"], [self.one, again]),
                                 ([f"{self.one}: is there twice"], [self.one, "--workload", self.one]),
                                 (["loose.workload"], [loose]),
                                 (["--program"], [self.one, "--program", "nbody"])):
            for command in commands:
                if command[0] in ("collect", "predict") and "--program" in arguments:
                    continue # which of them, there
                if command[0] == "predict" and str(arguments[0]).endswith(".csv"):
                    continue # there, a dataset is valid
                with self.subTest(command=command, arguments=arguments):
                    self.refused(words, *command, *arguments, progress=True)

    def test_one_is_as_ever(self):
        """A single workload gives the same document, however it is named."""
        folder = self.workload("alone", "alone").parent
        plain = self.json_of("trace", "--workload", folder / "alone.workload")
        self.assertEqual(list(plain), ["target", "program", "variant", "size", "assumed", "kernels"])
        for argument in (folder / "alone.workload", folder):
            self.assertEqual(self.json_of("trace", argument), plain)

    def test_trace(self):
        """With several workloads, each has the same result as alone."""
        alone = [self.json_of("trace", path, "--target", "gtx980") for path in (self.one, self.two)]
        self.assertEqual(self.json_of("trace", self.one, self.two, "--target", "gtx980"), {"traces": alone})
        tables = [self.good("trace", path).stdout for path in (self.one, self.two)]
        self.assertEqual(self.good("trace", self.one, self.two).stdout, "\n".join(tables))

    def test_one_fails(self):
        """If one workload fails, the others are processed. A line names the failed one, and the
        exit code says that one was left out."""
        bad = self.workload("bad", behind=7)
        for command, key in (("trace", "traces"), ("advise", "advice")):
            done = run(command, *(["--target", "h100"] if command == "advise" else []), bad, self.one, "--sample", "all",
                       "--json")
            self.assertEqual(done.returncode, 3, done.stderr)
            lines = [line for line in done.stderr.splitlines() if "bad" in line]
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertIn("bad: left out: ", lines[0])
            self.assertIn("buffer out", lines[0])
            self.assertIn(f'"{key}"', done.stdout)
            self.assertEqual(done.stdout.count('"program": "one"'), 1)
            self.assertNotIn('"program": "bad"', done.stdout)

    def test_advise(self):
        words = ["advise", "--target", "h100", "--size", "small"]
        advice = self.json_of(*words, self.one, self.two)["advice"]
        self.assertEqual([a["program"] for a in advice], ["one", "two"])
        self.assertEqual(advice[0], self.json_of(*words, self.one))

    def test_collect(self):
        """The dataset has rows of all workloads. The same command again collects the missing
        ones."""
        words = ["collect", "--device", "none", "--target", "gtx980", "-o", self.folder / "all.csv"]
        self.assertEqual(self.json_of(*words, self.one)["measured"], 2)
        done = self.json_of(*words, self.folder / "one.workload", self.folder / "two.workload")
        self.assertEqual((done["measured"], done["kept"]), (2, 2))
        rows = [(r["program"], r["size"], r["kernel"]) for r in rows_of(self.folder / "all.csv")]
        self.assertEqual(sorted(rows), sorted((p, s, k) for p in ("one", "two") for s in ("small", "large")
                                              for k in ("scale", "add")))
        self.assertEqual(self.json_of(*words[:-1], self.folder / "two.csv", self.one, self.two, "--program", "two",
                                      "--size", "small")["measured"], 1)

    def test_report(self):
        """A report page of several workloads. One that fails is left out, and the page says so."""
        bad = self.workload("bad", behind=9)
        out = self.folder / "x.json"
        done = run("report", "--target", "h100", self.one, bad, self.two, "--sample", "all", "-o", out)
        self.assertEqual(done.returncode, 3, done.stderr)
        report = out.read_text(encoding="utf-8")
        for words in ('"program": "one"', '"program": "two"', "buffer out"):
            self.assertIn(words, report)
        for case in json.loads(report)["targets"][0]["programs"]:
            for choice in case["choices"]:
                self.assertEqual([k["kernel"] for k in choice["kernels"]], ["scale", "add"])
                for member in ("predicted_s", "lo_s", "hi_s"):
                    self.assertAlmostEqual(sum(k[member] for k in choice["kernels"]) / choice[member], 1, 6)
        out = self.folder / "x.md"
        self.good("report", "--target", "h100", "--target", "gtx980", self.one, self.two, "--size", "small", "-o", out)
        page = out.read_text(encoding="utf-8")
        for target in ("h100", "gtx980"):
            for program in ("one", "two"):
                self.assertIn(f"Predicted time of each kernel of {program} on {target}", page)
        shares = [tuple(map(int, re.findall(r"\| (\d+) % \|", part)[:2]))
                  for part in page.split("Predicted time of each kernel of ")[1:]]
        self.assertTrue(all(99 <= sum(pair) <= 101 for pair in shares), shares)

    def key(self, prediction):
        return prediction["program"], prediction["variant"], prediction["size"]

    def check_totals(self, document):
        """Each total is the sum over its kernels: times, ends of intervals, and parts of units."""
        of = {}
        for prediction in document["predictions"]:
            of.setdefault(self.key(prediction), []).append(prediction)
        self.assertEqual([self.key(t) for t in document["totals"]], list(of))
        for total in document["totals"]:
            kernels = of[self.key(total)]
            self.assertEqual(total["kernels"], len(kernels))
            for member in ("predicted_s", "lo_s", "hi_s"):
                self.assertAlmostEqual(total[member] / sum(k[member] for k in kernels), 1, 6)
            self.assertAlmostEqual(sum(t["added_s"] for t in total["terms"]) / total["predicted_s"], 1, 6)
            self.assertEqual(total["bound"], max(total["terms"], key=lambda t: t["added_s"])["unit"])

    def test_predict(self):
        """Predictions of each kernel and of the total, on GPUs with and without a dataset, agree
        with advise."""
        for target in ("gtx980", "h200"):
            document = self.json_of("predict", "--target", target, self.one, "--size", "large")
            self.assertEqual([(p["program"], p["variant"], p["size"], p["kernel"]) for p in document["predictions"]],
                             [("one", "plain", "large", "scale"), ("one", "plain", "large", "add")])
            self.assertEqual(len(document["totals"]), 1)
            self.check_totals(document)
            advice = self.json_of("advise", "--target", target, self.one, "--size", "large", "--variant", "plain")
            self.assertEqual(document["basis"], advice["basis"])
            plain = next(v for v in advice["choices"] if v["variant"] == "plain")
            self.assertAlmostEqual(document["totals"][0]["predicted_s"] / plain["predicted_s"], 1, 6)
        self.assertEqual(self.json_of("predict", "--target", "h200", self.one, "--basis", "profile")["basis"], "profile")

    def test_predict_several(self):
        """Lists variants and sizes of all workloads, each once; selections; and the table."""
        document = self.json_of("predict", "--target", "gtx980", self.folder)
        self.assertEqual([self.key(t) for t in document["totals"]],
                         [(p, "plain", s) for p in ("one", "two") for s in ("small", "large")])
        self.check_totals(document)
        some = self.json_of("predict", "--target", "gtx980", self.folder, "--program", "two", "--size", "small")
        self.assertEqual(some["totals"], [t for t in document["totals"] if self.key(t) == ("two", "plain", "small")])
        shared = self.json_of("predict", "--target", "gtx980", self.one, "--variant", "shared:in", "--size", "small")
        self.assertEqual({p["variant"] for p in shared["predictions"]}, {"shared:in"})
        lines = self.good("predict", "--target", "gtx980", self.one, "--size", "small").stdout.splitlines()
        self.assertRegex(lines[3], r"^one +plain +small +all 2 kernels +[\d.]+ us +[\d.]+ to [\d.]+ us$")
        self.assertIn("Based on", lines[4])

    def test_predict_dataset(self):
        """Predicting from a dataset that collect made of workloads, counted by the target's rules,
        equals predicting from the files."""
        rows = self.folder / "rows.csv"
        self.good("collect", self.one, self.two, "--device", "none", "--target", "gtx980", "-o", rows)
        own = self.json_of("predict", "--target", "gtx980", self.one, self.two)
        for arguments in ([rows], ["--from", rows]):
            document = self.json_of("predict", "--target", "gtx980", *arguments)
            self.check_totals(document)
            for a, b in zip(own["predictions"], document["predictions"], strict=True):
                self.assertEqual((self.key(a), a["kernel"]), (self.key(b), b["kernel"]))
                self.assertAlmostEqual(a["predicted_s"] / b["predicted_s"], 1, 4)
        # A GPU whose dataset lacks these programs: the model that was fitted to its dataset
        # predicts them.
        done = self.good("predict", "--target", "h200", rows, "--json")
        self.assertIn("counters of 8 samples are another GPU's, not by the rules of h200", done.stderr)
        self.assertEqual(json.loads(done.stdout)["basis"], "dataset")
        self.check_totals(json.loads(done.stdout))

    def test_predict_times(self):
        """Times on another GPU in addition to the files: the residual on that GPU is
        transferred."""
        corpus = ROOT / "kernels" / "corpus" / "acf_lags.workload"
        rows = [row for row in rows_of(DATASETS / "h200-corpus.csv") if row["program"] == "acf_lags"]
        path = self.folder / "times.csv"
        words = ["predict", "--target", "h100", "--basis", "profile", "--leave-out", "class", corpus, "--size", "small"]
        plain = self.json_of(*words)["predictions"]
        for scale in (1, 3):
            write_rows(path, [{**row, "time_s": scale * float(row["time_s"])} for row in rows])
            timed = self.json_of(*words, path)["predictions"]
            for a, b in zip(plain, timed, strict=True):
                if scale == 1:
                    self.assertLess(b["hi_s"] / b["lo_s"], a["hi_s"] / a["lo_s"])
                    self.assertLess(abs(b["predicted_s"] / b["measured_s"] - 1), 0.1)
                else:
                    self.assertGreater(b["predicted_s"] / a["predicted_s"], 2)

    def test_predict_wrong(self):
        bad = self.workload("bad", behind=7)
        self.write("a.csv", "")
        for words, arguments in ((["--target"], [self.one]), (["buffer out"], ["--target", "h100", bad, "--size", "small",
                                                                               "--sample", "all"]),
                                 (["none.workload"], ["--target", "h100", "none.workload"]),
                                 (["no dataset is called 'none'"], ["--target", "h100", "none"]),
                                 (["h100", "one dataset at a time"], ["--target", "h100", "h100", "a.csv"]),
                                 (["there is: small, large"], ["--target", "h100", self.one, "--size", "huge"]),
                                 (["there is: one"], ["--target", "h100", self.one, "--program", "two"]),
                                 (["gtx980", "--basis profile"], ["--target", "gtx980", self.one, "--basis", "dataset"]),
                                 (["--method"], ["--target", "gtx980", self.one, "--method", "gp"])):
            with self.subTest(arguments=arguments):
                self.refused(words, "predict", *arguments, progress=True)
        done = run("predict", "--target", "h100", bad, self.one, "--sample", "all", "--json")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("bad plain small: left out: ", done.stderr)
        self.assertEqual({t["program"] for t in json.loads(done.stdout)["totals"]}, {"one"})


if __name__ == "__main__":
    unittest.main()
