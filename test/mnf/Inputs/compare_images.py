"""Compares float images with one of bytes: compare_images.py BYTES FLOATS..."""

import array
import math
import pathlib
import sys

before = pathlib.Path(sys.argv[1]).read_bytes()
for path in map(pathlib.Path, sys.argv[2:]):
    after = array.array("f", path.read_bytes())
    assert len(after) == len(before)
    differences = [a - b for a, b in zip(after, before)]
    deviation = math.sqrt(sum(d * d for d in differences) / len(differences))
    print(f"{path.name}: differs by at most {max(map(abs, differences)):.3f}")
    print(f"{path.name}: deviation {deviation:.3f}")
