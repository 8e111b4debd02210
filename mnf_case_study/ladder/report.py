#!/usr/bin/env python3
"""Joins what Warpwise says of each version with what was measured.

Usage: report.py [--warpwise=PROGRAM] [--gpu=h100] [--times=FILE.csv] [--image=SIZE]

Prints a table per step as Markdown. Each version is checked by itself, launched
with the shapes of the paper's first image, so the findings know how long a kernel
runs. No GPU is needed: the times are those of h100.csv or h200.csv beside this file.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GPU = HERE.parent / "gpu"
PROFILES = HERE.parent.parent / "profiler" / "profiles"

# What `check` leaves out below by default.
LEAST_GAIN = 1.05

# One launch of a version of each step.
MAIN = """#include "{source}"
#include "{gpu}/DeviceImage.h"
int main() {{
  constexpr int Samples = {samples}, Lines = {lines}, Bands = 224, Components = 20;
  constexpr int Pixels = Samples * Lines, Pitch = mnf::pitchOf(Samples, Lines);
  constexpr int ResultPitch = (Pixels + 511) / 512 * 512;
  uint8_t *Image;
  int16_t *Noise;
  int64_t *Products, *OfBands;
  float *Weights, *Result;
  void *Scratch;
  cudaMalloc(&Image, size_t(Bands) * Pitch);
  cudaMalloc(&Noise, 2 * size_t(Bands) * Pitch);
  cudaMalloc(&Products, sizeof(int64_t) * Bands * Bands);
  cudaMalloc(&OfBands, sizeof(int64_t) * Bands);
  cudaMalloc(&Weights, sizeof(float) * Bands * Components);
  cudaMalloc(&Result, sizeof(float) * Components * ResultPitch);
  cudaMalloc(&Scratch, 1 << 26);
  {call};
}}
"""

# What the step to the next version changes, the rule whose business that is (None:
# no rule knows it yet), and what the paper gained by it on its K20c (Tables 5 to 7,
# first image).
STEPS = {
    "noise": {
        "folder": "noise_filter",
        "call": "mnf::filterNoise{version}(Image, Noise, Samples, Lines, Bands, Pitch)",
        "versions": {
            "V0": ("the window leaves local memory", "local-array", 4.75),
            "V1": ("lines come through shared memory", None, 1.18),
            "V2": ("a thread walks down a column", "single-result", 1.05),
            "V3": ("words instead of bytes, two samples a register",
                   "narrow-access", None),
            "V4": ("two lines share what they load, additions on another pipe, "
                   "signed bytes", None, None),
            "V5": (None, None, None),
        },
    },
    "image covariance": {
        "folder": "covariance",
        "call": "mnf::addProducts{version}(Image, Products, Bands, Pixels, Pitch)",
        "versions": {
            "V0": ("lanes walk side by side", "uncoalesced-access", 10.66),
            "V1": ("sums leave shared memory for registers", "redundant-round-trip",
                   1.03),
            "V2": ("samples are shared by 16 x 16 elements", None, 1.74),
            "V3": ("rows begin in different banks", "bank-conflict", 1.60),
            "V4": ("words, 4 x 4 elements a thread, half a matrix",
                   "single-result", None),
            "V5": ("tensor cores, each sample is read once", None, None),
            "V6": ("wgmma, sums through a second kernel", None, None),
            "V7": ("bulk copies, one wide tile of sums", None, None),
            "V8": (None, None, None),
        },
    },
    "transformation": {
        "folder": "transformation",
        "call": "mnf::transform{version}(Image, Weights, Result, Bands, Components, "
                "Pixels, Pitch, ResultPitch)",
        "versions": {
            "V0": ("weights move to constant memory", None, 1.55),
            "V1": ("the image comes through shared memory, weights in order",
                   "constant-walk", 1.31),
            "V2": ("words, twenty components of four pixels a thread",
                   "narrow-access", None),
            "V3": ("tensor cores, weights of three digits", None, None),
            "V4": ("bulk copies, digits made in registers", None, None),
            "V5": (None, None, None),
        },
    },
}
CALLS = {  # Those that have other arguments than their step's others.
    ("noise", "V5"):
        "mnf::filterNoiseV5(Image, reinterpret_cast<int8_t *>(Noise), "
        "static_cast<mnf::WideChunks *>(Scratch), Samples, Lines, Bands, Pitch, Pitch)",
    ("image covariance", "V6"):
        "mnf::addProductsV6(Image, Products, OfBands, Bands, Pixels, Pitch)",
    ("image covariance", "V7"):
        "mnf::addProductsV7(Image, Products, OfBands, Bands, Pixels, Pitch, Scratch)",
    ("image covariance", "V8"):
        "mnf::addProductsV8(mnf::JobV8{Image, false, Products, OfBands, Pixels, Pitch},"
        " Bands, Scratch)",
}


def main_of(source, call, image="614x1087"):
    """A program that makes one launch of a version."""
    samples, lines = image.split("x")
    return MAIN.format(source=source, gpu=GPU, call=call, samples=samples, lines=lines)


def findings_of(warpwise, gpu, step, version, folder):
    """The findings in one version's own files, the best first."""
    kind = STEPS[step]
    source = GPU / kind["folder"] / (version + ".cu")
    call = CALLS.get((step, version), kind["call"].format(version=version))
    main = pathlib.Path(folder) / "Main.cu"
    main.write_text(main_of(source, call))
    run = subprocess.run([warpwise, "check", "--gpu=nvidia-" + gpu, "--min-gain=0",
                          "--format=json", str(main)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        sys.exit(f"error: {source}: {run.stderr.strip()}")
    found = json.loads(run.stdout)["findings"]
    # The image is bytes here; other instantiations are another story.
    found = [f for f in found if step == "noise" or
             any("short" not in kernel for kernel in f["found_in"])]
    return sorted(found, key=lambda f: -gain_of(f))


def gain_of(finding):
    return finding["gain"]["factor"] if finding["gain"] else 0


def pays(finding):
    """As `check` sees it: what is not priced may well pay."""
    return not finding["gain"] or gain_of(finding) >= LEAST_GAIN


def words(findings):
    texts = []
    for finding in filter(pays, findings):
        name = finding["rule"].removeprefix("cuda-memory-")
        gain = (f"{gain_of(finding):.2f} x" if finding["gain"] else "not priced")
        where = (f"of `{finding['object']}`" if finding["object"] else
                 f"at {pathlib.Path(finding['file']).name}:{finding['line']}")
        texts.append(f"`{name}` {where}: {gain}")
    return "<br>".join(texts) or "none"


def verdict(rule, mine, next_ones):
    """Whether the report named what the next version changes."""
    if rule is None:
        return "**no**"
    name = "cuda-memory-" + rule
    if not any(f["rule"] == name and pays(f) for f in mine):
        return "**no**"
    gone = not any(f["rule"] == name and pays(f) for f in next_ones)
    return "yes, and gone after it" if gone else "yes, but still there after it"


def versions_of(times, image, step):
    """Those of a step that were timed, in their order."""
    return [v for v in STEPS[step]["versions"] if (image, step, v) in times]


def print_ladder(warpwise, gpu, times, image):
    for step, kind in STEPS.items():
        print(f"\n### {step}\n")
        print("| version | ms | findings, with the predicted gain | what the next "
              "version changes | named? | measured gain | the paper's (K20c) |")
        print("|---|---:|---|---|---|---:|---:|")
        versions = versions_of(times, image, step)
        with tempfile.TemporaryDirectory() as folder:
            found = {v: findings_of(warpwise, gpu, step, v, folder)
                     for v in versions}
        for version, after in zip(versions, versions[1:] + [None]):
            change, rule, paper = kind["versions"][version]
            cells = [version, f"{times[image, step, version]:.3g}",
                     words(found[version])]
            if after:
                gain = times[image, step, version] / times[image, step, after]
                cells += [change, verdict(rule, found[version], found[after]),
                          f"{gain:.2f} x", f"{paper:.2f} x" if paper else ""]
            else:
                cells += [""] * 4
            print("| " + " | ".join(cells) + " |")


# How cuBLAS does a step: its call, and the copy of the image that it needs.
EXACT = "cublasGemmEx int8 in exact parts"
BLAS = {
    "noise + covariance": [(("noise covariance", EXACT), "noise as signed bytes")],
    "image covariance": [(("image covariance", EXACT), "convert to signed bytes"),
                         (("image covariance", "cublasGemmEx TF32"),
                          "convert to float"),
                         (("image covariance", "cublasSgemm"), "convert to float")],
    "transformation": [(("transformation", "cublasGemmEx of halves"),
                        "convert to half"),
                       None,
                       (("transformation", "cublasSgemm"), "convert to float")],
}


def print_yardsticks(times, bytes_per_ms):
    """The best versions beside cuBLAS, memory and one core, for each image."""
    print("\n### Yardsticks\n")
    print("| image | step | best version, ms | memory floor, ms | cuBLAS, as exact "
          "| cuBLAS, TF32 | cuBLAS, float | one core | one core / best |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    images = list(dict.fromkeys(i for i, _, _ in times if "x" in i))
    for image in images:
        samples, lines = map(int, image.split("x"))
        pixels = samples * lines
        for step, bytes_moved, serial in (
                ("noise + covariance", 224 * pixels,
                 ("noise", "noise covariance")),
                ("image covariance", 224 * pixels, ("image covariance",)),
                ("transformation", (224 + 4 * 20) * pixels, ("transformation",))):
            # cuBLAS's ways have names in small letters.
            best, mine = min(
                ((v, ms) for (i, s, v), ms in times.items()
                 if (i, s) == (image, step) and v != "serial" and "cublas" not in v),
                key=lambda one: one[1])
            core = sum(times[image, part, "serial"] for part in serial)
            cells = [image, step, f"{mine:.3g} ({best})",
                     f"{bytes_moved / bytes_per_ms:.3g}"]
            ways = BLAS[step] + [None] * (3 - len(BLAS[step]))
            cells += [f"{times[image, *way[0]]:.3g} "
                      f"+ {times[image, 'yardstick', way[1]]:.3g}" if way else ""
                      for way in ways]
            cells += [f"{core:.0f}", f"{core / mine:,.0f}"]
            print("| " + " | ".join(cells) + " |")

    print("\n### All four steps\n")
    print("| image | best versions, ms | cuBLAS, as exact, ms | cuBLAS / best | "
          "memory floor, ms | best / floor | one core, ms | one core / best |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for image in images:
        samples, lines = map(int, image.split("x"))
        # The image is read for the covariances and, when those are known, again.
        floor = (2 * 224 + 4 * 20) * samples * lines / bytes_per_ms
        mine, blas = (times[image, "chain", who] for who in ("best", "cuBLAS"))
        core = sum(times[image, step, "serial"]
                   for step in ("noise", "noise covariance", "image covariance",
                                "transformation"))
        print(f"| {image} | {mine:.3g} | {blas:.3g} | {blas / mine:.2f} x | "
              f"{floor:.3g} | {mine / floor:.1f} x | {core:,.0f} | "
              f"{core / mine:,.0f} |")


# What following the advisor alone leads to, by its remedies in the tables above,
# and the best version of the same design: ordinary cores, no tensor cores. No
# version of the noise's covariance takes words, so both have V4 there.
ADVISED = {"noise": ("V0", "V4", ("V4", "V5")),
           "noise covariance": ("V0", "V4", ("V4",)),
           "image covariance": ("V0", "V5", ("V4", "V5")),
           "transformation": ("V0", "V3", ("V0", "V1", "V2", "V3"))}


def print_advised(times, image):
    """How much of the gain of tuning by hand the advisor alone has."""
    print("\n### The advisor alone\n")
    print("| step | as it began, ms | advised, ms | best on ordinary cores, ms | "
          "gain, advised / best |")
    print("|---|---:|---:|---:|---:|")
    totals = [0, 0, 0]
    for step, (first, advised, others) in ADVISED.items():
        row = (times[image, step, first], times[image, step, advised],
               min(times[image, step, other] for other in others))
        totals = [a + b for a, b in zip(totals, row)]
        print(f"| {step} | {row[0]:.3g} | {row[1]:.3g} | {row[2]:.3g} | "
              f"{row[2] / row[1]:.0%} |")
    print(f"| all four | {totals[0]:.4g} | {totals[1]:.4g} | {totals[2]:.4g} | "
          f"{totals[2] / totals[1]:.0%} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--warpwise", default="build/dev/bin/warpwise")
    parser.add_argument("--gpu", choices=("h100", "h200"), default="h100")
    parser.add_argument("--times", type=pathlib.Path, help="by default GPU.csv")
    parser.add_argument("--image", default="614x1087")
    options = parser.parse_args()
    # What a copy moves, to and fro.
    profile = json.loads((PROFILES / f"nvidia-{options.gpu}.json").read_text())
    bytes_per_ms = 1e6 * profile["levels"]["dram"]["bandwidth_copy"]["value"]
    with (options.times or HERE / f"{options.gpu}.csv").open() as file:
        times = {(row["image"], row["step"], row["version"]):
                 float(row["median_ms"]) for row in csv.DictReader(file)}
    print_ladder(options.warpwise, options.gpu, times, options.image)
    print_yardsticks(times, bytes_per_ms)
    print_advised(times, options.image)


if __name__ == "__main__":
    main()
