"""Compares rotations of one image: compare_rotations.py [--floats] RIGHT OTHERS...

Means are the same, or, of floats, agree to 1e-12 of themselves; eigenvalues agree
to 1e-9 of themselves, components to 1e-4 of their deviation.
"""

import array
import json
import math
import pathlib
import sys


def read(path):
    with open(path + ".json") as file:
        rotation = json.load(file)
    samples = array.array("f", pathlib.Path(path).read_bytes())
    bands = 20  # mnf's own default
    size = len(samples) // bands
    return rotation, [samples[k * size:(k + 1) * size] for k in range(bands)]


def deviation(values):
    mean = sum(values) / len(values)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))


floats = sys.argv[1] == "--floats"
names = sys.argv[2 if floats else 1:]
right, planes = read(names[0])
scales = [deviation(plane) for plane in planes]
failed = False
for path in names[1:]:
    other, others = read(path)
    eigen = max(abs(a / b - 1)
                for a, b in zip(other["eigenvalues"], right["eigenvalues"]))
    worst = max(max(abs(a - b) for a, b in zip(mine, theirs)) / scale
                for mine, theirs, scale in zip(planes, others, scales))
    means = max(abs(a - b) / abs(b) if a != b else 0
                for a, b in zip(other["means"], right["means"]))
    good = means <= (1e-12 if floats else 0) and eigen < 1e-9 and worst < 1e-4
    print(f"{pathlib.Path(path).name} {'agrees' if good else 'differs'}: "
          f"eigenvalues to {eigen:.1e}, components to {worst:.1e}")
    failed |= not good
sys.exit(failed)
