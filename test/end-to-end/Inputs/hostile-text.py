"""Writes sources with control characters, or looks for them in what was printed.

hostile-text.py FOLDER
hostile-text.py --control FILE...
"""

import pathlib
import sys

KERNEL = (
    "__global__ void {name}(float *Out, const float *In) {{\n"
    "  Out[threadIdx.x] = {before}In[threadIdx.x * 64];{after}\n"
    "}}\n"
)


def write(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")


def main():
    if sys.argv[1] == "--control":
        for name in sys.argv[2:]:
            text = pathlib.Path(name).read_bytes().decode("utf-8")
            bad = {c for c in text if c != "\n" and not c.isprintable()}
            longest = max(map(len, text.splitlines()), default=0)
            if bad or longest > 2000:
                sys.exit(f"{name}: {bad}, {longest} characters in a line")
        return
    folder = pathlib.Path(sys.argv[1])
    write(folder, "plain.cu", KERNEL.format(name="plain", before="", after=""))
    write(
        folder,
        "evil\x1b]0;title\x07.cu",
        KERNEL.format(
            name="evil", before="/* \x1b[2J \u009b31m \u202e */ ", after=""
        ),
    )
    write(
        folder,
        "line.cu",
        '#line 1 "line\x1b[31m\\nerror: fake"\n'
        + KERNEL.format(name="line", before="", after="").replace("\n ", "", 1),
    )
    blanks = " " * 20_000
    many = ", ".join(["int"] * 5_000)
    write(
        folder,
        "long.cu",
        "template <class... T>\n"
        + KERNEL.format(
            name="longest",
            before=f"/*{blanks}*/",
            after=f"/*{blanks}*/",
        )
        + "void launch(float *Out, const float *In) {\n"
        + f"  longest<{many}><<<1, 32>>>(Out, In);\n"
        + f"  longest<{many}, int><<<1, 32>>>(Out, In);\n"
        + "}\n",
    )


main()
