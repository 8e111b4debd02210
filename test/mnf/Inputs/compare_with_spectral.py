"""Recomputes a rotation with Spectral Python.

Usage: compare_with_spectral.py IMAGE.hdr ROTATED NOISE

NOISE is mean, median or shift, computed here with numpy apart from mnf. Exits
with 0 when the eigenvalues agree to 1e-9 and the components up to their sign.
"""

import json
import sys

import numpy
import spectral


def noise_of(image, kind):
    """Lines x samples x bands, the edges repeated."""
    if kind == "shift":
        right = numpy.concatenate([image[:, 1:], image[:, -2:-1]], axis=1)
        return image - right
    padded = numpy.pad(image, ((1, 1), (1, 1), (0, 0)), mode="edge")
    lines, samples, _ = image.shape
    window = numpy.stack([padded[y:y + lines, x:x + samples]
                          for y in range(3) for x in range(3)])
    if kind == "median":
        return image - numpy.median(window, axis=0).astype(image.dtype)
    return image - (window.sum(axis=0) / 9).astype(image.dtype)


def main():
    header, rotated, kind = sys.argv[1:]
    image = numpy.array(spectral.open_image(header).load(dtype="f8"))
    image = image.astype("i8")
    by_spectral = spectral.mnf(spectral.calc_stats(image.astype("f8")),
                               spectral.calc_stats(noise_of(image, kind).astype("f8")))
    theirs = by_spectral.napc.eigenvalues
    with open(rotated + ".json") as file:
        ours = json.load(file)
    error = numpy.max(numpy.abs(ours["eigenvalues"] / theirs - 1))
    print(f"eigenvalues differ by at most {error:.1e} of themselves")

    components = numpy.array(spectral.open_image(rotated + ".hdr").load())
    means = numpy.array(ours["means"])
    reduced = by_spectral.reduce(image.astype("f8"), num=components.shape[2])
    worst = 0
    for k in range(components.shape[2]):
        own = numpy.array(ours["transformation"][k])
        other = reduced[:, :, k]
        mine = components[:, :, k] - own @ means
        other = other * numpy.sign(numpy.sum(mine * other))
        worst = max(worst, numpy.max(numpy.abs(mine - other)) / other.std())
    print(f"components differ by at most {worst:.1e} of their deviation")
    return 0 if error < 1e-9 and worst < 1e-3 else 1


if __name__ == "__main__":
    sys.exit(main())
