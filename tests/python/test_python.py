#!/usr/bin/env python3
"""The Python package: results equal the command line's, and what becomes of errors, callbacks, Ctrl-C and threads.
PERFMODEL is the program and PYTHONPATH has the package; ctest sets both. SPDX-License-Identifier: GPL-3.0-or-later
"""
import ctypes
import inspect
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

try:
    import perfmodel
except ImportError as error:
    print(f"no Python package: {error}")
    sys.exit(77)
try:
    import pandas
except ImportError:
    pandas = None

sys.path.insert(1, sys.path[0] + "/..")
from program import DATASETS, PERFMODEL, ROOT, Base, rows_of

SOURCE = """__kernel void scale(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0) * PER;
    for (int k = 0; k < PER; k++)
        if (i + k < n)
            out[i + k] = in[i + k] * 2;
}
"""
WORKLOAD = """[workload]
name = tiny
source = tiny.cl
options = -cl-std=CL1.2 -DPER={per}
[size n20]
n = 1 << 20
[tune]
group = 64, 128
per = 1, 2, 4
[buffer in]
type = float
count = n
contents = random 0, 1
[buffer out]
type = float
count = n
output = yes
[launch scale]
global = n / per
local = group
arguments = in, out, int n
"""
warnings.simplefilter("ignore", perfmodel.Notice)
needs_pandas = unittest.skipUnless(pandas, "no pandas")


def workers():
    """Returns the ids of this process's worker processes."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = pathlib.Path(f"/proc/{entry}/stat").read_text(encoding="ascii").rsplit(")", 1)
        except OSError:
            continue
        if "perfmodel-worke" in words[0] and int(words[1].split()[1]) == os.getpid():
            found.append(int(entry))
    return found


class Python(Base):
    def setUp(self):
        super().setUp()
        self.write("tiny.cl", SOURCE)
        self.workload = self.write("tiny.workload", WORKLOAD)

    def session(self, **named):
        session = perfmodel.Session(**named)
        self.addCleanup(session.close)
        return session


class Results(Python):
    """Uses one session for all tests, which fits models only once."""

    @classmethod
    def setUpClass(cls):
        cls.shared = perfmodel.Session()
        cls.addClassCleanup(cls.shared.close)

    def session(self, **named):
        return self.shared

    def test_trace(self):
        session = self.session()
        self.assertEqual(session.trace("nbody", target="gtx980"),
                         self.json_of("trace", "--program", "nbody", "--target", "gtx980"))
        found = session.trace(workload=self.workload)
        self.assertEqual(found, self.json_of("trace", self.workload))
        self.assertEqual(found.kernels[0].kernel, "scale")
        self.assertEqual(found["kernels"][0]["counters"]["gst_request"]["value"], (1 << 20) / 32)

    def test_predict(self):
        session = self.session()
        self.assertEqual(session.predict("GeForce GTX 980", self.workload),
                         self.json_of("predict", "--target", "GeForce GTX 980", self.workload))
        self.assertEqual(session.predict("h200", source="h100", programs="nbody", leave_out="program", method="paper",
                                         basis="dataset"),
                         self.json_of("predict", "--target", "h200", "--from", "h100", "--program", "nbody", "--leave-out",
                                      "program", "--method", "paper", "--basis", "dataset"))

    def test_sources(self):
        session = self.session()
        source = self.write("add.cl", "__kernel void add(__global float *x, float by, int n)\n"
                                      "{ int i = get_global_id(0); if (i < n) x[i] += by; }\n")
        for named, words in (({}, []),
                             ({"set": {"n": 5000}, "block": 64}, ["--set", "n=5000", "--block", "64"]),
                             ({"arg": {"x": "float[n + 1]", "by": 0.5}, "grid": (8,), "kernel": "add"},
                              ["--arg", "x=float[n + 1]", "--arg", "by=0.5", "--grid", "8", "--kernel", "add"])):
            with self.subTest(named=named):
                found = session.trace(workload=source, **named)
                self.assertEqual(found, self.json_of("trace", source, *words))
                self.assertEqual("n = 1048576" in found.assumed, "set" not in named)
        self.assertEqual(session.predict("h100", source, set={"n": 4096}),
                         self.json_of("predict", "--target", "h100", source, "--set", "n=4096"))
        with self.assertRaisesRegex(TypeError, "grids.*grid"):
            session.predict("h100", source, grids=4)
        with self.assertRaisesRegex(perfmodel.BadInput, "--set m=4: nothing has that name"):
            session.predict("h100", source, set={"m": 4})

    def test_predictions_are_read_when_they_are_wanted(self):
        known = self.json_of("predict", "--target", "h200", "--from", "h100", "--program", "nbody", "--basis", "dataset",
                             "--method", "paper")
        with perfmodel.Session() as session:
            arguments = {"source": "h100", "programs": "nbody", "basis": "dataset", "method": "paper"}
            found, later, repeated = (session.predict("h200", **arguments) for _ in range(3))
            self.assertEqual([float(f"{s:.9g}") for s in found.seconds], [p["predicted_s"] for p in known["predictions"]])
            self.assertIn("target", repeated)
        self.assertEqual(later, known)  # calls of a closed session
        self.assertEqual(json.loads(json.dumps(repeated)), known)
        self.assertEqual(later.seconds, [p["predicted_s"] for p in known["predictions"]])

    def test_advise(self):
        arguments = ("advise", "--target", "gtx980", "--program", "idw", "--size", "10240", "--clusters", "1",
                     "--variant", "soa")
        session = self.session()
        named = {"size": "10240", "clusters": 1, "variants": "soa"}
        found = session.advise("gtx980", "idw", **named)
        self.assertIn(found.best, [choice.variant for choice in found.choices])
        self.assertIsNone(found.cost_options)
        priced = session.advise("gtx980", "idw", cost={"rate": 80, "runs": 1e6}, **named)
        self.assertEqual(priced, self.json_of(*arguments, "--rate", "80", "--runs", "1e6"))
        self.assertEqual(priced.cost_options.assumed, ["gpu_hour"])

    def test_tune(self):
        cache = self.folder / "cache.json"
        session = self.session()
        self.assertEqual(session.tune("a100", self.workload, budget=4),
                         self.json_of("tune", "--target", "a100", "--budget", "4", self.workload))
        self.assertEqual(session.tune("a100", self.workload, cache=cache).examined, 6)
        self.assertEqual(len(json.loads(cache.read_text())["cache"]), 6)

    def test_validate(self):
        session = self.session()
        self.assertEqual(session.validate("h100", counters="code", method="paper"),
                         self.json_of("validate", "h100", "--counters", "code", "--method", "paper"))
        self.assertEqual(session.validate("h200", source="h100", method="paper", also=["h200-layouts"]),
                         self.json_of("validate", "h200", "--from", "h100", "--method", "paper", "--with",
                                      "h200-layouts"))

    def test_check(self):
        baseline = self.folder / "base.json"
        session = self.session()
        session.check(self.workload, targets="GTX 980", output=baseline)
        self.write("tiny.cl", SOURCE.replace("in[i + k] * 2", "in[(i + k) * 64 % n] * 2"))
        found = perfmodel.check([self.workload], against=baseline)
        done = subprocess.run([PERFMODEL, "check", self.workload, "--against", baseline, "--json"], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(found, json.loads(done.stdout))
        self.assertGreater(found.slower, 0)

    def test_collect_and_merge(self):
        whole, again = self.folder / "whole.csv", self.folder / "again.csv"
        found = perfmodel.collect(self.workload, device="none", target="h100", output=whole)
        self.assertEqual((found.measured, found.failed, found.dataset), (1, 0, str(whole)))
        printed = self.json_of("collect", self.workload, "--device", "none", "--target", "h100", "-o", again)
        self.assertEqual({**found, "dataset": ""}, {**printed, "dataset": ""})
        self.assertEqual(rows_of(whole), rows_of(again))

    def test_capture(self):
        if not self.session().devices():
            self.skipTest("no OpenCL device")
        found = perfmodel.capture([sys.executable, "-c", "print(1)"], self.folder / "empty")
        self.assertEqual((found.exit_code, found.launches, found.workloads), (0, 0, []))
        with self.assertRaisesRegex(perfmodel.BadInput, "no-such-program"):
            perfmodel.capture(["no-such-program"], self.folder / "other")

    def test_what_there_is(self):
        session = self.session()
        known = self.json_of("devices")
        self.assertEqual(session.datasets(), known["targets"])
        self.assertEqual(session.profiles(), known["profiles"])
        without = [{key: value for key, value in device.items() if key != "memory_bytes"} for device in known["devices"]]
        self.assertEqual([{key: device[key] for key in without[0]} for device in session.devices()], without)
        self.assertEqual(session.programs(), self.json_of("collect", "--list"))

    @needs_pandas
    def test_frames(self):
        session = self.session()
        frame, rows = session.dataset("h100"), rows_of(DATASETS / "h100.csv")
        self.assertEqual(list(frame.columns[:11]), list(rows[0])[:11])
        self.assertEqual(len(frame), len(rows))
        for column in frame.columns:
            for value, cell in zip(frame[column], (row[column] for row in rows)):
                self.assertTrue(value == (cell if isinstance(value, str) else float(cell)) if cell else value != value)
        self.assertTrue(frame.attrs["path"].endswith("h100.csv"))
        self.assertGreater(len(session.published("gtx980")), 100)
        self.assertIsNone(session.published("c2050"))
        found = session.predict("h200", source="h100", programs="nbody", method="paper", basis="dataset")
        self.assertEqual(list(found.frame()["predicted_s"]), [p.predicted_s for p in found.predictions])
        counts = session.trace("nbody").frame()
        self.assertEqual(list(counts["kernel"]), ["nbody"])
        self.assertGreater(counts["gld_request"][0], 0)
        self.assertIn("coalesced_threads", session.trace("nbody").frame("accesses"))

    def test_without_pandas(self):
        code = ("import sys\nsys.modules['pandas'] = None\nimport perfmodel\n"
                "found = perfmodel.predict('h200', source='h100', programs='nbody', method='paper', basis='dataset')\n"
                "print(found.target)\nfound.frame()")
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=False, capture_output=True, text=True)
        self.assertEqual(done.stdout, "h200\n", done.stderr)
        self.assertRegex(done.stderr, "ImportError: data frames need pandas.*pip install pandas\n$")

    def run_example(self, number, before=""):
        """Runs an example of docs/python.md and returns its source and what it prints."""
        text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
        example = re.findall(r"```python\n(.*?)```", text, re.S)[number]
        done = subprocess.run([sys.executable, "-c", before + example], check=False, capture_output=True, text=True,
                              cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return example, done.stdout

    def test_the_first_example_of_the_manual_needs_no_pandas(self):
        example, printed = self.run_example(0, "import sys; sys.modules['pandas'] = None\n")
        self.assertLessEqual(len([line for line in example.splitlines() if line.strip()]), 10)
        self.assertIn("on a gtx980\n", printed)
        self.assertRegex(printed, r"is the best version: \d+\.\d\dx as fast as aos\nnbody reads \d+")

    @needs_pandas
    def test_the_example_with_frames_of_the_manual(self):
        self.assertIn("predicted_s", self.run_example(1)[1])


class Failures(Python):
    def test_a_wrong_name_lists_the_right_ones(self):
        session = self.session()
        with self.assertRaisesRegex(perfmodel.BadInput, "gtx980"):
            session.predict("gtx981")
        with self.assertRaisesRegex(perfmodel.BadInput, "nbody"):
            session.trace("nbodies")
        with self.assertRaisesRegex(perfmodel.Error, r"no_such.csv"):
            session.dataset("./no_such.csv")
        with self.assertRaisesRegex(ValueError, "program, class"):
            session.predict("gtx980", leave_out="programme")
        with self.assertRaisesRegex(ValueError, "gpu_hour"):
            session.advise("gtx980", "idw", cost={"price": 1})
        with self.assertRaisesRegex(AttributeError, "predictions"):
            session.predict("h200", source="h100", method="paper", basis="dataset").samples  # pylint: disable=expression-not-assigned
        session.close()
        with self.assertRaisesRegex(perfmodel.Error, "closed"):
            session.trace("nbody")

    def test_a_wrong_session_is_none(self):
        with self.assertRaisesRegex(perfmodel.BadInput, "sample"):
            perfmodel.Session(sample=2)

    def test_a_wrong_kernel_is_told_with_its_place(self):
        self.write("tiny.cl", SOURCE.replace("* 2", "* two"))
        with self.assertRaisesRegex(perfmodel.BadInput, r"tiny\.cl:6.*two"):
            self.session().trace(workload=self.workload)

    def test_hostile_kernels_are_exceptions(self):
        session = self.session(step_limit=1e6)
        for body in ("out[i] = " + "(" * 300000 + "1" + ")" * 300000 + ";", "while (1);", "__builtin_trap();",
                     "*(volatile global int *)8 = 1;"):
            self.write("tiny.cl", SOURCE.replace("int i =", f"{body} int i =") if "out[i]" not in body else
                       SOURCE.replace("    for", f"{body}\n    for"))
            with self.assertRaises(perfmodel.Error) as raised:
                session.trace(workload=self.workload)
            self.assertNotIn("\n", str(raised.exception))
        self.assertEqual(session.trace("idw").program, "idw")

    def test_a_worker_that_aborts_is_an_exception(self):
        def abort():
            while not done.wait(0.05):
                for worker in workers():
                    os.kill(worker, signal.SIGABRT)

        session, done = self.session(sample=1), threading.Event()
        thread = threading.Thread(target=abort)
        thread.start()
        try:
            with self.assertRaisesRegex(perfmodel.Error, "signal 6"):
                session.trace("matmul", "nolocal", "4096")
        finally:
            done.set()
            thread.join()
        self.assertEqual(session.trace("idw").program, "idw")


class Calls(Python):
    def test_ctrl_c_ends_a_trace_and_not_the_session(self):
        # a shell ignores SIGINT for background commands
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        session = self.session(sample=1)
        session.trace("idw")
        sent = []

        def interrupt():
            time.sleep(0.4)
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        for _ in range(2):
            thread = threading.Thread(target=interrupt)
            thread.start()
            with self.assertRaises(KeyboardInterrupt):
                session.trace("matmul", "nolocal", "4096")
            self.assertLess(time.monotonic() - sent[-1], 2)
            thread.join()
        self.assertEqual(session.trace("idw").program, "idw")

    def test_another_thread_cancels(self):
        session = self.session(sample=1)
        thread = threading.Timer(0.4, session.cancel)
        thread.start()
        with self.assertRaises(perfmodel.Cancelled):
            session.trace("matmul", "nolocal", "4096")
        session.cancel()  # of nothing
        self.assertEqual(session.trace("idw").program, "idw")

    def test_progress_is_told_and_may_raise(self):
        steps = []
        session = self.session(progress=lambda *step: steps.append(step))
        session.collect(self.workload, device="none", target="h100", output=self.folder / "a.csv")
        self.assertTrue(steps)
        for done, total, step in steps:
            self.assertIsInstance(step, str)
            self.assertLessEqual(done, total or done)

        def stop(*_):
            raise LookupError("enough")

        session = self.session(progress=stop)
        for _ in range(2):
            with self.assertRaisesRegex(LookupError, "enough"):
                session.collect(self.workload, device="none", target="h100", output=self.folder / "b.csv")
        self.assertEqual(session.trace("idw").program, "idw")

    def test_notices_are_warnings_or_calls(self):
        rows = (DATASETS / "h100.csv").read_text(encoding="utf-8")
        torn = self.write("torn.csv", rows + "h100,nbody,loc")
        lines = []
        self.session(log=lines.append).validate(torn, method="paper")
        self.assertTrue(any("torn.csv" in line for line in lines), lines)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.session().validate(torn, method="paper")
        self.assertEqual([str(w.message) for w in caught if w.category is perfmodel.Notice], lines)

    def test_a_callback_cannot_call_its_session(self):
        session = self.session(progress=lambda *_: session.trace("idw"))
        with self.assertRaisesRegex(perfmodel.Error, "at work"):
            session.collect(self.workload, device="none", target="h100", output=self.folder / "a.csv")

    def test_two_threads_with_a_session_each(self):
        found, programs = {}, ("nbody", "idw")

        def trace(program):
            with perfmodel.Session() as session:
                found[program] = [session.trace(program) for _ in range(2)][-1]

        threads = [threading.Thread(target=trace, args=[program]) for program in programs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for program in programs:
            self.assertEqual(found[program], self.json_of("trace", "--program", program))

    def test_other_threads_run_meanwhile(self):
        session, counted = self.session(sample=1), [0]
        ended = threading.Event()

        def count():
            while not ended.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        threading.Timer(0.5, session.cancel).start()
        with self.assertRaises(perfmodel.Cancelled):
            session.trace("matmul", "nolocal", "4096")
        ended.set()
        thread.join()
        self.assertGreater(counted[0], 50)


class Package(unittest.TestCase):
    def test_importing_takes_less_than_100_ms(self):
        """Returns the processor time of a start, the least of five, minus the time of Python
        itself."""
        def least(code):
            times = []
            for _ in range(5):
                before = os.times()
                subprocess.run([sys.executable, "-c", code], check=True)
                after = os.times()
                times.append(after.children_user + after.children_system - before.children_user - before.children_system)
            return min(times)

        self.assertLess(least("import perfmodel") - least("pass"), 0.1)

    def test_everything_has_a_docstring_and_hints(self):
        for name in perfmodel.__all__:
            thing = getattr(perfmodel, name)
            if not callable(thing):
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            hinted = thing.__init__ if inspect.isclass(thing) and thing is perfmodel.Session else thing
            if inspect.isfunction(hinted):
                for parameter in list(inspect.signature(hinted).parameters.values()):
                    self.assertTrue(parameter.name == "self" or parameter.annotation is not parameter.empty,
                                    f"{name}: {parameter}")

    def test_versions(self):
        self.assertEqual(f"perfmodel {perfmodel.__version__}",
                         subprocess.run([PERFMODEL, "--version"], check=True, capture_output=True, text=True)
                         .stdout.split("\n")[0])
        self.assertEqual(perfmodel.api_version[0], 1)
        self.assertTrue(ctypes.CDLL(str(pathlib.Path(perfmodel.__file__).parent / "lib/libperfmodel.so.1")).pm_api_version)


if __name__ == "__main__":
    unittest.main()
