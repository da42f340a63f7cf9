#!/usr/bin/env python3
"""perfmodel predict on GPUs by their profile, as its users meet it: how near it comes on GPUs whose times are known and
were not learned from, on every GPU of devices.csv, and every wrong input.

PERFMODEL is the program; ctest sets it. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import math
import shutil
import statistics
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import seed
from program import DATASETS, Base, rows_of, run, share_without_datasets, write_rows

# Returns options that select rows that can be traced quickly.
SMALL = (("haar1d", "local", "2097152"), ("sobel3x3", "nolocal", "1536x1536"), ("copy", "float", "16"))
UNITS = {"issue", "fp32", "fp64", "int", "special", "lsu", "l1", "shared", "l2", "dram", "latency", "launch",
         "requests", "atomics", "constant", "groups"}


def key_of(sample):
    """Returns the key of a sample. Samples with equal keys are the same work."""
    return sample["program"], sample["variant"], sample["size"], sample["kernel"]


def measured_on(device):
    """Seconds by key."""
    return {key_of(row): float(row["time_s"]) for row in rows_of(DATASETS / f"{device}.csv")}


def errors_of(document, times):
    """Returns the relative errors by key."""
    return {key_of(p): abs(p["predicted_s"] / times[key_of(p)] - 1) for p in document["predictions"]}


class Target(Base):
    """perfmodel predict."""

    def document(self, *arguments, **named):
        """Of predictions."""
        return self.json_of("predict", *arguments, **named)

    def check_prediction(self, prediction):
        """Checks properties of all predictions from a profile."""
        terms = prediction["terms"]
        self.assertLessEqual(prediction["lo_s"], prediction["predicted_s"])
        self.assertLessEqual(prediction["predicted_s"], prediction["hi_s"])
        self.assertGreater(prediction["lo_s"], 0)
        self.assertEqual(prediction["bound"], terms[0]["unit"])
        self.assertEqual(prediction["bound"], max(terms, key=lambda t: t["added_s"])["unit"])
        self.assertEqual({term["unit"] for term in terms}, UNITS)
        self.assertTrue(math.isclose(sum(term["added_s"] for term in terms), prediction["predicted_s"],
                                     rel_tol=1e-6), prediction)

    def small(self):
        """Writes a dataset with a few rows of the H100."""
        rows = [row for row in rows_of(DATASETS / "h100.csv")
                if (row["program"], row["variant"], row["size"]) in SMALL]
        self.assertEqual(len(rows), len(SMALL))
        path = self.folder / "small.csv"
        write_rows(path, rows)
        return path

    def devices(self, device, column, cell):
        """Writes devices.csv with one changed cell into a folder of its own. Returns the line of
        the cell."""
        rows = rows_of(DATASETS / "devices.csv")
        line = 2 + next(i for i, row in enumerate(rows) if row["device"] == device)
        rows[line - 2][column] = cell
        folder = self.folder / "datasets"
        folder.mkdir(exist_ok=True)
        write_rows(folder / "devices.csv", rows)
        return folder, line


class Known(Target):
    """Tests GPUs with measured times."""

    def check_device(self, device, source):
        """Predicts by the profile. The model has seen no program on any GPU before it predicts
        it."""
        document = self.document("--target", device, "--from", source, "--basis", "profile", "--leave-out", "program")
        predictions, times = document["predictions"], measured_on(device)
        self.assertEqual((document["target"], document["basis"]), (device, "profile"))
        self.assertEqual(len(predictions), 162)
        inside = 0
        for prediction in predictions:
            self.check_prediction(prediction)
            self.assertAlmostEqual(prediction["measured_s"] / times[key_of(prediction)], 1, 9)
            inside += prediction["lo_s"] <= prediction["measured_s"] <= prediction["hi_s"]
        errors = errors_of(document, times).values()
        print(f"{device} from {source}: mean error {statistics.mean(errors):.4f}, "
              f"median {statistics.median(errors):.4f}, {inside / 162:.4f} inside")
        self.assertLessEqual(statistics.mean(errors), 0.15)
        self.assertLessEqual(statistics.median(errors), 0.10)
        self.assertGreaterEqual(inside / 162, 0.85)
        self.assertLessEqual(inside / 162, 0.99)

    def test_known(self):
        """Predicts one of two GPUs by the times of the other. The seed chooses the GPU."""
        both = ("h200", "h100")
        self.check_device(*both[::1 - 2 * (seed.chosen_seed() % 2)])

    def test_without_times(self):
        """With code counters alone the errors are larger, and the intervals cover them."""
        document = self.document("--target", "h200", "--from", "h100", "--basis", "profile", "--leave-out", "program",
                                 "--no-source-time")
        errors = errors_of(document, measured_on("h200"))
        inside = sum(p["lo_s"] <= p["measured_s"] <= p["hi_s"] for p in document["predictions"])
        print(f"h200 without times: mean error {statistics.mean(errors.values()):.4f}, {inside / 162:.4f} inside")
        self.assertLess(statistics.mean(errors.values()), 0.35)
        self.assertGreaterEqual(inside / 162, 0.80)

    def test_basis(self):
        """A GPU with a dataset is predicted by the dataset unless --basis says profile."""
        arguments = ("--target", "h200", "--from", "h100", "--program", "haar1d", "--method", "units")
        self.assertEqual(self.document(*arguments)["basis"], "dataset")
        self.assertEqual(self.document(*arguments, "--basis", "dataset")["basis"], "dataset")
        document = self.document(*arguments, "--basis", "profile")
        self.assertEqual(document["basis"], "profile")
        self.assertEqual({p["program"] for p in document["predictions"]}, {"haar1d"})

    def share(self, programs):
        """Makes a data directory with all data of the H100, and counters and the times of some
        programs of the H200."""
        share = share_without_datasets(self.folder / ("with" if programs else "without"))
        for path in [DATASETS / "devices.csv", DATASETS / "h200-trace.csv", *DATASETS.glob("h100*.csv")]:
            shutil.copy(path, share / "datasets")
        rows = [row for row in rows_of(DATASETS / "h200.csv") if row["program"] in programs]
        if rows:
            write_rows(share / "datasets" / "h200.csv", rows)
        return {"PERFMODEL_SHARE": str(share), "PERFMODEL_DATASETS": "", "XDG_DATA_HOME": str(self.folder)}

    def test_few_samples(self):
        """If a GPU has a few samples of its own, they recalibrate the model."""
        own, times = ("copy", "nbody"), measured_on("h200")
        for extra in ([], ["--no-source-time"]):
            arguments = ("--target", "h200", "--from", "h100", "--leave-out", "program", *extra)
            errors = {}
            for programs in ((), own):
                environment = self.share(programs)
                document = self.document(*arguments, environment=environment)
                shutil.rmtree(environment["PERFMODEL_SHARE"])
                self.assertEqual(document["basis"], "profile")
                self.assertEqual(len(document["predictions"]), 162)
                self.assertEqual({p["program"] for p in document["predictions"] if "measured_s" in p}, set(programs))
                errors[programs] = statistics.mean(
                    error for key, error in errors_of(document, times).items() if key[0] not in own)
            print(f"other programs {extra}: mean error {errors[()]:.4f}, with some samples {errors[own]:.4f}")
            # If times of an H100 are almost the answer, a few samples of the target must not make
            # predictions worse.
            self.assertLess(errors[own], errors[()] + (0 if extra else 0.005))


class Every(Target):
    """Tests GPUs without measurements."""

    def test_every_profile(self):
        """GPUs of several architectures are predicted, and no predicted copy exceeds the peak
        bandwidth."""
        small, times = self.small(), {}
        architectures = {row["architecture"]: row["device"] for row in rows_of(DATASETS / "devices.csv")}
        chosen = {"h100", "gtx980", "gtx280", "k20c", "hd5870"}
        others = sorted(set(architectures.values()) - chosen)[seed.chosen_seed() % 2::2]  # half of them
        # All programs are traced for some GPUs, and one program for the others, because tracing
        # takes time.
        for devices, programs in ((sorted(chosen), SMALL), (others, SMALL[:1])):
            told = self.document(*[f"--target={device}" for device in devices],
                                 *[f"--program={program}" for program, _, _ in programs],
                                 "--from", small, "--basis", "profile")
            for device, document in zip(devices, told["targets"], strict=True):
                self.assertEqual((document["target"], document["basis"]), (device, "profile"))
                self.assertEqual({key_of(p)[:3] for p in document["predictions"]}, set(programs), device)
                for prediction in document["predictions"]:
                    self.check_prediction(prediction)
                    times[device, prediction["program"]] = prediction["predicted_s"]
        for program, _, _ in SMALL:
            chain = [times[device, program] for device in ("h100", "gtx980", "gtx280")]
            self.assertEqual(chain, sorted(chain), program)
        # 16 MiB are read and written. Caches of newer GPUs may hold both buffers.
        for device, gb_s in (("gtx280", 141.7), ("gtx980", 224.3), ("hd5870", 153.6), ("k20c", 208)):
            self.assertGreater(times[device, "copy"], 2**24 / (gb_s * 1e9), device)

    def test_default(self):
        """A GPU without a dataset needs no --basis."""
        self.assertEqual(self.document("--target", "gtx980", "--from", self.small(), "--program", "haar1d")["basis"],
                         "profile")


class Several(Target):
    """Tests several targets in one command."""

    def test_documents(self):
        """Each target has the same predictions as alone, whatever name of it is given."""
        chosen = ("--from", self.small(), "--program", "haar1d")
        both = self.document("--target", "GeForce GTX 980", "--target", "RTX 2080 Ti", *chosen)
        self.assertEqual([d["target"] for d in both["targets"]], ["gtx980", "rtx2080ti"])
        self.assertEqual(both["targets"][1], self.document("--target", "rtx2080ti", *chosen))

    def test_table(self):
        """The table has a row per kernel and a column per target."""
        done = run("predict", "--target", "gtx980", "--target", "t4", "--from", self.small(),
                   environment={"COLUMNS": "120"})
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split(), ["program", "variant", "size", "kernel", "gtx980", "90", "%", "t4", "90", "%"])
        self.assertRegex(lines[1], r"haar1d +local +2097152 +\S+( +[0-9.]+ [mu]s +[0-9.]+ to [0-9.]+ [mu]s){2}$")
        self.assertTrue(lines[1 + len(SMALL)].startswith("90 % intervals are typically"), lines)

    def test_wrong(self):
        """If one target is wrong, no other target is predicted."""
        self.refused(["may be one of p100pcie16, p100pcie12"], "predict", "--target", "gtx980", "--target", "P100 PCIe",
                     "--from", self.small())


class Wrong(Target):
    """One line each."""

    def test_target(self):
        """For a GPU with neither a row nor a dataset, the error lists the GPUs that have either."""
        for basis in ([], ["--basis", "profile"]):
            self.refused(["no GPU 'gtx9800'", "did you mean gtx980?"], "predict", "--target", "gtx9800", "--from",
                         "h100", *basis)
        self.refused(["did you mean gtx980?", "nor is a dataset called so"],
                     "predict", "--target", "gtx9800", "--from", "h100")
        self.refused(["nothing.csv", "No such file"], "predict", "--target", "nothing.csv", "--from", "h100")

    def test_basis(self):
        """A basis that does not exist, and one that the GPU lacks."""
        for basis in ("nonsense", "", "Profile"):
            self.refused(["dataset", "profile"], "predict", "--target", "h200", "--from", "h100", "--basis", basis)
        self.refused(["gtx980", "--basis profile"], "predict", "--target", "gtx980", "--from", self.small(),
                     "--basis", "dataset")

    def test_model(self):
        """A profile has one method and one choice of counters. Other options are refused before any
        trace."""
        small = self.small()
        for arguments, told in ((["--method", "gp"], ["gtx980", "--method"]),
                                (["--method", "nonsense"], ["nonsense", "units"]),
                                (["--counters", "gld_request"], ["gtx980", "--counters"])):
            self.refused(told, "predict", "--target", "gtx980", "--from", small, *arguments)
        self.document("--target", "gtx980", "--from", small, "--program", "haar1d", "--method", "units", "--counters",
                      "code")

    def test_cells(self):
        """Cells of the table that are missing or out of range: the error names file, line and
        column."""
        small = self.small()
        for column, cell in (("clock_mhz", ""), ("clock_mhz", "1.2"), ("dram_gb_s", "224e9"), ("dram_gb_s", "nan"),
                             ("l2_bytes_per_cycle", ""), ("launch_us", "-1"), ("fma_per_cycle", "0"),
                             ("load_l2_cycles", "many"), ("dram_copy_share", "85")):
            folder, line = self.devices("gtx980", column, cell)
            for basis in ([], ["--basis", "profile"]):
                done = self.refused([f"{folder}/devices.csv:{line}: {column}"], "predict", "--target", "gtx980",
                                    "--from", small, "--datasets", folder, *basis)
                if cell:
                    self.assertNotIn("no dataset", done.stderr)

    def test_other_row(self):
        """A wrong cell in a row that is not used."""
        folder, _ = self.devices("t4", "clock_mhz", "")
        self.document("--target", "gtx980", "--from", self.small(), "--program", "haar1d", "--datasets", folder)

    def test_unknown_programs(self):
        """Programs that perfmodel cannot trace are predicted from the counters in the dataset. If
        they are missing, no sample remains."""
        rows = rows_of(self.small())
        for row in rows:
            row["program"] = "mine"
        write_rows(self.folder / "mine.csv", rows)
        done = self.good("predict", "--target", "gtx980", "--from", self.folder / "mine.csv", "--json")
        self.assertEqual(len(json.loads(done.stdout)["predictions"]), len(rows))
        self.assertIn(f"counters of {len(rows)} samples are another GPU's", done.stderr)
        identity = list(rows[0])[:11]
        write_rows(self.folder / "mine.csv", [{k: v for k, v in row.items() if k in identity} for row in rows])
        done = self.run_wrong("predict", "--target", "gtx980", "--from", self.folder / "mine.csv")
        self.assertIn("none of the samples can be predicted", done.stderr.splitlines()[-1])
        self.refused(["no program 'mine'"], "predict", "--target", "gtx980", "--from", self.folder / "small.csv",
                     "--program", "mine")

    def run_wrong(self, *arguments):
        """Runs a command that must end with exit code 2 after some notices."""
        done = run(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        return done


if __name__ == "__main__":
    unittest.main(verbosity=2)
