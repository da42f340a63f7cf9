"""A cluster of Slurm on this machine: its daemons, started by hand in a folder, with several nodes, each a slurmd.

Needs slurmctld, slurmd, sbatch and munged, and no rights but the user's; nothing listens anywhere but on 127.0.0.1.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import getpass
import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "scancel")
SEARCHED = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
CONF = """ClusterName=perfmodel
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/linear
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=1
MinJobAge=600
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=1
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """Returns the programs that are not installed."""
    return [name for name in PROGRAMS if not shutil.which(name, path=SEARCHED)]


def free_ports(count):
    """Returns ports on which nothing listens."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """The daemons run inside the `with` statement and have ended after it."""

    def __init__(self, folder, nodes):
        self.folder, self.nodes, self.daemons = pathlib.Path(folder), nodes, []
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"), "PATH": SEARCHED}

    def start(self, *words):
        with open(self.folder / "daemons.log", "ab") as log:
            # pylint: disable-next=consider-using-with
            self.daemons.append(subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=log,
                                                 stderr=log, env=self.environment))

    def ask(self, *words):
        """Returns the output of a Slurm command, which must succeed."""
        done = subprocess.run([str(word) for word in words], check=False, capture_output=True, text=True, env=self.environment,
                              stdin=subprocess.DEVNULL, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"{words}: {done.stderr}")
        return done.stdout

    def wait_for(self, what, is_there, seconds=40):
        end = time.monotonic() + seconds
        while not is_there():
            if time.monotonic() > end:
                raise RuntimeError(f"{what} did not come in {seconds} s:\n{self.logs()}")
            time.sleep(0.1)

    def logs(self):
        return "\n".join(f"{path.name}: {path.read_text(errors='replace')[-2000:]}" for path in sorted(self.folder.glob("*.log")))

    def idle(self):
        done = subprocess.run(["sinfo", "-h", "-o", "%t %D"], check=False, capture_output=True, text=True, env=self.environment)
        return done.stdout.split() == ["idle", str(self.nodes)]

    def write_configuration(self):
        ports = free_ports(self.nodes + 1)
        host = socket.gethostname().split(".")[0]
        nodes = "\n".join(f"NodeName=n{i} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1"
                          for i, port in enumerate(ports[1:], 1))
        (self.folder / "slurm.conf").write_text(
            CONF.format(host=host, user=getpass.getuser(), ports=ports, folder=self.folder, nodes=nodes), encoding="utf-8")
        for name in ("state", "munge", *(f"n{i}" for i in range(1, self.nodes + 1))):
            (self.folder / name).mkdir(mode=0o711)

    def __enter__(self):
        self.write_configuration()
        try:
            munge = self.folder / "munge"
            self.ask("mungekey", "--create", "--keyfile", munge / "key")
            self.start("munged", "--foreground", "--force", "--key-file", munge / "key", "--socket", munge / "socket",
                       "--pid-file", munge / "pid", "--log-file", munge / "log", "--seed-file", munge / "seed")
            self.wait_for("munged's socket", (munge / "socket").exists)
            self.start("slurmctld", "-D")
            for i in range(1, self.nodes + 1):
                self.start("slurmd", "-D", "-N", f"n{i}")
            self.wait_for("the nodes", self.idle)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(timeout=5)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
