"""The pairs of this folder, and what part each is in.

Those below as-advised carry out what `check` says of the `before` of another
pair, whose own `after` tries something else.
"""

import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Pair:
    name: str
    rule: str
    source: pathlib.Path
    options: list  # for `warpwise accesses`: what data decides
    part: str  # "tuned", "aside" or "advised"


def all_pairs():
    aside = set((HERE / "SetAside.txt").read_text().split())
    pairs = []
    for source in sorted(HERE.glob("**/*.cu")):
        def said(key):
            return [line.removeprefix(key)
                    for line in source.read_text().splitlines()
                    if line.startswith(key)]

        name, part = source.stem, "tuned"
        if source.parent != HERE:
            name, part = f"{source.stem}-as-advised", "advised"
        elif name in aside:
            part = "aside"
        pairs.append(Pair(name, said("// Rule: ")[0], source,
                          said("// Options: "), part))
    return pairs
