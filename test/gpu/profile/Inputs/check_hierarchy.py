#!/usr/bin/env python3
"""Whether the figures of a profile are in the order that every GPU has.

  check_hierarchy.py PROFILE.json
"""

import sys

from quantities import quantities, report

# Each is smaller than the next.
ORDERS = [
    ["levels.register.latency", "levels.shared.latency", "levels.l2.latency"],
    ["levels.l1.latency", "levels.l2.latency", "levels.dram.latency"],
    ["levels.sector", "levels.l1.line", "levels.l1.capacity", "levels.l2.capacity"],
    ["levels.dram.bandwidth_read", "levels.l2.bandwidth", "levels.l1.bandwidth"],
    ["levels.dram.bandwidth_copy", "levels.l2.bandwidth", "levels.shared.bandwidth"],
]


def main():
    found = quantities(sys.argv[1])
    problems = []
    for order in ORDERS:
        missing = [p for p in order if found.get(p, {}).get("value") is None]
        problems += [f"{path} was not measured" for path in missing]
        if missing:
            continue
        for small, large in zip(order, order[1:]):
            if not 0 < found[small]["value"] < found[large]["value"]:
                problems.append(
                    f"{small} is {found[small]['value']}, "
                    f"{large} is {found[large]['value']}"
                )
    for path, quantity in found.items():
        if quantity["status"] == "not-measurable" and not quantity.get("method"):
            problems.append(f"{path} has no reason")
    return report(problems)


if __name__ == "__main__":
    sys.exit(main())
