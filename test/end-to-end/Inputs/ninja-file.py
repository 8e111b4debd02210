"""`check --ninja` and what Ninja makes of it, in the working folder:
ninja-file.py WARPWISE."""

import json
import os
import re
import resource
import subprocess
import sys
import time

WARPWISE = sys.argv[1]
OPTIONS = ["-p", ".", "--gpu=h200", "--cuda-path", "none", "--no-nvcc", "--min-gain=0"]
KERNEL = """{0}__global__ void k{1}(float *Out, const float *In) {{
  Out[{2} * index()] = In[index()];
}}
void launch{1}(float *Out, const float *In) {{ k{1}<<<4096, 256>>>(Out, In); }}
"""
INDEX = "inline __device__ int index() {\n  return blockIdx.x * blockDim.x + threadIdx.x;\n}\n"
FILES = {
    "a.cu": '#include "common.h"\n',
    "b $(touch broken) c$d.cu": '#include "common.h"\n',
    "c.cu": INDEX,
    "d.cu": INDEX,
}


def write(name, text):
    time.sleep(0.05)
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    time.sleep(0.05)


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def database(names):
    entries = [
        dict(directory=os.getcwd(), file=name, arguments=["nvcc", "-c", name])
        for name in names
    ]
    write("compile_commands.json", json.dumps(entries))


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def ninja(name):
    done = run("ninja", "-v", "-C", "out")
    units = len(re.findall(r"--depfile=", done.stdout))
    report = "--format=sarif" in done.stdout.replace("--ninja", "")
    text = [f"units {units}"] if units else []
    text += ["report"] * report + [f"status {done.returncode}"]
    print(name + ": " + ", ".join(text))
    return done


def compare():
    plain = run(WARPWISE, "check", *OPTIONS, "--format=sarif")
    print("as check:", plain.stdout == read("out/warpwise.sarif"))


def write_ninja(*more):
    done = run(
        WARPWISE, "check", *OPTIONS, "--format=sarif", "--ninja=out/build.ninja", *more
    )
    assert done.returncode == 0, done.stderr


def main():
    os.mkdir("out")
    write("common.h", INDEX)
    for number, (name, head) in enumerate(FILES.items()):
        write(name, KERNEL.format(head, number, 8))
    good = read("d.cu")
    write("d.cu", good.replace("In[index()]", "Nothing"))
    database(FILES)
    write_ninja()
    done = ninja("first")
    compare()
    print("a broken kernel is said:", "Nothing" in done.stdout)
    write("d.cu", good)
    ninja("mended")
    compare()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run("ninja", "-C", "out")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "no work to do" in done.stdout, done.stdout
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print("nothing to do in", "less than 1 s" if seconds < 1 else seconds)
    write("a.cu", read("a.cu") + "// more\n")
    ninja("a comment in one file")
    write("a.cu", read("a.cu").replace("8 *", "16 *"))
    ninja("an index in one file")
    write("common.h", INDEX.replace("return ", "return 2 * "))
    ninja("a header of two")
    compare()
    write("e.cu", read("c.cu").replace("k2", "k4").replace("launch2", "launch4"))
    database([*FILES, "e.cu"])
    ninja("another file in the database")
    compare()
    write_ninja("--fail-on=warning")
    ninja("--fail-on")
    print("no name was a command:", not os.path.exists("broken"))
    print(run(WARPWISE, "check", "a.cu", "--ninja=x").stderr.strip())


main()
