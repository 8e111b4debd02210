"""The pairs of this folder, and which half each belongs to."""

import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Pair:
    name: str
    rule: str
    source: pathlib.Path
    options: list  # for `warpwise accesses`: what data decides
    half: str  # "tuned" or "aside"


def all_pairs():
    aside = set((HERE / "SetAside.txt").read_text().split())
    pairs = []
    for source in sorted(HERE.glob("*.cu")):
        said = dict(line[3:].split(": ", 1)
                    for line in source.read_text().splitlines()
                    if line.startswith(("// Rule: ", "// Options: ")))
        pairs.append(Pair(source.stem, said["Rule"], source,
                          said.get("Options", "").split(),
                          "aside" if source.stem in aside else "tuned"))
    return pairs
