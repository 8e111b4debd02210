"""A real Slurm on this machine: two nodes that are both this one, without
accounts or secrets, in the working folder. No step waits without an end."""

import contextlib
import getpass
import os
import socket
import subprocess
import time

CONF = """ClusterName=warpwise
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=300
NodeName=n[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=2
PartitionName=main Nodes=ALL Default=YES MaxTime=10 State=UP
"""


def free_ports(count):
    """That many in a row."""
    while True:
        with socket.socket() as first:
            first.bind(("127.0.0.1", 0))
            begin = first.getsockname()[1]
        with contextlib.ExitStack() as stack:
            try:
                for port in range(begin, begin + count):
                    each = stack.enter_context(socket.socket())
                    each.bind(("127.0.0.1", port))
            except (OSError, OverflowError):
                continue
            return begin


def ask(*command):
    return subprocess.run(
        command, capture_output=True, text=True, timeout=30
    ).stdout.strip()


@contextlib.contextmanager
def running(folder):
    os.makedirs(folder + "/state")
    first = free_ports(3)
    with open(folder + "/slurm.conf", "w", encoding="utf-8") as conf:
        conf.write(
            CONF.format(
                host=socket.gethostname(),
                control=first,
                first=first + 1,
                last=first + 2,
                folder=folder,
                user=getpass.getuser(),
            )
        )
    os.environ["SLURM_CONF"] = folder + "/slurm.conf"
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    for node in ("n1", "n2"):
        os.mkdir(f"{folder}/spool-{node}")
    processes = []
    try:
        for command in (
            ["slurmctld", "-D"],
            ["slurmd", "-D", "-N", "n1"],
            ["slurmd", "-D", "-N", "n2"],
        ):
            processes.append(
                subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
        end = time.monotonic() + 60
        while ask("sinfo", "-h", "-N", "-o", "%t").split() != ["idle", "idle"]:
            if time.monotonic() > end:
                raise SystemExit("slurm did not begin: " + ask("sinfo", "-N", "-l"))
            time.sleep(0.2)
        yield
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


