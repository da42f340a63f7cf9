#!/usr/bin/env python3
"""Shares of a run (collect --shard) and merge: together they are what one run writes, byte for byte (test_shares.py kills them).

SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run
from shares import HEAD, SOURCE

NAMES = ("alpha", "beta", "gamma")
STARTERS = ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "OMPI_COMM_WORLD_RANK",
            "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "SLURM_PROCID", "SLURM_NTASKS", "JOB_COMPLETION_INDEX")


class Shards(Base):
    def setUp(self):
        super().setUp()
        self.write("scale.cl", SOURCE)
        for rounds, name in enumerate(NAMES, 8):
            more = "".join(f"[variant by{by}]\noptions = -DBY={by} -DROUNDS={rounds}\n" for by in range(1, 4))
            self.write(f"{name}.workload", HEAD.format(name=name, rounds=rounds) + more)
        self.words = ["collect", *[self.folder / f"{name}.workload" for name in NAMES], "--device", "none",
                      "--target", "h200"]

    def shards(self, count):
        """Runs all shards. Returns the paths of the shards that have rows."""
        for index in range(1, count + 1):
            self.good(*self.words, "--shard", f"{index}/{count}", "-o", self.folder / "part.csv")
        return [self.folder / f"part-{index}of{count}.csv" for index in range(1, count + 1)]

    def whole(self):
        path = self.folder / "whole.csv"
        self.good(*self.words, "-o", path)
        return path.read_bytes()

    def merged(self, paths):
        path = self.folder / "merged.csv"
        done = self.good("merge", *paths, "-o", path)
        return path.read_bytes(), done.stderr

    def test_as_one_run(self):
        whole = self.whole()
        for count in (1, 3, 16):
            paths = self.shards(count)
            full = [path for path in paths if len(path.read_bytes().splitlines()) > 1]
            merged, told = self.merged(full[::-1])
            self.assertEqual(merged, whole, count)
            self.assertEqual("missing" in told, len(full) < count)
            merged, told = self.merged(paths)
            self.assertEqual((merged, told), (whole, ""))
        again, _ = self.merged([*full, full[0]])
        self.assertEqual(again, whole)
        _, told = self.merged(full[1:])
        self.assertIn("missing", told)

    def test_languages(self):
        """Provenance of variants is merged, whichever shard has it."""
        one, two = self.shards(2)
        for path, variant in ((one, "by1"), (two, "by2")):
            file = path.with_suffix(".json")
            file.write_text(json.dumps({**json.loads(file.read_text()), "languages": {"alpha": {variant: "CUDA"}}}),
                            encoding="utf-8")
        self.merged([one, two])
        merged = json.loads((self.folder / "merged.json").read_text(encoding="utf-8"))
        self.assertEqual(merged["languages"], {"alpha": {"by1": "CUDA", "by2": "CUDA"}})
        self.assertEqual({program: len(variants) for program, variants in merged["definitions"].items()},
                         {name: 4 for name in NAMES})

    def test_conflict(self):
        one, two = self.shards(2)
        rows = one.read_text(encoding="utf-8").splitlines(keepends=True)
        other = self.write("other.csv", rows[0] + rows[1].replace(",64,", ",128,", 1))
        self.refused(["other.csv:2", "is another row", one.name], "merge", one, two, other, "-o", self.folder / "x.csv")

    def test_torn(self):
        one, two = self.shards(2)
        whole = self.whole()
        torn = self.write("torn.csv", one.read_bytes()[:-20])
        (self.folder / "torn.json").write_bytes((self.folder / one.name.replace(".csv", ".json")).read_bytes())
        merged, told = self.merged([torn, two])
        self.assertIn("torn.csv", told)
        self.assertEqual(len(merged.splitlines()), len(whole.splitlines()) - 1)
        self.assertEqual(self.merged([torn, one, two])[0], whole)

    def test_wrong_shares(self):
        one, two = self.shards(2)
        other = self.write("columns.csv", "device,program\n")
        self.refused(["columns.csv"], "merge", one, other, "-o", self.folder / "x.csv")
        self.refused(["no_such.csv"], "merge", self.folder / "no_such.csv", "-o", self.folder / "x.csv")
        self.refused(["name the shares"], "merge", "-o", "x.csv")
        self.refused(["-o"], "merge", one, two)

    def test_environments(self):
        bare = {name: "" for name in STARTERS}
        for told, index, count in (({"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "3",
                                     "SLURM_ARRAY_TASK_MIN": "4"}, 2, 3),
                                   ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}, 1, 2),
                                   ({"PMI_RANK": "1", "PMI_SIZE": "2"}, 2, 2),
                                   ({"SLURM_PROCID": "1", "SLURM_NTASKS": "4"}, 2, 4)):
            self.good(*self.words, "--size", "small", "--variant", "plain", "--shard", "auto", "-o",
                      self.folder / "auto.csv", environment={**bare, **told})
            self.assertTrue((self.folder / f"auto-{index}of{count}.csv").is_file(), told)
        job = {**bare, "JOB_COMPLETION_INDEX": "3"}
        self.refused(["auto/N"], *self.words, "--shard", "auto", environment=job)
        self.good(*self.words, "--size", "small", "--variant", "plain", "--shard", "auto/5", "-o",
                  self.folder / "auto.csv", environment=job)
        self.assertTrue((self.folder / "auto-4of5.csv").is_file())
        self.refused(["neither Slurm"], *self.words, "--shard", "auto", environment=bare)
        self.assertEqual(run(*self.words, "--shard", "auto/2", environment=job).returncode, 2)


if __name__ == "__main__":
    unittest.main()
