"""Runs `check --incremental` again and again in the working folder:
incremental.py WARPWISE."""

import glob
import json
import os
import re
import resource
import subprocess
import sys
import time

BASE = ["check", "-p", ".", "--cuda-path=none", "--no-nvcc", "--min-gain=0"]


class Project:
    def __init__(self, warpwise):
        self.warpwise = warpwise
        self.before = None

    def run(self, *options, keep=True):
        command = [self.warpwise, *BASE, *options]
        if not any(each.startswith("--gpu") for each in options):
            command.append("--gpu=h200")
        if keep:
            command.append("--incremental=kept")
        return subprocess.run(command, capture_output=True, text=True)

    def say(self, name, *options, compare=False, status=False):
        done = self.run(*options)
        counts = re.search(r"(\d+ of \d+) analyses are from 'kept'", done.stderr)
        if not counts:
            sys.exit(done.stderr)
        text = f"{name}: {counts[1]} analyses"
        if compare:
            same = places(done.stdout) == places(self.before)
            text += ", same findings" if same else ", other findings"
        if status:
            text += f", status {done.returncode}"
        print(text)
        if not options:
            self.before = done.stdout

    def fresh(self):
        print("same as without:", self.run(keep=False).stdout == self.before)


def places(text):
    """Files, columns and words: lines move with the edits."""
    return re.sub(r"(?m):\d+:(\d+:)|^ *\d+ \|", r":\1", text)


def replace(file, old, new):
    with open(file, encoding="utf-8") as source:
        text = source.read()
    assert old in text, (file, old)
    with open(file, "w", encoding="utf-8") as source:
        source.write(text.replace(old, new))
    settle()


def settle():
    """What was written as a run began is not trusted by it."""
    time.sleep(0.05)


def database(files):
    with open("compile_commands.json", "w", encoding="utf-8") as file:
        json.dump(
            [
                {"directory": os.getcwd(), "file": each, "command": "nvcc -c " + each}
                for each in files
            ],
            file,
        )
    settle()


def damage(text):
    for file in glob.glob("kept/*.report"):
        with open(file, "w", encoding="utf-8") as report:
            report.write(text)


def large(project):
    os.mkdir("large")
    os.chdir("large")
    files = [f"k{number}.cu" for number in range(60)]
    for number, file in enumerate(files):
        with open(file, "w", encoding="utf-8") as source:
            source.write(
                f"__global__ void k{number}(float *Out, const float *In) {{\n"
                "  const int I = blockIdx.x * blockDim.x + threadIdx.x;\n"
                f"  Out[{number + 2} * I] = In[I];\n}}\n"
                "void launch(float *Out, const float *In) {\n"
                f"  k{number}<<<4096, 256>>>(Out, In);\n}}\n"
            )
    database(files)
    project.run()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = project.run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # On a busy machine the clock on the wall says little.
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    counts = re.search(r"(\d+ of \d+) analyses are from", done.stderr)
    limit = "in less than 1 s" if seconds < 1 else f"in {seconds:.2f} s"
    print(f"60 files: {counts[1]} analyses {limit}")


def main():
    project = Project(sys.argv[1])
    database(["a.cu", "b.cu", "c.cu", "host.cu"])
    # c.cu is looked at twice: before its launch is known, and with it.
    project.say("first")
    project.say("unchanged", compare=True)
    project.fresh()
    replace("b.cu", "void launchB", "// more\nvoid launchB")
    project.say("file", compare=True)
    replace("common.h", "inline", "// more\ninline")
    project.say("header", compare=True)
    replace("host.cu", "In); }", "In); } // more")
    project.say("comment in host", compare=True)
    replace("host.cu", "dim3(32, 32)", "dim3(256, 1)")
    project.say("launch", compare=True)
    project.fresh()
    project.say("gpu", "--gpu=k20c")
    project.say("checks", "--checks=-cuda-memory-bank-conflict")
    project.say("block", "--block=nothing=32x8")
    project.say("format", "--format=json", "--sort=gain", "--top=1")
    project.say("back")
    with open(".warpwise", "w", encoding="utf-8") as file:
        file.write("Checks: '-cuda-memory-uncoalesced-access'\n")
    project.say("configuration")
    os.remove(".warpwise")
    project.say("without it")
    replace("b.cu", "*Out = 1", "*Out = Nothing")
    project.say("broken", compare=True, status=True)
    project.say("broken", compare=True, status=True)
    replace("b.cu", "*Out = Nothing", "*Out = 1")
    project.run()
    damage("not what was written")
    project.say("damaged")
    damage("[" * 100000)
    project.say("nested")
    large(project)


main()
