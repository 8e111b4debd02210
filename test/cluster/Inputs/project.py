"""A project of five files in the working folder, and how a run of check and one
of cluster check are compared."""

import json
import os
import subprocess

KERNEL = """#include "common.h"
__global__ void k{0}(float *Out, const float *In) {{
  Out[{1} * index()] = In[index()];
}}
void launch{0}(float *Out, const float *In) {{ k{0}<<<4096, 256>>>(Out, In); }}
"""
FILES = {
    "common.h": "inline __device__ int index() {\n"
    "  return blockIdx.x * blockDim.x + threadIdx.x;\n}\n",
    "a.cu": KERNEL.format("A", 32),
    "b $(touch broken) '\"c.cu": KERNEL.format("B", 16),
    "broken.cu": '#include "missing.h"\n' + KERNEL.format("C", 8)
    # The process that analyses it ends.
    + "#pragma clang __debug crash\n",
    # Its launch is in another file, so its bank conflicts are known there only.
    "far.cu": """__global__ void far(float *Out, const float *In) {
  __shared__ float Tile[4096];
  Tile[threadIdx.x * blockDim.y + threadIdx.y] = In[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = Tile[threadIdx.x];
}
""",
    "host.cu": "__global__ void far(float *Out, const float *In);\n"
    "void go(float *O, const float *I) { far<<<4096, dim3(32, 32)>>>(O, I); }\n",
}
ARGS = ["-p", ".", "--gpu=h200", "--cuda-path=none", "--no-nvcc", "--min-gain=0"]


def write():
    for name, text in FILES.items():
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    entries = [
        {
            "directory": os.getcwd(),
            "file": name,
            "arguments": ["nvcc", "-c", name],
        }
        for name in FILES
        if name.endswith(".cu")
    ]
    with open("compile_commands.json", "w", encoding="utf-8") as file:
        json.dump(entries, file)


def run(*command, **environment):
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ, **environment),
    )


def errors(text):
    """What is wrong, without the notes."""
    return [line for line in text.splitlines() if "error:" in line]


def compare(name, plain, cluster):
    same = plain.stdout == cluster.stdout and plain.stdout != ""
    print(
        f"{name}: {'same' if same else 'other'} findings,",
        "same" if errors(plain.stderr) == errors(cluster.stderr) else "other",
        f"errors, status {plain.returncode} and {cluster.returncode}",
    )
    if not same:
        print(cluster.stdout, cluster.stderr)
