#!/usr/bin/env python3
"""Whether a profile predicted what it was not fitted to, in the time it may take.

  check_validation.py PROFILE.json

Latencies and cycles: 2 % in the median and 5 % at the 95th percentile. Misses:
1 %. All benchmarks together: 120 s.
"""

import sys

from quantities import quantities, report

LIMITS = {
    "validation.latency.median_error": 0.02,
    "validation.latency.p95_error": 0.05,
    "validation.requests.median_error": 0.02,
    "validation.requests.p95_error": 0.05,
    "validation.misses.median_error": 0.01,
    "validation.misses.p95_error": 0.01,
}


def main():
    found = quantities(sys.argv[1])
    problems = []
    for path, limit in LIMITS.items():
        value = found.get(path, {}).get("value")
        if value is None or value > limit:
            problems.append(f"{path} is {value}, may be {limit}")
    seconds = [q["value"] for p, q in found.items() if p.startswith("run.seconds.")]
    if not seconds or sum(seconds) > 120:
        problems.append(f"the benchmarks took {sum(seconds):.0f} s")
    return report(problems)


if __name__ == "__main__":
    sys.exit(main())
