"""Prints the first extent of all grids of a document, a kernel a line."""

import json
import sys

with open(sys.argv[1]) as document:
    for kernel in json.load(document)["kernels"]:
        grids = [launch["grid"] for launch in kernel["launches"]]
        print(
            kernel["name"].split("(")[0].replace("void ", "") + ":",
            ", ".join(str(grid[0]) if grid else "unknown" for grid in grids),
        )
