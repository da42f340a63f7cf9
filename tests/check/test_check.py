#!/usr/bin/env python3
"""perfmodel check: kernels held against a baseline.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import random
import sys
import unittest
import xml.etree.ElementTree as xml

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run

SOURCE = """// moves rows
__kernel void rows(__global const float *in, __global float *out, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    float scaled = in[y * width + x] * 2.0f;

    out[y * width + x] = scaled;
}
"""
# Reads along a column: each work-item of a warp accesses another sector.
COLUMN = SOURCE.replace("in[y * width + x]", "in[x * width + y]")
# The same code with other names, white space and a comment.
REFACTORED = SOURCE.replace("scaled", "twice").replace("    float", "\t  float").replace("// moves", "// copies")

WORKLOAD = """[workload]
name = move
source = move.cl
[size small]
n = 1024
[size large]
n = 2048
[buffer in]
type = float
count = n * n
contents = random
[buffer out]
type = float
count = n * n
output = yes
[launch rows]
global = n, n
local = 32, 8
arguments = in, out, int n
"""


class Check(Base):
    baselines = {}  # baselines by targets, because all tests start from the same sources

    def setUp(self):
        super().setUp()
        self.source = self.write("move.cl", SOURCE)
        self.workload = self.write("move.workload", WORKLOAD)
        self.baseline = self.folder / "base.json"
        self.start("h200")

    def start(self, *targets):
        """Writes a baseline for these targets."""
        if targets not in self.baselines:
            words = [word for target in targets for word in ("--target", target)]
            self.good("check", self.workload, *words, "-o", self.baseline)
            self.baselines[targets] = self.baseline.read_bytes()
        self.baseline.write_bytes(self.baselines[targets])

    def check(self, *more):
        return run("check", self.workload, "--against", self.baseline, "--json", *more)

    def verdicts(self, *more):
        """Returns the exit code, and {(target, size): kernel}."""
        done = self.check(*more)
        return done.returncode, {(k["target"], k["size"]): k for k in json.loads(done.stdout)["kernels"]}

    def test_nothing_changed(self):
        self.start("h200", "gtx980")
        code, kernels = self.verdicts()
        self.assertEqual(code, 0)
        self.assertEqual({k["verdict"] for k in kernels.values()}, {"same"})
        self.assertEqual(set(kernels), {(t, s) for t in ("h200", "gtx980") for s in ("small", "large")})
        self.assertEqual({(k["ratio"], k["lo"], k["hi"], k["chance"]) for k in kernels.values()}, {(1, 1, 1, 0)})

    def test_a_counter_that_the_baseline_lacks(self):
        """A counter that an older baseline lacks causes no difference."""
        self.start("h200")
        document = json.loads(self.baseline.read_text(encoding="utf-8"))
        for kernel in document["kernels"]:
            del kernel["counters"]["flop_fp32"]
        self.baseline.write_text(json.dumps(document), encoding="utf-8")
        code, kernels = self.verdicts()
        self.assertEqual((code, {k["verdict"] for k in kernels.values()}), (0, {"same"}))

    def test_what_changes_no_count(self):
        self.source.write_text(REFACTORED, encoding="utf-8")
        code, kernels = self.verdicts()
        self.assertEqual(code, 0)
        self.assertEqual({k["verdict"] for k in kernels.values()}, {"same"})

    def test_slower(self):
        self.source.write_text(COLUMN, encoding="utf-8")
        done = self.check("--junit", self.folder / "o.xml", "--sarif", self.folder / "o.sarif")
        kernels = json.loads(done.stdout)["kernels"]
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 of 2 kernels became slower", done.stderr)
        for kernel in kernels:
            self.assertEqual((kernel["verdict"], kernel["line"]), ("slower", 5))
            self.assertIn("global loads of in", kernel["reason"])
            self.assertGreater(kernel["chance"], 0.95)
            self.assertLess(kernel["lo"], kernel["ratio"])
            self.assertIn("gld_sector", [count["name"] for count in kernel["counts"]])
        suite = xml.parse(self.folder / "o.xml").getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "2"))
        self.assertIn("move.cl:5", suite.find("testcase/failure").get("message"))
        result = json.loads((self.folder / "o.sarif").read_text())["runs"][0]["results"][0]
        self.assertEqual((result["ruleId"], result["level"]), ("slower", "error"))
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["region"]["startLine"], 5)
        self.assertTrue(place["artifactLocation"]["uri"].endswith("move.cl"))

    def test_what_the_model_hardly_sees_is_not_certain(self):
        self.source.write_text(SOURCE.replace("* 2.0f", "* 2.0f + 1.0f"), encoding="utf-8")
        code, kernels = self.verdicts("--size", "large")
        kernel = kernels["h200", "large"]
        self.assertEqual((code, kernel["verdict"], kernel["findings"]), (0, "changed", []))
        self.assertAlmostEqual(kernel["ratio"], 1, delta=0.01)
        self.assertLess(kernel["lo"], 0.95)
        self.assertGreater(kernel["hi"], 1.05)
        self.assertGreater(kernel["chance"], 0.05)

    def test_counts_that_became_worse(self):
        barriers = SOURCE.replace("float scaled", "barrier(CLK_LOCAL_MEM_FENCE); float scaled")
        doubles = SOURCE.replace("* 2.0f", "* 0.1")  # which no float is
        for source, finding, words in ((barriers, "barriers", ""), (doubles, "doubles", "arithmetic in double precision")):
            self.source.write_text(source, encoding="utf-8")
            done = self.check("--size", "large", "--junit", self.folder / "o.xml", "--sarif", self.folder / "o.sarif")
            kernel = json.loads(done.stdout)["kernels"][0]
            self.assertEqual((done.returncode, kernel["findings"], kernel["failed"]), (1, [finding], True))
            self.assertEqual(kernel["verdict"], "worse")
            self.assertIn("1 of 1 kernels became slower or worse by more than 5 %", done.stderr)
            failure = xml.parse(self.folder / "o.xml").getroot().find("testcase/failure")
            self.assertIn(f"{finding}: more {words}", failure.get("message"))
            result = json.loads((self.folder / "o.sarif").read_text())["runs"][0]["results"][0]
            self.assertEqual((result["ruleId"], result["level"]), ("worse", "error"))
            code, kernels = self.verdicts("--size", "large", "--fail-on", "time,spills")
            kernel = kernels["h200", "large"]
            self.assertEqual((code, kernel["verdict"], kernel["findings"], kernel["failed"]), (0, "changed", [finding], False))

    def test_sectors_that_grow_are_a_finding_beside_time(self):
        self.source.write_text(COLUMN, encoding="utf-8")
        code, kernels = self.verdicts("--size", "large", "--fail-on", "sectors")
        kernel = kernels["h200", "large"]
        self.assertEqual((code, kernel["verdict"]), (1, "slower"))
        self.assertLessEqual({"time", "sectors"}, set(kernel["findings"]))

    def test_faster_from_the_other_side(self):
        self.source.write_text(COLUMN, encoding="utf-8")
        slow = self.folder / "slow.json"
        self.good("check", self.workload, "--target", "h200", "-o", slow)
        self.source.write_text(SOURCE, encoding="utf-8")
        kernels = self.json_of("check", self.workload, "--against", slow)["kernels"]
        self.assertEqual({(k["verdict"], tuple(k["findings"])) for k in kernels}, {("faster", ())})

    def test_tolerance(self):
        self.source.write_text(COLUMN, encoding="utf-8")
        code, kernels = self.verdicts("--tolerance", "1e6")
        self.assertEqual(code, 0)
        self.assertEqual({k["verdict"] for k in kernels.values()}, {"changed"})

    def test_lines_where_no_access_changed(self):
        self.source.write_text(SOURCE.replace("* 2.0f", "* sqrt(exp(in[y * width + x]))"), encoding="utf-8")
        _, kernels = self.verdicts("--size", "large")
        kernel = kernels["h200", "large"]
        self.assertEqual((kernel["line"], kernel["last_line"]), (5, 5))

    def test_new_and_gone(self):
        again = WORKLOAD[WORKLOAD.index("[launch rows]"):].replace("rows", "lines")
        both = SOURCE + SOURCE.replace("void rows", "void lines")
        self.source.write_text(both, encoding="utf-8")
        self.workload.write_text(WORKLOAD + again, encoding="utf-8")
        two = self.folder / "two.json"
        done = self.check("--size", "small", "-o", two)
        self.assertEqual(done.returncode, 0)
        self.assertEqual([(k["kernel"], k["verdict"]) for k in json.loads(done.stdout)["kernels"]],
                         [("rows", "same"), ("lines", "new")])
        self.workload.write_text(WORKLOAD, encoding="utf-8")
        kernels = self.json_of("check", self.workload, "--size", "small", "--against", two)["kernels"]
        self.assertEqual([(k["kernel"], k["verdict"]) for k in kernels], [("rows", "same"), ("lines", "gone")])

    def test_the_only_kernel_under_another_name(self):
        """If the names of launch and kernel change, kernels are matched by their order."""
        self.source.write_text(COLUMN.replace("void rows", "void lines"), encoding="utf-8")
        self.workload.write_text(WORKLOAD.replace("launch rows", "launch lines"), encoding="utf-8")
        done = self.check("--size", "small")
        kernel = json.loads(done.stdout)["kernels"][0]
        self.assertEqual((done.returncode, kernel["kernel"], kernel["kernel_before"], kernel["verdict"]),
                         (1, "lines", "rows", "slower"))

    def test_same_bytes(self):
        again = self.folder / "again.json"
        self.good("check", self.workload, "--against", self.baseline, "-o", again)
        self.assertEqual(again.read_bytes(), self.baseline.read_bytes())
        self.source.write_text(COLUMN, encoding="utf-8")
        self.assertEqual(self.check().stdout, self.check().stdout)

    def test_wrong_words(self):
        self.refused(["-o BASELINE.json"], "check", self.workload)
        self.refused(["--target"], "check", self.workload, "-o", "x.json")
        self.refused(["name workload files"], "check", "--against", self.baseline)
        self.refused(["no_such.json"], "check", self.workload, "--against", self.folder / "no_such.json")
        self.refused(["k20c", "-o"], "check", self.workload, "--against", self.baseline, "--target", "k20c")
        self.refused(["a number of at least 0"], "check", self.workload, "--against", self.baseline, "--tolerance", "-1")
        self.refused(["'spill' is none of time, spills"], "check", self.workload, "--against", self.baseline, "--fail-on", "time,spill")
        self.refused(["--seed"], "check", self.workload, "--against", self.baseline, "--seed", "7")

    def test_wrong_baselines(self):
        document = json.loads(self.baseline.read_text())
        wrong = self.folder / "wrong.json"

        def refused(words, **members):
            wrong.write_text(json.dumps({**document, **members}), encoding="utf-8")
            self.refused([*words, "wrong.json"], "check", self.workload, "--against", wrong)

        refused(["perfmodel 0.0.1", "-o"], perfmodel="0.0.1")
        refused(["format 1", "-o"], format=1)
        refused(["name of a launch"], kernels=[{**document["kernels"][0], "launches": [1]}])
        refused(["no list of kernels"], kernels=None)
        refused(["no baseline"], seed="one")
        refused(["no counter is called"], kernels=[{**document["kernels"][0], "counters": {"no_such": 1}}])
        refused(["a kernel lacks"], kernels=[{**document["kernels"][0], "source": 99}])
        refused(["an access"], kernels=[{**document["kernels"][0], "accesses": [[1, 2]]}])
        refused(["a line"], sources=[{**document["sources"][0], "lines": ["xyz"]}])
        wrong.write_text(self.baseline.read_text()[:1000], encoding="utf-8")
        self.refused(["no JSON"], "check", self.workload, "--against", wrong)

    def test_damaged_baselines(self):
        """For random changes of bytes the program ends with one of its exit codes and at most one
        line."""
        generator, text = random.Random(1), self.baseline.read_bytes()
        for _ in range(12):
            damaged = bytearray(text)
            for _ in range(generator.randint(1, 4)):
                at = generator.randrange(len(damaged))
                damaged[at:at + generator.randint(0, 3)] = generator.randbytes(generator.randint(0, 3))
            done = run("check", self.workload, "--size", "small", "--against",
                       self.write("damaged.json", bytes(damaged)))
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            if done.returncode == 2:
                self.assertEqual(len([line for line in done.stderr.splitlines() if not line.startswith("[")]), 1)


CUDA = """template<int ROUNDS> __global__ void turn(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];

    for (int r = 0; r < ROUNDS; r++) v = v * 0.5f + sinf(v);
    x[i] = v;
}
__global__ void scale(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f; }
"""
CUDA_WORKLOAD = """[workload]
name = turns
source = turns.cu
[size one]
n = 65536
[buffer x]
type = float
count = n
contents = random 0, 1
restore = yes
[launch first]
kernel = turn<64>
grid = n / 256
block = 256
arguments = x
[launch scale]
grid = n / 256
block = 256
arguments = x
[launch last]
kernel = turn<64>
grid = n / 256
block = 256
arguments = x
"""


class Cuda(Base):
    baseline_bytes = None

    def setUp(self):
        super().setUp()
        self.source = self.write("turns.cu", CUDA)
        self.workload = self.write("turns.workload", CUDA_WORKLOAD)
        self.baseline = self.folder / "base.json"
        if not Cuda.baseline_bytes:
            self.good("check", self.workload, "--target", "h100", "-o", self.baseline)
            Cuda.baseline_bytes = self.baseline.read_bytes()
        self.baseline.write_bytes(self.baseline_bytes)

    def verdicts(self, source=CUDA, workload=CUDA_WORKLOAD):
        """Returns the exit code, and [(kernel, its name in the baseline, verdict)]."""
        self.source.write_text(source, encoding="utf-8")
        self.workload.write_text(workload, encoding="utf-8")
        done = run("check", self.workload, "--against", self.baseline, "--json")
        self.kernels = json.loads(done.stdout)["kernels"]
        return done.returncode, [(k["kernel"], k["kernel_before"], k["verdict"]) for k in self.kernels]

    def test_unchanged(self):
        self.assertEqual(self.verdicts(), (0, [("turn<64>", None, "same"), ("scale", None, "same")]))
        self.assertEqual([k["ratio"] for k in self.kernels], [1, 1])

    def test_twice_the_work(self):
        source = CUDA.replace("r < ROUNDS", "r < 2 * ROUNDS")
        self.assertEqual(self.verdicts(source), (1, [("turn<64>", None, "slower"), ("scale", None, "same")]))
        self.assertAlmostEqual(self.kernels[0]["ratio"], 1.6, delta=0.15)

    def test_other_names(self):
        """Kernel, template argument and launch may each have another name."""
        source, workload = CUDA.replace(" turn(", " spin("), CUDA_WORKLOAD.replace("turn<", "spin<")
        self.assertEqual(self.verdicts(source, workload),
                         (0, [("spin<64>", "turn<64>", "same"), ("scale", None, "same")]))
        table = self.good("check", self.workload, "--against", self.baseline)
        self.assertRegex(table.stdout, r"same .* spin<64> .*\d us")
        self.assertIn("the baseline calls it turn<64>", table.stdout)
        self.assertEqual(self.verdicts(CUDA, CUDA_WORKLOAD.replace("<64>", "<128>")),
                         (1, [("turn<128>", "turn<64>", "slower"), ("scale", None, "same")]))
        workload = CUDA_WORKLOAD.replace("[launch first]", "[launch one]").replace("[launch last]", "[launch two]")
        self.assertEqual(self.verdicts(CUDA, workload), (0, [("turn<64>", None, "same"), ("scale", None, "same")]))

    def test_one_launch_of_two_is_of_another_kernel(self):
        """The sum of both launches is compared with the sum in the baseline."""
        first, last = CUDA_WORKLOAD.split("[launch last]")
        code, kernels = self.verdicts(CUDA, first + "[launch last]" + last.replace("<64>", "<192>"))
        self.assertEqual((code, kernels),
                         (1, [("turn<64> + turn<192>", "turn<64>", "slower"), ("scale", None, "same")]))
        self.assertAlmostEqual(self.kernels[0]["ratio"], 1.6, delta=0.15)
        self.assertIsNotNone(self.kernels[0]["unit"])


if __name__ == "__main__":
    unittest.main()
