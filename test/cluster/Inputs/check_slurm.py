"""`cluster check` by a real Slurm: check_slurm.py WARPWISE."""

import os
import sys
import time

import project
import slurm

WARPWISE = sys.argv[1]


def main():
    project.write()
    time.sleep(0.05)
    with slurm.running(os.getcwd() + "/slurm"):
        plain = project.run(WARPWISE, "check", *project.ARGS)
        begin = [WARPWISE, "cluster", "check", *project.ARGS, "--timeout=120"]
        done = project.run(*begin, "--tasks=4", "--work=job")
        project.compare("cluster check", plain, done)
        print([line for line in done.stderr.splitlines() if "submitted" in line])
        # One that Slurm ends.
        done = project.run(
            *begin, "--tasks=2", "--work=cancelled", "--sbatch=--begin=now+1hour",
            "--timeout=2",
        )
        print(done.stderr.splitlines()[-1])
        print("cancelled:", slurm.ask("scancel", "--name=warpwise") == "")
        project.compare(
            "resumed", plain, project.run(*begin[:3], "--resume", "--work=cancelled",
                                          "--timeout=120")
        )


main()
