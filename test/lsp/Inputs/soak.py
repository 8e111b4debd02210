"""Random edits against the language server: soak.py EDITS SEED COMMAND...

Edits put broken code, half-typed code, binary noise and huge lines into a CUDA
file and a header, mostly take them out again, and now and then close and reopen
the file, save, hover or ask for actions. Most answers are not waited for. At the
end the text is whole again and its diagnostics have to be those of the
beginning; no answer may be for an older version than one before it. Prints what
memory the server and its processes had in the first and the second half, which
must not be a tenth more.
"""

import os
import random
import select
import statistics
import sys
import tempfile
import time

from editor import Editor, span, uri

TEXT = """#include <cuda_runtime.h>
#include "part.cuh"
__global__ void transpose(const float *In, float *Out, int N) {
  __shared__ float Tile[32][32];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * N + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}
template <typename T> __global__ void scale(T *Data, T By) {
  Data[blockIdx.x * blockDim.x + threadIdx.x] *= twice(By);
}
void run(const float *I, float *O) {
  transpose<<<64, dim3(32, 32)>>>(I, O, 1024);
  scale<<<64, 256>>>(O, 2.0f);
}
"""
HEADER = "template <typename T> __device__ T twice(T X) { return X + X; }\n"

PIECES = [
    "{", "}", "(", ")", "<<<", ">>>", ";", '"', "'", "/*", "*/", "//", "\\\n", "\n",
    "#if 0\n", "#endif\n", "#include <nothing.h>\n", "#define Tile 7\n",
    "__global__ void", "__shared__ float S[", "template <", "threadIdx.x *",
    "for (;;) ", "asm(", "#pragma unroll\n", "R\"x(", "operator", "[[", "::",
    "#line 7 \"/etc/passwd\"\n", "// NOLINTBEGIN\n", "\u00e4\U0001f600\u2028", "\t",
    "__device__ int f(int n) { return n ? f(n - 1) : 0; }\n", "1e999", "0x", "= {",
]  # fmt: skip


def noise(picker):
    kind = picker.random()
    if kind < 0.7:
        return "".join(picker.choices(PIECES, k=picker.randrange(1, 4)))
    if kind < 0.9:
        return "".join(chr(picker.randrange(1, 0xD7FF)) for _ in range(40))
    if kind < 0.97:
        return "(" * picker.randrange(1, 400)
    return "x" * picker.randrange(1000, 200_000)


def memory(process):
    """KiB that the process and all below it have to themselves.

    Not the files that they have mapped, Clang above all: of these each process
    of the machine that has them, too, takes its share.
    """
    total = 0
    waiting = [process]
    while waiting:
        one = waiting.pop()
        try:
            with open(f"/proc/{one}/smaps_rollup") as file:
                total += sum(
                    int(line.split()[1])
                    for line in file
                    if line.startswith(("Pss_Anon:", "Pss_Shmem:"))
                )
            with open(f"/proc/{one}/task/{one}/children") as file:
                waiting += [int(child) for child in file.read().split()]
        except OSError:
            pass  # it has just ended
    return total


class Soak:
    def __init__(self, edits, seed, command, folder):
        self.edits = edits
        self.picker = random.Random(seed)
        self.file = os.path.join(folder, "a.cu")
        self.header = os.path.join(folder, "part.cuh")
        self.texts = {self.file: TEXT, self.header: HEADER}
        for path, text in self.texts.items():
            with open(path, "w") as file:
                file.write(text)
        self.editor = Editor(command, folder, patience=120)
        self.editor.start()
        self.latest = {}

    def listen(self):
        """Takes what has arrived without waiting."""
        editor = self.editor
        for message in editor.kept:
            self.look(message)
        editor.kept.clear()
        while select.select([editor.server.stdout], [], [], 0)[0]:
            message = editor.read(5)
            if message is None:
                return
            self.look(message)

    def look(self, message):
        if message.get("method") != "textDocument/publishDiagnostics":
            return
        said = message["params"]
        # Of a file that was closed meanwhile the versions begin anew.
        if said["version"] < self.latest.get(said["uri"], 0):
            sys.exit(f"an answer for an older version: {said}")
        self.latest[said["uri"]] = said["version"]

    def reopen(self, path):
        # All answers about it come before the one to a request made after that.
        # Diagnostics without any would not tell: broken code has none, either.
        self.editor.close(path)
        self.editor.request("soak/closed")
        self.listen()
        self.latest.pop(uri(path), None)
        self.editor.open(path, self.texts[path])

    def edit(self, number):
        path = self.file if self.picker.random() < 0.85 else self.header
        whole = TEXT if path == self.file else HEADER
        if self.texts[path] != whole and self.picker.random() < 0.5:
            self.texts[path] = whole
            self.editor.change(path, whole)
            return
        lines = self.texts[path].split("\n")
        line = self.picker.randrange(len(lines))
        column = self.picker.randrange(len(lines[line]) + 1)
        end = min(len(lines[line]), column + self.picker.choice([0, 0, 0, 1, 30]))
        piece = noise(self.picker)
        text = lines[line][:column] + piece + lines[line][end:]
        self.texts[path] = "\n".join(lines[:line] + [text] + lines[line + 1 :])
        units = [
            len(lines[line][:at].encode("utf-16-le")) // 2 for at in (column, end)
        ]
        self.editor.change(path, (line, units[0], line, units[1], piece))

    def run(self):
        editor, picker = self.editor, self.picker
        for path in (self.file, self.header):
            editor.open(path, self.texts[path])
        first = self.calm()
        samples = []
        for number in range(self.edits):
            self.edit(number)
            kind = picker.random()
            if kind < 0.02:
                editor.save(self.file)
            elif kind < 0.03:
                self.reopen(self.file)
            elif kind < 0.05:
                editor.number += 1
                editor.send(
                    dict(
                        id=editor.number,
                        method=picker.choice(
                            ["textDocument/hover", "textDocument/codeAction"]
                        ),
                        params=dict(
                            textDocument=dict(uri=uri(self.file)),
                            position=dict(line=6, character=45),
                            range=span(0, 0, 99, 0),
                            context=dict(diagnostics=[]),
                        ),
                    )
                )
            # Mostly somebody types on; now and then the answer comes first.
            time.sleep(picker.choice([0, 0, 0, 0.01, 0.05, 0.2]))
            self.listen()
            if editor.server.poll() is not None:
                sys.exit(f"the server has ended after {number} edits")
            if number % max(1, self.edits // 20) == 0:
                if self.calm() != first:
                    sys.exit(f"other diagnostics after {number} edits")
                samples.append(memory(editor.server.pid))
        if self.calm() != first:
            sys.exit("other diagnostics in the end")
        middle = len(samples) // 2
        early = statistics.median(samples[:middle])
        late = statistics.median(samples[middle:])
        print(f"{self.edits} edits; memory {early:.0f} KiB in the first half, "
              f"{late:.0f} in the second, at most {max(samples)}")
        if late > early * 1.1 + 4096:
            sys.exit("the memory grows")
        print("exit", editor.stop())

    def calm(self):
        """The diagnostics of the whole text. No look is under way then."""
        waiting = set()
        for path, whole in ((self.header, HEADER), (self.file, TEXT)):
            self.texts[path] = whole
            self.editor.change(path, whole)
            waiting.add((uri(path), self.editor.versions[path]))
        while waiting:
            message = self.editor.next(
                lambda m: m.get("method") == "textDocument/publishDiagnostics"
            )
            if message is None:
                sys.exit("no answer")
            self.look(message)
            said = message["params"]
            waiting.discard((said["uri"], said["version"]))
            if said["uri"] == uri(self.file):
                found = said["diagnostics"]
        return sorted(
            (d.get("code") or d["message"], d["range"]["start"]["line"])
            for d in found
        )


def main():
    edits, seed = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        Soak(edits, seed, sys.argv[3:], folder).run()


if __name__ == "__main__":
    main()
