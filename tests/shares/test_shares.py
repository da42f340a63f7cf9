#!/usr/bin/env python3
"""Shares of tune, trace and check (--shard) and merge: together they are what one run writes, byte for byte, for any number of
them, and also when they are killed at any moment and run again, as are those of collect.

PERFMODEL_TEST_KILLS=200 kills more often than CI does. SPDX-License-Identifier: GPL-3.0-or-later
"""
import json
import os
import random
import sys
import time
import unittest

sys.path.insert(1, sys.path[0] + "/..")
from program import Base, run
from shares import PERFMODEL, VERSIONS, commands_of, kill_after, learn_from_one_gpu

COUNTS = (1, 3, 16)
KILLS = int(os.environ.get("PERFMODEL_TEST_KILLS", "10"))
FEW = COUNTS if KILLS > 10 else (3,)


class Shares(Base):
    def setUp(self):
        super().setUp()
        learn_from_one_gpu(self.folder)
        self.commands = commands_of(self.folder)

    def lines(self, path):
        return path.read_text(encoding="utf-8").splitlines()

    def test_tune(self):
        """Shards of a complete space find the same as a search without shards."""
        tune = self.commands["tune"]
        whole, printed = tune.whole()
        for count in COUNTS:
            paths = [tune.share(i, count) for i in range(1, count + 1)]
            merged, done = tune.merged(paths[::-1])
            self.assertEqual(merged, whole)
            self.assertEqual(done.stdout, printed)
            items = [json.loads(line) for path in paths for line in self.lines(path)[1:]]
            self.assertEqual(sorted(item["place"] for item in items if "place" in item), list(range(VERSIONS)))
        found = json.loads(whole)
        self.assertEqual((found["space"], found["examined"]), (VERSIONS, VERSIONS))
        self.assertLess(found["traced"], VERSIONS)
        self.assertEqual(json.loads(tune.merged(paths, "--json")[1].stdout), found)

    def test_tune_budget(self):
        """The versions of a smaller campaign depend only on the seed."""
        tune = self.commands["tune"]
        tune.words += ["--budget", "5"]
        one, _ = tune.merged([tune.share(1, 1)])
        three, _ = tune.merged([tune.share(i, 3) for i in (1, 2, 3)])
        self.assertEqual(one, three)
        found = json.loads(one)
        self.assertEqual((found["space"], found["examined"], len(found["choices"])), (VERSIONS, 5, 5))
        tune.words += ["--seed", "2"]
        seeded = json.loads(tune.merged([tune.share(1, 1, "seeded")])[0])
        self.assertNotEqual({c["variant"] for c in found["choices"]}, {c["variant"] for c in seeded["choices"]})

    def test_tune_targets(self):
        """Several targets and workloads, with versions that fail on one of them."""
        wide = (self.folder / "tuned.workload").read_text(encoding="utf-8").replace("name = tuned", "name = wide").replace(
            "group = 64, 128", "group = 64, 2048").replace("by = 0, 1, 20", "by = 0, 20")
        tune = self.commands["tune"]
        tune.words += [self.write("wide.workload", wide), "--target", "gtx980"]
        whole, printed = tune.whole()
        merged, done = tune.merged([tune.share(i, 3) for i in (1, 2, 3)])
        self.assertEqual((merged, done.stdout), (whole, printed))
        self.assertGreater(json.loads(whole)["tunings"][1]["targets"][1]["failed"], 0)

    def test_trace(self):
        trace = self.commands["trace"]
        whole, _ = trace.whole()
        for count in FEW:
            merged, done = trace.merged([trace.share(i, count) for i in range(1, count + 1)])
            self.assertEqual(merged, whole)
            self.assertEqual(done.stderr, "")
        self.assertEqual(len(json.loads(whole)["traces"]), 4)

    def test_check(self):
        """Checks write the same baselines, verdicts and other files."""
        check = self.commands["check"]
        whole, printed = check.whole()
        for count in FEW:
            paths = [check.share(i, count) for i in range(1, count + 1)]
            merged, done = check.merged(paths)
            self.assertEqual((merged, done.stdout), (whole, printed))
        baseline = self.write("baseline.json", whole)
        self.write("scale.cl", (self.folder / "scale.cl").read_text(encoding="utf-8").replace("i < ROUNDS", "i < 100 * ROUNDS"))
        files = [word for kind in ("junit", "sarif") for word in (f"--{kind}", self.folder / f"now.{kind}")]
        one = run(*check.words, "--against", baseline, "--json", *files)
        before = [(self.folder / f"now.{kind}").read_bytes() for kind in ("junit", "sarif")]
        check.words += ["--against", baseline]
        paths = [check.share(i, 3, "now") for i in (1, 2, 3)]
        joined = run("merge", *paths, "--against", baseline, "--json", *files)
        self.assertEqual((joined.returncode, joined.stdout), (one.returncode, one.stdout))
        self.assertEqual([(self.folder / f"now.{kind}").read_bytes() for kind in ("junit", "sarif")], before)
        self.assertEqual(one.returncode, 1)
        done = run("merge", *paths[:2], "--against", baseline)
        self.assertEqual(done.returncode, 1)
        self.assertIn("of 3 shares these are missing: 3", done.stderr)

    def test_missing(self):
        tune = self.commands["tune"]
        paths = [tune.share(i, 3) for i in (1, 2, 3)]
        _, done = tune.merged([paths[0], paths[2]])
        self.assertIn("of 3 shares these are missing: 2", done.stderr)
        lines = paths[1].read_bytes().splitlines(keepends=True)
        paths[1].write_bytes(b"".join(lines[:-1]) + lines[-1][:-9])
        merged, done = tune.merged(paths)
        self.assertIn(f"{paths[1]}:{len(lines)}: the last line is torn", done.stderr)
        self.assertIn("1 of its", done.stderr)
        self.assertEqual(len(json.loads(merged)["choices"]), VERSIONS - 1)
        done = run(*tune.share_words(2, 3)[0][1:])
        self.assertIn("the last line is torn, so it is removed", done.stderr)
        self.assertEqual(tune.merged(paths)[1].stderr.count("missing"), 0)
        self.assertEqual(len(self.lines(paths[1])), len(lines))

    def test_conflicts(self):
        """If two shards have different results for an item, the error names it with both values.
        Equal results count once."""
        trace = self.commands["trace"]
        paths = [trace.share(i, 3) for i in (1, 2, 3)]
        whole, _ = trace.merged(paths)
        self.assertEqual(trace.merged([*paths, *paths])[0], whole)
        full = next(path for path in paths if len(self.lines(path)) > 1)
        other = self.write("other.jsonl", full.read_text(encoding="utf-8").replace('"launches":1', '"launches":2', 1))
        name = json.loads(self.lines(full)[1])["key"]
        self.refused([f"other.jsonl:2: {name}", "launches: 1 and 2", str(full)], "merge", *paths, other, "-o", self.folder / "x.json")

    def test_wrong_files(self):
        trace, tune = self.commands["trace"], self.commands["tune"]
        paths = [trace.share(i, 2) for i in (1, 2)]
        output = self.folder / "x.json"
        self.refused(["not of the run", "of: 2 and 1"], "merge", *paths, trace.share(1, 1), "-o", output)
        self.refused(["not of the run", "share"], "merge", *paths, tune.share(1, 2), "-o", output)
        self.refused(["bad.jsonl:2: not a line of a share"], "merge",
                     self.write("bad.jsonl", self.lines(paths[0])[0] + "\n[]\n"), "-o", output)
        self.refused(["bad.jsonl:2: no item"], "merge", self.write("bad.jsonl", self.lines(paths[0])[0] + "\n{}\n"), "-o", output)
        self.refused(["--against"], "merge", *paths, "--against", "b.json", "-o", output)
        self.refused(["one of the shares"], "merge", *paths, "-o", paths[0])
        self.refused(["-o"], *trace.words, "--shard", "1/2")
        self.refused(["seconds"], *tune.words, "--shard", "1/2", "-o", output, "--budget", "10s")
        self.refused(["run.seed: 1 and 2"], *trace.words, "--shard", "1/2", "-o", self.folder / "trace.json", "--seed", "2")
        # A shard continues only with the sources with which it began.
        self.write("scale.cl", (self.folder / "scale.cl").read_text(encoding="utf-8").replace("1.5f", "2.5f"))
        done = run(*tune.share_words(1, 2)[0][1:])
        self.assertEqual(done.returncode, 2)
        self.assertIn("definition", done.stderr)
        for index in (1, 2):
            done = run(*trace.share_words(index, 2)[0][1:])
            self.assertEqual("its sources have changed" in done.stderr, len(self.lines(paths[index - 1])) > 1)


class Kills(Base):
    """Shards are killed at random moments, one or more times, and run again."""

    def setUp(self):
        super().setUp()
        learn_from_one_gpu(self.folder)
        self.commands = commands_of(self.folder)
        self.known = {}  # by command, index and count: files of a finished shard, and its duration
        self.generator = random.Random(os.environ.get("PERFMODEL_TEST_SEED", "7"))

    def known_share(self, command, index, count):
        """Returns the path of a shard that was not killed, and its duration in seconds."""
        key = (command.name, index, count)
        if key not in self.known:
            start = time.monotonic()
            path = command.share(index, count, f"{command.name}-known")
            self.known[key] = path, time.monotonic() - start
        return self.known[key]

    def whole_lines(self, path):
        return path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""

    def killed_share(self, command, index, count, number):
        """Runs a shard that is killed up to four times. Its finished items must remain each
        time."""
        _, seconds = self.known_share(command, index, count)
        had, stem = b"", f"{command.name}-{number}"
        kills = self.generator.randint(1, 4)
        for _ in range(kills):
            path = command.kill(index, count, self.generator.uniform(0, 1.2 * seconds), stem)
            now = self.whole_lines(path)
            self.assertTrue(now.startswith(had), path)
            had = now
        path = command.share(index, count, stem)
        self.assertTrue(path.read_bytes().startswith(had), path)
        return path, kills

    def check_once(self, path):
        """The file contains no item twice."""
        keys = [(",".join(line.split(",")[:6]) if path.suffix == ".csv" else json.loads(line).get("key"))
                for line in path.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(len(keys), len(set(keys)), path)

    def kill_merge(self, command, paths, whole):
        """The output of merge either does not exist or is complete."""
        output = self.folder / f"killed{command.ending}"
        output.unlink(missing_ok=True)
        kill_after([PERFMODEL, "merge", *map(str, paths), "-o", str(output)], self.generator.uniform(0, 0.5))
        if output.exists():
            self.assertEqual(output.read_bytes(), whole)

    def test_kills(self):
        done = {}
        wholes = {}
        number = 0
        while sum(done.values()) < KILLS or number < len(self.commands):
            command = list(self.commands.values())[number % len(self.commands)]
            count = COUNTS[number // len(self.commands) % len(COUNTS)] if KILLS > 10 else 3
            index = self.generator.randint(1, count)
            if command.name not in wholes:
                wholes[command.name] = command.whole()[0]
            path, kills = self.killed_share(command, index, count, number)
            self.check_once(path)
            others = [self.known_share(command, i, count)[0] for i in range(1, count + 1) if i != index]
            if number % 5 == 0:
                self.kill_merge(command, [path, *others], wholes[command.name])
            self.assertEqual(command.merged([*others, path])[0], wholes[command.name], (command.name, index, count))
            done[command.name, count] = done.get((command.name, count), 0) + kills
            number += 1
        print(f"{sum(done.values())} kills, by command and number of shares:", done)


if __name__ == "__main__":
    unittest.main()
