"""`cluster check` with a queue that can go wrong: check.py WARPWISE FOLDER, where
FOLDER has the programs of the queue."""

import os
import re
import shutil
import sys
import time

import project

WARPWISE, QUEUE = sys.argv[1:]


def cluster(*options, fake="", **environment):
    return project.run(
        WARPWISE,
        "cluster",
        "check",
        *options,
        PATH=QUEUE + ":/usr/bin:/bin",
        CALLS="calls",
        FAKE=fake,
        **environment,
    )


def check(*options):
    return project.run(WARPWISE, "check", *project.ARGS, *options)


def begin(*options, **environment):
    shutil.rmtree("job", ignore_errors=True)
    new = ["--work=job", "--tasks=3", *project.ARGS, *options]
    return cluster(*new, **environment)


def say(name, done):
    """What it says of tasks and its status."""
    print(f"{name}: status {done.returncode}")
    for line in done.stderr.splitlines():
        if "task" in line or "job" in line or line.startswith("error:"):
            print(" ", line)


def last_call():
    with open("calls", encoding="utf-8") as calls:
        return re.sub(r"\S*/job", "job", calls.read().splitlines()[-1])


def main():
    project.write()
    time.sleep(0.05)
    plain = check()
    compared = begin()
    project.compare("text", plain, compared)
    print(re.search(r"note: (.* tasks submitted, .*)", compared.stderr)[1])
    print("sbatch", last_call())
    for number in (1, 2, 3):
        with open(f"job/tasks/{number}", encoding="utf-8") as task:
            names = [os.path.basename(line) for line in task.read().splitlines()]
        print(f"task {number}: {names}")
    print("no name was a command:", not os.path.exists("broken"))
    for form in ("json", "sarif", "html"):
        project.compare(
            form, check("--format=" + form), begin("--format=" + form)
        )
    project.compare(
        "--fail-on", check("--fail-on=warning"), begin("--fail-on=warning")
    )
    os.remove("broken.cu")
    shutil.copy("a.cu", "broken.cu")
    time.sleep(0.05)
    project.compare(
        "sound", check("--fail-on=warning"), begin("--fail-on=warning")
    )
    plain = check()

    say("lost", begin(fake="2=lost"))
    again = cluster("--resume", "--work=job")
    project.compare("resumed", plain, again)
    print("sbatch", last_call())
    say("killed, half", begin(fake="1=killed 3=half"))
    say("failed", begin(fake="1=failed 2=lost"))
    say("begun anew", cluster(*project.ARGS, "--work=job"))
    say("options", cluster("--resume", "--work=job", "--gpu=h100", "a.cu"))
    project.compare("resumed", plain, cluster("--resume", "--work=job"))
    calls = len(open("calls", encoding="utf-8").read().splitlines())
    project.compare("all done", plain, cluster("--resume", "--work=job"))
    print(
        "nothing submitted:",
        calls == len(open("calls", encoding="utf-8").read().splitlines()),
    )
    print("all lost:", begin(fake="1=lost 2=lost 3=lost").returncode)
    say("refused", begin(fake="refused=1"))
    project.compare("not refused", plain, cluster(*project.ARGS, "--work=job"))

    # Still in the queue: nobody submits it again.
    begin(fake="2=lost")
    with open("queue", "w", encoding="utf-8") as queue:
        queue.write("42_2|PENDING|Resources\n7_1|RUNNING|None\n")
    say("waits", cluster("--resume", "--work=job", "--timeout=1"))
    os.remove("queue")

    say("written only", begin("--no-submit"))
    say("no folder", cluster("--resume", "--work=nothing"))
    os.mkdir("mine")
    with open("mine/results", "w", encoding="utf-8") as file:
        file.write("mine")
    say("other files", cluster(*project.ARGS, "--work=mine"))
    shutil.rmtree("job")
    say("no slurm", project.run(WARPWISE, "cluster", "check", *project.ARGS, "--work=job", PATH="/nowhere"))
    for words in (["task", "9", "--work=job"], ["task", "--work=job"], [], ["chek"]):
        say(" ".join(words), project.run(WARPWISE, "cluster", *words))


main()
