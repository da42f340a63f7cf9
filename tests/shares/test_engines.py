#!/usr/bin/env python3
"""The engines that start shares, for real: an array of Slurm on three nodes of this machine, and ranks of Open MPI. A task of
each is killed in the middle and run again, and what merge makes of all is what one run writes, byte for byte.

Skips what Slurm's daemons, munge or Open MPI are missing for. SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import cluster
from program import PERFMODEL, ROOT, Base
from shares import commands_of, learn_from_one_gpu

SHARES = 3
MPIRUN = ("mpirun --allow-run-as-root --oversubscribe --bind-to none --mca btl self,vader --mca oob_tcp_if_include lo "
          "--mca plm isolated")


def processes_with(**variables):
    """Returns the ids of perfmodel's processes that were started with these variables."""
    wanted = {f"{name}={value}".encode() for name, value in variables.items()}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.path.samefile(path / "exe", PERFMODEL) and wanted <= set((path / "environ").read_bytes().split(b"\0")):
                yield int(path.name)
        except OSError:
            continue


class Engines(Base):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o711)
        learn_from_one_gpu(self.folder)
        self.tune = commands_of(self.folder)["tune"]
        os.environ["PERFMODEL"] = str(pathlib.Path(PERFMODEL).resolve())
        self.whole, _ = self.tune.whole()
        self.words = [*map(str, self.tune.words), "-o", str(self.folder / "tune.json")]
        self.paths = [self.folder / f"tune-{index}of{SHARES}.jsonl" for index in range(1, SHARES + 1)]

    def kill_when_begun(self, path, **variables):
        """Ends the process of a shard as soon as its file exists, in a thread of its own."""
        def watch():
            for _ in range(6000):
                found = list(processes_with(**variables)) if path.exists() else []
                if found:
                    os.kill(found[0], signal.SIGKILL)
                    self.killed = path
                    return
                time.sleep(0.005)
        self.killed = None
        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        return thread

    def check_merged(self):
        merged, done = self.tune.merged(self.paths)
        self.assertEqual(done.stderr.count("missing") + done.stderr.count("not finished"), 0, done.stderr)
        self.assertEqual(merged, self.whole)

    def test_slurm(self):
        missing = cluster.missing()
        if missing:
            self.skipTest(f"no {', '.join(missing)} here: Debian's slurmctld, slurmd, slurm-client and munge have them")
        folder = self.folder / "slurm"
        folder.mkdir(mode=0o711)
        try:
            slurm = cluster.Cluster(folder, SHARES).__enter__()
        except RuntimeError as why:
            if os.environ.get("PERFMODEL_TEST_SLURM"):
                raise
            self.skipTest(f"Slurm's daemons do not run here: {why}")
        try:
            self.run_array(slurm)
        finally:
            slurm.__exit__()
        self.check_merged()

    def run_array(self, slurm):
        def states():
            told = slurm.ask("scontrol", "show", "job", job, "-o")
            return {int(task): state for task, state in re.findall(r"ArrayTaskId=(\d+) .*?JobState=(\w+)", told)}

        def ended():
            now = states()
            return len(now) == SHARES and not set(now.values()) & {"PENDING", "RUNNING", "COMPLETING", "REQUEUED"}

        watcher = self.kill_when_begun(self.paths[1], SLURM_ARRAY_TASK_ID="1")
        job = re.search(r"\d+", slurm.ask("sbatch", f"--array=0-{SHARES - 1}", "-D", self.folder, "-o", self.folder / "task-%a.log",
                                          ROOT / "scripts" / "campaign.sbatch", *self.words)).group()
        slurm.wait_for("the array's end", ended, 120)
        watcher.join()
        self.assertEqual(self.killed, self.paths[1])
        self.assertEqual(states(), {0: "COMPLETED", 1: "FAILED", 2: "COMPLETED"}, slurm.logs())
        slurm.ask("scontrol", "requeue", f"{job}_1")
        # instead of after two minutes, the default
        slurm.ask("scontrol", "update", f"JobId={job}_1", "StartTime=now")
        slurm.wait_for("the task's end", lambda: ended() and states()[1] == "COMPLETED", 120)

    def test_mpi(self):
        if not shutil.which("mpirun"):
            self.skipTest("no mpirun here: Debian's openmpi-bin has it")
        watcher = self.kill_when_begun(self.paths[1], OMPI_COMM_WORLD_RANK="1")
        # Hosts other than these, or a host name that does not resolve, would be looked up on the
        # network.
        environment = {**os.environ, "MPIRUN": MPIRUN, "OMPI_MCA_rmaps_base_oversubscribe": "1"}
        done = subprocess.run([ROOT / "scripts" / "campaign_mpi.sh", str(SHARES), *self.words], check=False, capture_output=True,
                              text=True, env=environment, timeout=240, cwd=self.folder, stdin=subprocess.DEVNULL)
        watcher.join()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.killed, self.paths[1])
        self.assertIn("try 1 ended", done.stderr)
        self.check_merged()


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
