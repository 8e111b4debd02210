"""compare_times.py FIRST SECOND FACTOR < ACCESSES: the time of kernel SECOND over
that of FIRST, both with cold caches; fails where either is FACTOR times the other.
"""

import json
import sys

first, second, factor = sys.argv[1], sys.argv[2], float(sys.argv[3])
times = {}
for kernel in json.load(sys.stdin)["kernels"]:
    launches = [launch for launch in kernel["launches"] if launch["time"]]
    if launches:
        times[kernel["name"].split("(")[0]] = launches[0]["time"]["cold_ns"]
ratio = times[second] / times[first]
print(f"{second} / {first}: {ratio:.3f}")
sys.exit(not 1 / factor <= ratio <= factor)
