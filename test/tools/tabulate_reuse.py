#!/usr/bin/env python3
"""Sets predictions of `warpwise reuse` beside measured launches, as Markdown.

  tabulate_reuse.py --truth polybench_cache.csv --reuse OUT [--only-misses]

OUT is what run_reuse.py left. Prints one row for each measured launch, then
mean absolute errors (and the largest), of all launches and of the 18 kernels
that the seed was validated with (Kiani and Rajabzadeh 2018, Table 4), beside
the errors that it published for a GTX 970. --only-misses leaves out launches
whose errors are all below 0.5 points and 2 %.
"""

import argparse
import csv
import glob
import json
import os

# Program, and the beginnings of its kernels' names.
SEED_KERNELS = {
    "2DCONV": [""],
    "2MM": ["mm2_kernel1"],
    "3DCONV": [""],
    "ATAX": [""],
    "BICG": [""],
    "CORR": ["corr_kernel"],
    "COVAR": ["covar_kernel"],
    "FDTD-2D": [""],
    "GESUMMV": [""],
    "GRAMSCHM": ["gramschmidt_kernel3"],
    "MVT": [""],
    "SYR2K": [""],
    "SYRK": [""],
}
PUBLISHED = {"L1": 3.72, "L2": 4.5, "loads": 15.0, "L2 reads": 11.9}
COUNTS = {
    "loads": ("l1_global_load_sectors", "l1_load_sectors"),
    "stores": ("l1_global_store_sectors", "l1_store_sectors"),
    "L2 reads": ("l2_read_sectors_from_l1", "l2_read_sectors"),
    "DRAM": ("dram_read_sectors", "dram_read_sectors"),
}


def shape(text):
    return [int(part) for part in text.split("x")]


def load(folder):
    said = []
    for name in sorted(glob.glob(os.path.join(folder, "**", "*.json"), recursive=True)):
        with open(name) as file:
            document = json.load(file)
        for launch in document["launches"]:
            said.append(dict(launch, program=document.get("program")))
    return said


def answer(row, said):
    for launch in said:
        if (
            launch["mangled"] == row["kernel_mangled"]
            and launch["program"] in (None, row["program"])
            and launch["grid"] == shape(row["grid"])
            and launch["block"] == shape(row["block"])
            and launch["invocation"] in (None, int(row["invocation"]))
            and launch["status"] != "not-modelled"
        ):
            return launch
    return None


def compare(row, launch):
    """Errors, and measured and predicted hit rates in per cent."""
    rates = {
        "L1": (float(row["l1_read_hit_rate_pct"] or 0), 100 * launch["l1_read_hit_rate"]),
        "L2": (
            min(100.0, float(row["l2_read_from_l1_hit_rate_pct"] or 0)),
            100 * launch["l2_read_hit_rate"],
        ),
    }
    errors = {name: told - seen for name, (seen, told) in rates.items()}
    for name, (column, key) in COUNTS.items():
        measured = float(row[column] or 0)
        if measured and launch.get(key) is not None:
            errors[name] = 100 * (launch[key] / measured - 1)
    return rates, errors


def is_seed_kernel(row):
    if row["invocation"] != "1":
        return False
    starts = SEED_KERNELS.get(row["program"], [])
    return any(row["kernel"].startswith(start) for start in starts)


def print_means(title, errors):
    print(f"\n{title}: {len(errors)} launches\n")
    print("| mean absolute error | mean | largest | seed, GTX 970 |\n|---|---:|---:|---:|")
    for name in ["L1", "L2", *COUNTS]:
        values = [abs(each[name]) for each in errors if name in each]
        if values:
            unit = "points" if name in ("L1", "L2") else "%"
            mean = sum(values) / len(values)
            print(f"| {name}, {unit} | {mean:.2f} | {max(values):.2f} | "
                  f"{PUBLISHED.get(name, '')} |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--truth", required=True)
    parser.add_argument("--reuse", required=True)
    parser.add_argument("--only-misses", action="store_true")
    args = parser.parse_args()
    said = load(args.reuse)
    everything, of_seed, missing = [], [], []
    print("| launch | L1 hits | L2 hits | loads | stores | L2 reads | DRAM |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with open(args.truth) as file:
        for row in csv.DictReader(file):
            kernel = row["kernel"].split("(")[0].removeprefix("void ")
            name = f"{row['program']} `{kernel}` {row['invocation']}"
            launch = answer(row, said)
            if not launch:
                missing.append(name)
                continue
            rates, errors = compare(row, launch)
            everything.append(errors)
            if is_seed_kernel(row):
                of_seed.append(errors)
            large = any(abs(errors[k]) >= 0.5 for k in ("L1", "L2")) or any(
                abs(errors.get(k, 0)) >= 2 for k in ("loads", "stores", "L2 reads")
            )
            if args.only_misses and not large:
                continue
            cells = [f"{seen:.2f} / {told:.2f}" for seen, told in rates.values()]
            cells += [f"{errors[k]:+.1f} %" if k in errors else "" for k in COUNTS]
            print(f"| {name} | " + " | ".join(cells) + " |")
    print_means("All", everything)
    if of_seed:
        print_means("The seed's kernels and sizes", of_seed)
    for name in missing:
        print(f"\nNot modelled: {name}")


if __name__ == "__main__":
    main()
