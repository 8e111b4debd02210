"""The pairs of this folder, and which of them are set aside."""

import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Pair:
    name: str
    rule: str
    source: pathlib.Path
    options: list  # for `warpwise accesses`: what data decides
    part: str  # "tuned" or "aside"


def all_pairs():
    aside = set((HERE / "SetAside.txt").read_text().split())
    pairs = []
    for source in sorted(HERE.glob("*.cu")):
        def said(key):
            return [line.removeprefix(key)
                    for line in source.read_text().splitlines()
                    if line.startswith(key)]

        pairs.append(Pair(source.stem, said("// Rule: ")[0], source,
                          said("// Options: "),
                          "aside" if source.stem in aside else "tuned"))
    return pairs
