"""`cluster profile` by a real Slurm with made-up GPUs: profile.py WARPWISE
PROFILE."""

import os
import shutil
import sys

import project
import slurm

WARPWISE, PROFILE = sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))


def install():
    """warpwise with another program beside it that measures."""
    os.mkdir("bin")
    shutil.copy(WARPWISE, "bin/warpwise")
    shutil.copy(HERE + "/fake-profile", "bin/warpwise-profile")
    os.environ["REAL_PROFILE"] = os.path.dirname(WARPWISE) + "/warpwise-profile"
    os.environ["MADE_UP"] = PROFILE
    return os.getcwd() + "/bin/warpwise"


def say(name, done):
    print(f"{name}: status {done.returncode}")
    for line in (done.stdout + done.stderr).splitlines():
        print(" ", line)


def main():
    warpwise = install()
    begin = [warpwise, "cluster", "profile", "--timeout=120"]
    with slurm.running(os.getcwd() + "/slurm"):
        say("no GPUs", project.run(*begin))
        done = project.run(*begin, "--gpus=2", "--work=job", "--", "--quick")
        say("all", done)
        print(sorted(os.listdir("job/profiles")))
        with open("job/logs/2", encoding="utf-8") as log:
            print(log.read().split("\n")[:2])
        os.environ["FAKE_BROKEN"] = "n1-gpu0.json"
        say("one fails", project.run(*begin, "--gpus=2", "--work=job"))
        del os.environ["FAKE_BROKEN"]
        say("resumed", project.run(*begin, "--resume", "--work=job"))
        slurm.ask("scontrol", "update", "nodename=n2", "state=drain", "reason=test")
        say("drained", project.run(*begin, "--gpus=3", "--work=other"))
        say("written only", project.run(*begin, "--gpus=2", "--work=third", "--no-submit"))


main()
