#!/usr/bin/env python3
"""The cache changes no answer, whether it is empty, full, off, damaged, deleted while a command runs, or read-only.
PERFMODEL is the program; ctest sets it. --damaged N: damage random entries N times.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import seed
from program import PERFMODEL, Base, share_of_few

# A prediction by the fit to all GPUs, a prediction with left-out rows, a trace, and advice that
# checks versions. The datasets have a few programs, so that a fit takes a tenth of a second.
FIT, LEAVE_OUT, TRACE, ADVICE = range(4)
PARTICLES = """typedef struct { float x, y, mass; } Body;
__kernel void push(__global Body *bodies, int n)
{
    int i = get_global_id(0);
    if (i < n)
        bodies[i].x += bodies[i].mass * bodies[i].y;
}
"""
WORKLOAD = """[workload]
name = push
source = push.cl
[size n4096]
n = 4096
[buffer bodies]
type = Body
count = n
contents = random 0, 1
output = yes
restore = yes
[launch push]
kernel = push
global = n
local = 64
arguments = bodies, int n
"""
COMMANDS = (("predict", "--target", "gtx980", "--program", "copy", "--json"),
            ("predict", "--target", "gtx980", "--program", "copy", "--leave-out", "program", "--json"),
            ("trace", "--target", "a100", "--program", "idw", "--size", "4096", "--variant", "soa", "--sample", "0.1", "--json"),
            ("advise", "--target", "h200", "push.workload", "--json"))
DAMAGED = 6  # number of rounds; each damages several files


def answer(words, cache, before=None, **environment):
    """Returns exit code, standard output and standard error of a command with this cache."""
    done = subprocess.run([PERFMODEL, *words], check=False, capture_output=True, stdin=subprocess.DEVNULL, timeout=300,
                          preexec_fn=before, cwd=Cache.own,
                          env={**os.environ, "PERFMODEL_CACHE": str(cache), "PERFMODEL_SHARE": str(Cache.own / "share"),
                               **environment})
    return done.returncode, done.stdout, done.stderr


class Cache(Base):
    right = {}  # answers without a cache, by command

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.full = pathlib.Path(tempfile.mkdtemp(prefix="cache-"))
        cls.addClassCleanup(shutil.rmtree, cls.full)
        cls.own = pathlib.Path(tempfile.mkdtemp(prefix="cache-"))
        cls.addClassCleanup(shutil.rmtree, cls.own)
        (cls.own / "push.cl").write_text(PARTICLES, encoding="utf-8")
        (cls.own / "push.workload").write_text(WORKLOAD, encoding="utf-8")
        cls.datasets = share_of_few(cls.own / "share") / "datasets"

    def right_of(self, command):
        """Returns the answer without a cache. The first call for a command also adds its entries to
        the full cache."""
        if command not in self.right:
            self.right[command] = answer(COMMANDS[command], "off")
            self.assertEqual(self.right[command][0], 0, self.right[command][2])
            self.assertGreater(len(self.right[command][1]), 100)
            answer(COMMANDS[command], self.full)
        return self.right[command]

    def same(self, cache, *which, **more):
        for i in which or range(len(COMMANDS)):
            right = self.right_of(i)
            with self.subTest(" ".join(COMMANDS[i])):
                self.assertEqual(answer(COMMANDS[i], cache, **more), right)

    def test_cold_and_warm(self):
        self.same(self.folder / "new")
        self.same(self.folder / "new")
        self.same(self.full)

    def test_shipped(self):
        """The shipped fits give the same answer as a new fit."""
        own = {"PERFMODEL_SHARE": str(pathlib.Path(PERFMODEL).resolve().parent.parent / "share" / "perfmodel")}
        right = answer(COMMANDS[FIT], "off", **own)
        self.assertEqual(right[0], 0)
        self.assertEqual(answer(COMMANDS[FIT], self.folder / "new", **own), right)

    def test_threads(self):
        for threads in ("1", "16"):
            self.same("off", TRACE, PERFMODEL_THREADS=threads)
            self.same(self.folder / threads, TRACE, FIT, PERFMODEL_THREADS=threads)
            self.same(self.full, TRACE, FIT, PERFMODEL_THREADS=threads)

    def test_four_at_once(self):
        for command in (FIT, TRACE):
            right = self.right_of(command)
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                for got in pool.map(lambda _, i=command: answer(COMMANDS[i], self.folder / "shared"), range(4)):
                    self.assertEqual(got, right)
        self.same(self.folder / "shared", FIT, TRACE)

    def test_folder_that_cannot_be_written(self):
        """First a file exists in place of the folder, then the folders are read-only. Permissions
        do not apply to root."""
        (self.folder / "file").write_text("")
        self.same(self.folder / "file", FIT, TRACE)
        self.same("/proc/nothing", FIT)
        shutil.copytree(self.full, self.folder / "full")
        for path in [self.folder / "full", *(self.folder / "full").iterdir()]:
            path.chmod(0o555)
        self.same(self.folder / "full", FIT, TRACE)

    def test_full_disk(self):
        """A limit on the size of files cuts entries off; a partial entry counts as absent."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))

        self.same(self.folder / "full", LEAVE_OUT, before=limit)
        self.assertEqual([p for p in (self.folder / "full").rglob("*") if p.is_file() and p.stat().st_size > 2000], [])
        self.same(self.folder / "full", LEAVE_OUT)

    def test_deleted_while_running(self):
        cache = self.folder / "deleted"
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            right = self.right_of(ADVICE)
            running = pool.submit(answer, COMMANDS[ADVICE], cache)
            while not running.done():
                shutil.rmtree(cache, ignore_errors=True)
                time.sleep(.005)
            self.assertEqual(running.result(), right)

    def test_damaged(self):
        for command in range(len(COMMANDS)):
            self.right_of(command)
        entries = sorted(path for path in self.full.rglob("*") if path.is_file())
        whole = {path: path.read_bytes() for path in entries}
        number = seed.chosen_seed()
        rng = random.Random(number)
        print(f"seed {number}", flush=True)
        for _ in range(DAMAGED):
            damaged = rng.sample(entries, rng.randint(1, len(entries)))
            for path in damaged:
                path.write_bytes(self.damage(rng, whole[path], whole[rng.choice(entries)]))
            self.same(self.full, rng.randrange(len(COMMANDS)))
            for path in damaged:
                path.write_bytes(whole[path])

    @staticmethod
    def damage(rng, data, other):
        """Entries are cut, changed in one bit, extended, renamed to another key, or replaced by other data."""
        at = rng.randrange(len(data))
        return rng.choice((data[:at], data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:],
                           data + b"\0", other if other != data else b"", bytes(len(data)), b"", rng.randbytes(64)))

    def test_other_datasets(self):
        """If rows are removed, a new fit is made. If they are restored, the old fit is found
        again."""
        mine = self.folder / "datasets"
        shutil.copytree(self.datasets, mine)
        words = ["predict", "--target", "gtx980", "--datasets", str(mine), "--json"]
        before = answer(words, self.folder / "cache")
        rows, times = (mine / "h100.csv").read_bytes().splitlines(keepends=True), (mine / "h100.csv").stat()

        def write(some):
            (mine / "h100.csv").write_bytes(b"".join(some))
            # keep the old modification time, so that h100.csv does not become the latest dataset
            os.utime(mine / "h100.csv", ns=(times.st_atime_ns, times.st_mtime_ns))

        write(rows[:-40])
        after = answer(words, self.folder / "cache")
        self.assertNotEqual(after[1], before[1])
        self.assertEqual(after, answer(words, "off"))
        write(rows)
        self.assertEqual(answer(words, self.folder / "cache"), before)

    def test_command(self):
        cache = self.folder / "command"
        self.right_of(LEAVE_OUT)
        shutil.copytree(self.full, cache)
        (cache / "fits" / "not-ours.txt").write_text("stays")
        shown = self.json_of("cache", environment={"PERFMODEL_CACHE": str(cache)})
        self.assertEqual(shown["folder"], str(cache))
        self.assertGreater(shown["kinds"]["fits"]["files"], 0)
        self.good("cache", "--clear", environment={"PERFMODEL_CACHE": str(cache)})
        self.assertEqual([p.name for p in cache.rglob("*") if p.is_file()], ["not-ours.txt"])
        self.assertIn("off", self.good("cache", environment={"PERFMODEL_CACHE": "off"}).stdout)
        self.refused("one at a time", "cache", "--clear", "--fill")

    def test_bound(self):
        """A cache with a small bound stays small, and the answers stay right."""
        cache = self.folder / "small"
        for _ in range(2):
            self.same(cache, TRACE, ADVICE, PERFMODEL_CACHE_MIB="0.05")
        size = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
        self.assertLess(size, 1.2 * 0.05 * 2**20)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--damaged", type=int, default=DAMAGED)
    found, rest = parser.parse_known_args()
    DAMAGED = found.damaged
    unittest.main(argv=[sys.argv[0], *rest])
