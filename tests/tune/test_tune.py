#!/usr/bin/env python3
"""perfmodel tune: the space that a [tune] section makes, what is traced of it, its ranking, and Kernel Tuner's files both ways.
The parts with Kernel Tuner itself skip where it is not installed ($KERNEL_TUNER_PYTHON, else this Python).
PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import itertools
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

SOURCE = """__kernel void copy(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0) * PER;
    for (int k = 0; k < PER; k++)
        if (i + k < n)
            out[i + k] = in[i + k] * 2;
}
__kernel void copy_apart(__global const float *in, __global float *out, int n)
{
    for (int i = get_global_id(0); i < n; i += n / PER)
        out[i] = in[i] * 2;
}
"""
WORKLOAD = """[workload]
name = tiny
source = tiny.cl
options = -cl-std=CL1.2 -DPER={per} -DUNUSED={unused}
[size n18]
n = 1 << 18
[tune]
group = 64, 32, 128, 256
per = 1, 2, 4, 8
unused = 0, 1
restrict = group * per <= 1024,
    per == 1 || group >= 64
[buffer in]
type = float
count = n
contents = random 0, 1
[buffer out]
type = float
count = n
output = yes
[launch copy]
global = n / per
local = group
arguments = in, out, int n
"""
NAMES = ("group", "per", "unused")
ALLOWED = [v for v in itertools.product((64, 32, 128, 256), (1, 2, 4, 8), (0, 1))
           if v[0] * v[1] <= 1024 and (v[1] == 1 or v[0] >= 64)]
SIMULATE = """import json, sys, kernel_tuner
path, strategy = sys.argv[1:3]
cache = json.load(open(path))
results, _ = kernel_tuner.tune_kernel("copy", "__kernel void copy() {}", (1,), [], cache["tune_params"],
    restrictions=["group * per <= 1024", "per == 1 or group >= 64"], cache=path, simulation_mode=True, strategy=strategy,
    lang="OpenCL", quiet=True, strategy_options=json.loads(sys.argv[3]))
print(json.dumps([[r["group"], r["per"], r["unused"], r["time"]] for r in results if not isinstance(r["time"], str)]))
"""
PYTHON = os.environ.get("KERNEL_TUNER_PYTHON", sys.executable)


def has_kernel_tuner():
    """Returns whether a Python with this package is installed."""
    try:
        return subprocess.run([PYTHON, "-c", "import kernel_tuner"], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def values_of(choice):
    """Returns the values of a choice in the order of the section."""
    return tuple(choice["parameters"][name] for name in NAMES)


class Tune(Base):
    def setUp(self):
        super().setUp()
        self.write("tiny.cl", SOURCE)
        self.workload = self.write("tiny.workload", WORKLOAD)

    def tune(self, *words, **named):
        return self.json_of("tune", "--target", "h100", self.workload, *words, **named)


class Space(Tune):
    def test_whole(self):
        found = self.tune()
        self.assertEqual((found["target"], found["program"], found["size"]), ("h100", "tiny", "n18"))
        self.assertEqual(sorted(map(values_of, found["choices"])), sorted(ALLOWED))
        self.assertEqual((found["space"], found["examined"], found["failed"]), (len(ALLOWED), len(ALLOWED), 0))
        # The parameter UNUSED occurs in no line of the source.
        self.assertEqual(found["traced"], len(ALLOWED) // 2)
        times = {values_of(c): c["predicted_s"] for c in found["choices"]}
        for group, per, _ in ALLOWED:
            self.assertEqual(times[group, per, 0], times[group, per, 1])
        self.assertEqual([c["predicted_s"] for c in found["choices"]], sorted(times.values()))
        self.assertTrue(all(0 < c["lo_s"] < c["predicted_s"] < c["hi_s"] and c["examined"] for c in found["choices"]))
        effects = {e["name"]: e for e in found["effects"]}
        self.assertAlmostEqual(effects["unused"]["share"], 0, places=12)  # but for rounding
        self.assertGreater(effects["per"]["share"], 0)
        for value in effects["group"]["values"]:
            self.assertEqual(value["best_s"], min(t for v, t in times.items() if v[0] == value["value"]))

    def test_a_version_is_a_variant(self):
        choice = self.tune()["choices"][0]
        predicted = self.json_of("predict", "--target", "h100", self.workload, "--variant", choice["variant"])["totals"]
        self.assertAlmostEqual(predicted[0]["predicted_s"] / choice["predicted_s"], 1, 9)
        self.refused(["blok", "group"], "predict", "--target", "h100", self.workload, "--variant", "tune:blok=3", progress=True)
        self.refused(["group=VALUE"], "predict", "--target", "h100", self.workload, "--variant", "tune:group=big", progress=True)

    def test_same_on_any_number_of_threads(self):
        words = ("tune", "--target", "h100", self.workload, "--budget", "14", "--json")
        one, four = (self.good(*words, environment={"PERFMODEL_THREADS": threads, "PERFMODEL_CACHE": "off"}).stdout for threads in ("1", "4"))
        self.assertEqual(one, four)

    def test_budget(self):
        self.workload = self.write("larger.workload", WORKLOAD.replace("unused = 0, 1", "unused = 0, 1, 2, 3"))
        found = self.tune("--budget", "32", "--seed", "3")
        self.assertEqual((found["space"], found["examined"]), (2 * len(ALLOWED), 32))
        self.assertEqual(len(found["choices"]), found["space"])
        guessed = [c for c in found["choices"] if not c["examined"]]
        self.assertEqual(len(guessed), found["space"] - 32)
        whole = {values_of(c): c["predicted_s"] for c in self.tune("--seed", "3")["choices"]}
        for choice in guessed:
            self.assertLess(abs(choice["predicted_s"] / whole[values_of(choice)] - 1), 0.5, choice)
        self.assertEqual(len(whole), 2 * len(ALLOWED))

    def test_kernel_and_source_by_parameter(self):
        self.write("tiny_1.cl", SOURCE.replace("* 2", "* 3"))
        self.write("tiny_0.cl", SOURCE)
        self.workload = self.write("other.workload", WORKLOAD.replace("tiny.cl", "tiny_{unused}.cl").replace(
            "per = 1, 2, 4, 8", "per = 4\napart = 0, 1").replace(
            "[launch copy]", "[launch copy]\nkernel = copy{apart}").replace("per == 1 || ", ""))
        for name in ("tiny_0.cl", "tiny_1.cl"):
            text = (self.folder / name).read_text()
            self.write(name, text.replace("copy_apart", "copy1").replace("void copy(", "void copy0("))
        found = self.tune()
        self.assertEqual(found["traced"], found["examined"])
        times = {tuple(c["parameters"][n] for n in ("group", "apart")): c["predicted_s"] for c in found["choices"]}
        self.assertLess(times[128, 1], times[128, 0])

    def test_faults(self):
        for old, new, *told in (("per = 1, 2", "per = 1, 1", "twice"), ("per = 1, 2", "per = 1,, 2", "missing"),
                                ("per = 1, 2", "n = 1, 2", "parameter of the sizes"), ("restrict = ", "restrict = per + == ", "restrict"),
                                ("restrict = ", "restrict = pre == 1, ", "pre"), ("group = 64, 32", "group = 2048, 32", "first values"),
                                ("unused = 0, 1", "unused = 0, 1.5", "unused"), ("unused = 0, 1", "i = 0, 1", "\"i\""),
                                ("<= 1024", "/ (per - 1) <= 1024", "zero")):
            self.workload = self.write("bad.workload", WORKLOAD.replace(old, new))
            self.refused([*told, "bad.workload:"], "tune", "--target", "h100", self.workload)
        self.workload = self.write("bad.workload", WORKLOAD.replace("[tune]\n", "").replace("group = 64, 32, 128, 256\n", "group = 64\n")
                                   .replace("per = 1, 2, 4, 8\n", "per = 1\n").replace("unused = 0, 1\n", "unused = 0\n")
                                   .replace("restrict = group * per <= 1024,\n    per == 1 || group >= 64\n", ""))
        self.refused(["no [tune] section"], "tune", "--target", "h100", self.workload)
        self.refused(["--ranking"], "tune", "--target", "h100", "--target", "h200", "--ranking", "r.json", self.workload)

    def test_versions_that_do_not_compile(self):
        self.write("tiny.cl", SOURCE + "#if PER == 4\n#error no four\n#endif\n")
        found = self.tune()
        self.assertEqual(found["failed"], sum(v[1] == 4 for v in ALLOWED))
        self.assertIn("no four", found["failure"])
        self.assertFalse([c for c in found["choices"] if c["parameters"]["per"] == 4])


class KernelTuner(Tune):
    def cache(self):
        path = self.folder / "cache.json"
        found = self.tune("--cache", path, "--ranking", self.folder / "ranking.json")
        return path, found

    def test_what_is_written(self):
        path, found = self.cache()
        cache = json.loads(path.read_text())
        self.assertEqual(cache["tune_params_keys"], list(NAMES))
        self.assertEqual(cache["kernel_name"], "copy")
        self.assertEqual({tuple(map(int, key.split(","))) for key in cache["cache"]}, set(ALLOWED))
        for choice in found["choices"]:
            entry = cache["cache"][",".join(map(str, values_of(choice)))]
            self.assertAlmostEqual(entry["time"] / choice["predicted_s"], 1e3, 3)
        ranking = json.loads((self.folder / "ranking.json").read_text())
        self.assertEqual([tuple(v) for v in ranking], self.to_run(found))
        self.refused(["no_such"], "tune", "--target", "h100", self.workload, "--cache", "/no_such/c.json", progress=True)

    @staticmethod
    def to_run(found):
        """Returns the versions in the order in which to run them: those of `first`, then all
        others, fastest first."""
        values = {c["variant"]: values_of(c) for c in found["choices"]}
        return list(dict.fromkeys(values[variant] for variant in [*found["first"], *values]))

    def test_versions_of_one_code(self):
        """The first versions to run have different code, even if an unused parameter differs."""
        order = self.to_run(self.tune())
        kinds = len({v[:2] for v in order})
        self.assertTrue(1 < kinds < len(order))
        self.assertEqual(len({v[:2] for v in order[:kinds]}), kinds)

    def measured(self):
        """Writes a cache file with times that contradict the predictions."""
        return {",".join(map(str, v)): {**dict(zip(NAMES, v)), "time": 1 + i} for i, v in enumerate(reversed(ALLOWED))}

    def check_times(self, found):
        times = {v: (1 + i) * 1e-3 for i, v in enumerate(reversed(ALLOWED))}
        for choice in found["choices"]:
            self.assertAlmostEqual(choice["measured_s"], times[values_of(choice)])
        order = [times[v] for v in self.to_run(found)]
        for reached in found["reached"]:
            self.assertAlmostEqual(reached["fraction"], min(times.values()) / min(order[:reached["runs"]]), 6)
        self.assertEqual([r["runs"] for r in found["reached"]], [1, 5, 10])

    def test_reading_a_cache(self):
        text = json.dumps({"device_name": "d", "kernel_name": "copy", "tune_params_keys": [*NAMES, "width"],
                           "tune_params": {"group": [32, 64, 128, 256], "per": [1, 2, 4, 8], "unused": [0, 1], "width": [7]},
                           "cache": self.measured()}, indent="")
        self.check_times(self.tune("--space", self.write("c.json", text)))
        # Writes the cache file as an unfinished run leaves it.
        self.check_times(self.tune("--space", self.write("open.json", text[:-3] + ",")))
        failed = text.replace('"time": 1\n', '"time": "CompilationFailedConfig"\n')
        self.assertNotEqual(failed, text)
        self.assertEqual(self.tune("--space", self.write("failed.json", failed))["measured"], len(ALLOWED) - 1)

    def test_other_size(self):
        """Measured times far from all predictions are told to be of another size."""
        predicted = {values_of(c): c["predicted_s"] for c in self.tune()["choices"]}
        for factor, told in ((1, False), (1e-3, True), (1e3, True)):
            cache = {",".join(map(str, v)): {**dict(zip(NAMES, v)), "time": predicted[v] * 1e3 * factor} for v in ALLOWED}
            path = self.write("c.json", json.dumps({"problem_size": [64], "tune_params_keys": list(NAMES), "cache": cache}))
            done = self.good("tune", "--target", "h100", self.workload, "--space", path)
            self.assertEqual("another problem size (its problem_size is [64])" in done.stderr, told, done.stderr)
            self.assertEqual(f"1e+03 times as {'short' if factor < 1 else 'long'}" in done.stderr, told)

    def test_reading_results_and_problems(self):
        results = [{"configuration": {n: e[n] for n in NAMES}, "invalidity": "correct",
                    "measurements": [{"name": "time", "value": e["time"], "unit": "ms"}]} for e in self.measured().values()]
        self.check_times(self.tune("--space", self.write("t4.json", json.dumps({"results": results}))))
        for clock in ("nvml_gr_clock", "unroll"):
            for i, result in enumerate(results):
                result["configuration"][clock] = 1000 + 100 * i
            self.refused([clock, "setting of the GPU" if "nvml" in clock else "add it there"], "tune", "--target", "h100",
                         self.workload, "--space", self.write("clocks.json", json.dumps({"results": results})))
            for result in results:
                result["configuration"][clock] = 1000
            self.check_times(self.tune("--space", self.write("clock.json", json.dumps({"results": results}))))
        problem = {"ConfigurationSpace": {"TuningParameters": [
            {"Name": "group", "Type": "int", "Values": "[64, 128]"}, {"Name": "per", "Type": "int", "Values": "[1, 16]"}]}}
        found = self.tune("--space", self.write("t1.json", json.dumps(problem)))
        self.assertEqual(sorted(map(values_of, found["choices"])), [(64, 1, 0), (64, 16, 0), (128, 1, 0)])

    def known(self, name, fast, **changed):
        """Writes a file of times in which one version is ten times as fast as all others."""
        entries = {key: {**entry, "time": 1 if key == fast else 10} for key, entry in self.measured().items()}
        return self.write(name, json.dumps({"tune_params_keys": list(NAMES), "tune_params": {}, "cache": entries, **changed}))

    def test_known(self):
        """Versions that are fast on another GPU are examined and run first. Predictions stay the
        same."""
        slowest = self.tune()["choices"][-1]
        key = ",".join(map(str, values_of(slowest)))
        path = self.known("known.json", key)
        found = self.tune("--known", path)
        self.assertEqual(found["first"][0], slowest["variant"])
        self.assertEqual(found["choices"], self.tune()["choices"])
        self.assertEqual((found["measured"], found["known"]), (0, 1))
        few = self.tune("--known", path, "--known", self.known("as_well.json", key), "--budget", "2")
        self.assertIn(slowest["variant"], [c["variant"] for c in few["choices"] if c["examined"]])
        # If two files disagree, each has half the weight. A version that failed there counts as the
        # slowest.
        other = ",".join(map(str, values_of(found["choices"][0])))
        both = self.tune("--known", path, "--known", self.known("other.json", other))
        self.assertEqual(both["first"][0], found["choices"][0]["variant"])
        failed = json.loads((self.folder / "known.json").read_text(encoding="utf-8"))
        failed["cache"][key]["time"] = "RuntimeFailedConfig"
        failed["cache"].pop(other)
        self.assertNotEqual(self.tune("--known", self.write("failed.json", json.dumps(failed)))["first"][0], slowest["variant"])
        # Times with the largest ratio that doubles can have.
        far = json.loads((self.folder / "known.json").read_text(encoding="utf-8"))
        for entry in far["cache"].values():
            entry["time"] = 1e300
        far["cache"][key]["time"] = 1e-300
        self.assertEqual(self.tune("--known", self.write("far.json", json.dumps(far)))["first"][0], slowest["variant"])

    def test_known_wrong(self):
        for text, *told in (('{"cache": {"1": {"group": 3, "per": 1, "unused": 0, "time": 1}}}', "no time of a version"),
                            ('{"ConfigurationSpace": {"TuningParameters": []}}', "no times"), ("[]", "no times"), ('{"cache": {}}', "no version"),
                            ('{"cache": {"1": {"per": 1, "time": 1}}}', "no parameter group"), ('{"results": [{"measurements": []}]}', "group"),
                            ('{"cache": {"1": {"group": 64, "per": 1, "unused": 0, "time": 1}, "2": 7}}', "group"),
                            ('{"cache": {"1": {"group": 64, "per": 1, "unused": 0, "time": -1}}}', "no time")):
            self.refused([*told, "w.json"], "tune", "--target", "h100", self.workload, "--known", self.write("w.json", text))
        self.refused(["--known", "--shard"], "tune", "--target", "h100", self.workload, "--known", "w.json", "--shard", "1/2", "-o", "x.json")

    def test_conditions(self):
        """The space of a problem has the same values as in Python."""
        spaces = [{"Name": "group", "Type": "int", "Values": "[32, 64, 128, 256]"}, {"Name": "per", "Type": "int", "Values": "[1, 2, 4, 8]"}]
        texts = ["group * per <= 512 and per != 4", "64 <= group < 256 or per == 8", "(per - 4) // 3 == -1"]
        problem = {"ConfigurationSpace": {"TuningParameters": spaces, "Conditions": [
            {"Parameters": ["group", "per"], "Expression": text} for text in texts]}}
        expected = sorted((g, p, 0) for g, p, u in ALLOWED
                          if u == 0 and all(eval(t, {"group": g, "per": p}) for t in texts))  # pylint: disable=eval-used
        self.assertTrue(0 < len(expected) < len(ALLOWED) // 2)
        found = self.tune("--space", self.write("t1.json", json.dumps(problem)))
        self.assertEqual(sorted(map(values_of, found["choices"])), expected)
        for text, *told in (("abs(per) > 2", "abs"), ("per & 1", "& 1"), ("grp > 2", "grp"), ("group['x'] > 1", "group"), ("per // 2 > 0.5", "//"),
                            ("per / (per - 1) > 1", "zero"), ("per if group else 1", "if group"), ("1 + (per and group) > 2", "and"),
                            ("per > ", "missing"), ("per in group", "list"), ("(" * 40 + "per", "parentheses"), ("lambda: 1", "lambda")):
            problem = {"ConfigurationSpace": {"TuningParameters": spaces, "Conditions": [{"Parameters": [], "Expression": text}]}}
            self.refused([*told, "t1.json"], "tune", "--target", "h100", self.workload, "--space", self.write("t1.json", json.dumps(problem)))

    def test_wrong_files(self):
        cache = {"tune_params_keys": list(NAMES), "tune_params": {}, "cache": self.measured()}
        for text, *told in (("{", "no JSON"), ("[]", "neither"), ("{}", "neither"), ('{"cache": {}}', "no version"),
                            ('{"cache": {"1": {"group": 64, "per": 1.5, "unused": 0}}}', "whole number"),
                            ('{"cache": {"1": {"per": 1}}}', "no parameter group"),
                            (json.dumps({**cache, "tune_params_keys": ["grp", "per"], "tune_params": {"grp": [1, 2]}}), "grp"),
                            ('{"ConfigurationSpace": {"TuningParameters": [{"Name": "per", "Values": "range(0)"}]}}', "range(0)", "empty"),
                            *((json.dumps({"ConfigurationSpace": {"TuningParameters": [{"Name": name, "Values": "[210, 1560]"}]}}),
                               name, "setting of the GPU") for name in ("nvml_gr_clock", "nvml_pwr_limit", "tegra_gr_clock"))):
            self.refused([*told, "w.json"], "tune", "--target", "h100", self.workload, "--space", self.write("w.json", text))

    @unittest.skipUnless(has_kernel_tuner(), "Kernel Tuner is not installed (pip install kernel-tuner)")
    def test_simulation_mode(self):
        path, found = self.cache()
        times = {values_of(c): c["predicted_s"] * 1e3 for c in found["choices"]}
        best = json.loads((self.folder / "ranking.json").read_text())[0]
        for strategy, options in (("brute_force", {}), ("random_sample", {"max_fevals": 8}),
                                  ("genetic_algorithm", {"max_fevals": 8}), ("basinhopping", {"max_fevals": 8, "x0": best})):
            done = subprocess.run([PYTHON, "-c", SIMULATE, path, strategy, json.dumps(options)], check=False,
                                  capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            results = [(tuple(r[:3]), r[3]) for r in json.loads(done.stdout.splitlines()[-1])]
            self.assertTrue(results)
            for values, time in results:
                self.assertAlmostEqual(time / times[values], 1, 6)
            if strategy == "brute_force":
                self.assertEqual(sorted(v for v, _ in results), sorted(ALLOWED))
            if "x0" in options:
                self.assertIn(tuple(best), [v for v, _ in results])


class Report(Tune):
    def test_report(self):
        self.good("report", "--target", "h100", self.workload, "-o", self.folder / "r.json")
        document = json.loads((self.folder / "r.json").read_text())
        tuning = document["targets"][0]["programs"][0]["tuning"]
        self.assertEqual(tuning, self.tune())
        self.good("report", "--target", "h100", self.workload, "-o", self.folder / "r.md")
        text = (self.folder / "r.md").read_text(encoding="utf-8")
        self.assertIn("The versions of tiny to run first on h100", text)
        self.assertIn("What each parameter does", text)


class Measure(Tune):
    def test_measure(self):
        if "pocl" not in run("devices").stdout.split("GPUs with")[0]:
            self.skipTest("measuring needs an OpenCL device")
        found = self.tune("--measure", "6", "--device", "pocl")
        ran = [c for c in found["choices"] if "measured_s" in c]
        self.assertEqual((found["measured"], len(ran)), (6, 6))
        self.assertEqual(found["reached"], [])
        key = [c.get("measured_s", c["predicted_s"]) for c in found["choices"]]
        self.assertEqual(key, sorted(key))
        # For a CPU, predictions by a model of GPUs are scaled to the CPU's measured times.
        for choice in ran:
            self.assertLess(abs(choice["predicted_s"] / choice["measured_s"] - 1), 1)
        self.refused(["--device"], "tune", "--target", "h100", self.workload, "--device", "pocl")


if __name__ == "__main__":
    unittest.main()
