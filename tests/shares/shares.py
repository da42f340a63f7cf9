"""Runs in shares, of each command that has them: what they work on, and how they are started, ended and joined.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import shutil
import subprocess
import time

from program import DATASETS, PERFMODEL, run, share_without_datasets

SOURCE = """__kernel void scale(__global const float *in, __global float *out)
{
    float by = BY;
    for (int i = 0; i < ROUNDS; i++)
        by = by * 1.5f + in[get_global_id(0)];
    out[get_global_id(0)] = by;
}
"""
HEAD = """[workload]
name = {name}
source = scale.cl
options = -DBY=0 -DROUNDS={rounds}
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
[launch scale]
global = n
local = 64
arguments = in, out
"""
NAMES = ("alpha", "beta", "gamma", "delta")
# No line that depends on BY needs its value, so two values of it give the same code.
TUNED = HEAD.format(name="tuned", rounds="{rounds}").replace("-DBY=0", "-DBY={by}/10").replace(
    "local = 64", "local = group") + "[tune]\nrounds = 8, 16\ngroup = 64, 128\nby = 0, 1, 20\nrestrict = by < 20 || rounds == 8\n"
VERSIONS = 10


def write_workloads(folder):
    """Files for all commands, and for commands that take several."""
    (folder / "scale.cl").write_text(SOURCE, encoding="utf-8")
    (folder / "tuned.workload").write_text(TUNED, encoding="utf-8")
    for rounds, name in enumerate(NAMES, 8):
        more = "".join(f"[variant by{by}]\noptions = -DBY={by} -DROUNDS={rounds}\n" for by in range(1, 3))
        (folder / f"{name}.workload").write_text(HEAD.format(name=name, rounds=rounds) + more, encoding="utf-8")
    return [folder / f"{name}.workload" for name in NAMES]


def learn_from_one_gpu(folder):
    """Lets all started processes know the times of one GPU only, so that a model is fitted
    quickly."""
    share = share_without_datasets(folder / "share")
    for path in (DATASETS / "devices.csv", DATASETS / "classes.csv", *DATASETS.glob("h100.*"), *DATASETS.glob("h100-trace.*")):
        shutil.copy(path, share / "datasets")
    os.environ["PERFMODEL_SHARE"] = str(share)


class Command:
    """A command that runs in shards, in a folder that contains the workloads."""

    def __init__(self, name, folder, *words, ending=".json"):
        self.name, self.folder, self.words = name, folder, [name, *words]
        self.ending, self.of_share = ending, {".json": ".jsonl"}.get(ending, ending)

    def whole(self, *more):
        """Returns what a single run writes and prints."""
        path = self.folder / f"{self.name}-whole{self.ending}"
        done = run(*self.words, *more, "-o", path)
        assert done.returncode == 0, done.stderr
        return path.read_bytes(), done.stdout

    def share_words(self, index, count, stem=None):
        """Returns the command line of a shard, and the path that it writes."""
        stem = stem or self.name
        output = self.folder / f"{stem}{self.ending}"
        return ([PERFMODEL, *map(str, self.words), "--shard", f"{index}/{count}", "-o", str(output)],
                self.folder / f"{stem}-{index}of{count}{self.of_share}")

    def share(self, index, count, stem=None):
        """Runs a shard to its end and returns its path."""
        words, path = self.share_words(index, count, stem)
        done = run(*words[1:])
        assert done.returncode == 0, done.stderr
        return path

    def kill(self, index, count, seconds, stem=None):
        """Starts a shard and kills it after some time, if it is still running."""
        words, path = self.share_words(index, count, stem)
        kill_after(words, seconds)
        return path

    def merged(self, paths, *more):
        """Merges the shards. Returns the result and the finished process."""
        path = self.folder / f"{self.name}-merged{self.ending}"
        done = run("merge", *paths, *more, "-o", path)
        assert done.returncode == 0, done.stderr
        return path.read_bytes(), done


def kill_after(words, seconds):
    """Starts a process and kills it after some time."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        process.kill()


def commands_of(folder):
    """Yields all commands that run in shards, on workloads that it writes into the folder."""
    workloads = write_workloads(folder)
    return {command.name: command for command in (
        Command("collect", folder, *workloads, "--device", "none", "--target", "h200", ending=".csv"),
        Command("tune", folder, folder / "tuned.workload", "--target", "h200"),
        Command("trace", folder, *workloads, "--target", "h200"),
        Command("check", folder, *workloads, "--target", "h200", "--target", "gtx980"))}
