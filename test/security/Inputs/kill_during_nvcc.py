"""Kills a command while its nvcc runs and sees that nothing is left.

usage: kill_during_nvcc.py FOLDER COMMAND...
"""

import os
import signal
import subprocess
import sys
import time


def wait_for(condition):
    for _ in range(600):
        if condition():
            return True
        time.sleep(0.1)
    return False


def is_there(process):
    try:
        with open(f"/proc/{process}/stat") as status:
            return status.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def main():
    folder, command = sys.argv[1], sys.argv[2:]
    started = os.path.join(folder, "started")
    if os.path.exists(started):
        os.remove(started)
    scratch = os.path.join(folder, "tmp")
    run = subprocess.Popen(
        command,
        env=dict(os.environ, TMPDIR=scratch),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def processes():
        if not os.path.exists(started):
            return []
        with open(started) as numbers:
            return numbers.read().split()

    if not wait_for(lambda: len(processes()) >= 2):
        sys.exit("nvcc was not started")
    run.send_signal(signal.SIGKILL)
    run.wait()
    if not wait_for(lambda: not any(map(is_there, processes()))):
        sys.exit("left behind: " + " ".join(filter(is_there, processes())))
    # Whoever ends nvcc removes its folder next.
    if not wait_for(lambda: not os.listdir(scratch)):
        sys.exit("files left behind: " + " ".join(os.listdir(scratch)))


main()
