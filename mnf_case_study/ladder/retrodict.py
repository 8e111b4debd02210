#!/usr/bin/env python3
"""Holds the predicted gains of the paper's nine steps against the published ones.

Usage: retrodict.py [--warpwise=PROGRAM] [--gpu=NAME] [--image=SIZE]

Fang et al. (2017) optimised three kernels on a Tesla K20c in nine steps and printed
the times (Tables 5 to 7). The versions of gpu/ are written from their words, as the
paper prints no code. Each is priced with the literature profile of that GPU, which
knows nothing of these tables, and the quotients are compared. No GPU is needed.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import report

# ms of V0, V1 ... on a Tesla K20c, 224 bands.
PUBLISHED = {
    "614x1087": {
        "noise": [123.38, 25.96, 22.00, 20.88],
        "image covariance": [8262.08, 774.98, 750.53, 432.08, 269.42],
        "transformation": [137.38, 88.84, 67.99],
    },
    "753x1924": {
        "noise": [254.08, 57.89, 55.55, 44.97],
        "image covariance": [24163.80, 1692.44, 1649.07, 938.11, 626.61],
        "transformation": [298.27, 200.20, 158.67],
    },
    "781x6955": {
        "noise": [1011.15, 221.36, 206.18, 168.59],
        "image covariance": [163899.69, 6377.08, 6181.60, 3537.05, 2366.40],
        "transformation": [599.02, 413.20, 273.15],
    },
}


def predict(warpwise, gpu, image, step, version, folder):
    """The time of a version in ms, whether all of it is known, what it is bound by.

    Where the data decide how often a loop runs it is taken to run a usual number of
    times. Instantiations for other images are launched with sizes that nobody knows.
    """
    kind = report.STEPS[step]
    source = report.GPU / kind["folder"] / (version + ".cu")
    main = pathlib.Path(folder) / "Main.cu"
    main.write_text(report.main_of(source, kind["call"].format(version=version),
                                   image))
    run = subprocess.run([warpwise, "check", "--gpu=" + gpu, "--no-nvcc", "--quiet",
                          "--format=json", str(main)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"error: {source}: {run.stderr.strip()}")
    launched = [k for k in json.loads(run.stdout)["kernels"] if k["launches"]]
    whole = [k for k in launched if k["whole"]]
    timed = whole or [k for k in launched if k["bound_by"]]
    if not timed:
        return None
    slowest = max(timed, key=lambda k: k["time_ns"])
    milliseconds = sum(k["time_ns"] for k in timed) / 1e6
    return milliseconds, bool(whole), slowest["bound_by"]


def ranks(values):
    """The place of each; equal ones share theirs."""
    return [sum(other < value for other in values)
            + (sum(other == value for other in values) - 1) / 2 for value in values]


def correlation(xs, ys):
    """Spearman's."""
    xs, ys = ranks(xs), ranks(ys)
    middle = (len(xs) - 1) / 2
    return (sum((x - middle) * (y - middle) for x, y in zip(xs, ys))
            / math.sqrt(sum((x - middle) ** 2 for x in xs)
                        * sum((y - middle) ** 2 for y in ys)))


def print_steps(warpwise, gpu, image):
    print(f"\n{image}, {gpu}:\n")
    print("| step | what it changes | paper, ms | predicted, ms | paper's gain | "
          "predicted gain | direction | bound by, before and after |")
    print("|---|---|---|---|---:|---:|---|---|")
    pairs, unpriced = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for step, published in PUBLISHED[image].items():
            said = [predict(warpwise, gpu, image, step, f"V{i}", folder)
                    for i in range(len(published))]
            for i in range(len(published) - 1):
                change = report.STEPS[step]["versions"][f"V{i}"][0]
                paper = published[i] / published[i + 1]
                cells = [f"{step}, V{i} to V{i + 1}", change,
                         f"{published[i]:.4g} to {published[i + 1]:.4g}"]
                if not said[i] or not said[i + 1]:
                    unpriced += 1
                    cells += ["", f"{paper:.2f}", "not priced", "", ""]
                else:
                    (before, known, bound), (after, still_known, still_bound) = (
                        said[i:i + 2])
                    mine = before / after
                    pairs.append((paper, mine))
                    about = "" if known and still_known else "about "
                    cells += [f"{about}{before:.4g} to {after:.4g}",
                              f"{paper:.2f}", f"{about}{mine:.2f}",
                              "right" if (mine > 1) == (paper > 1) else "**wrong**",
                              f"{bound}; {still_bound}"]
                print("| " + " | ".join(cells) + " |")
    right = sum((mine > 1) == (paper > 1) for paper, mine in pairs)
    off = math.exp(sum(abs(math.log(m / p)) for p, m in pairs) / len(pairs))
    print(f"\ndirection right in {right} of {len(pairs) + unpriced}, "
          f"{unpriced} not priced; rank correlation {correlation(*zip(*pairs)):.2f}; "
          f"gains off by a factor of {off:.2f} in the geometric mean")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warpwise", default="build/dev/bin/warpwise")
    parser.add_argument("--gpu", default="tesla-k20c")
    parser.add_argument("--image", choices=list(PUBLISHED))
    options = parser.parse_args()
    for image in [options.image] if options.image else PUBLISHED:
        print_steps(options.warpwise, options.gpu, image)


if __name__ == "__main__":
    main()
