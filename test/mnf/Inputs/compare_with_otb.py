"""Compares a rotation with Orfeo ToolBox's NA-PCA by canonical correlations.

Usage: compare_with_otb.py IMAGE.hdr ROTATED MATRIX COMPONENTS

ROTATED is by `mnf rotate --noise=mean`, MATRIX by otbcli_DimensionalityReduction
with -method napca and all components. OTB takes the mean of the eight neighbours off
a sample, which is 9/8 of what the mean of the whole window leaves.

The transformation is found in two steps: bands are made such that the noise is white,
and then rotated such that the image's covariance is diagonal. OTB 8.1 does the first
one right; for the second it takes F' C^-1 F, with F the first, for the inverse of
F' C F, which it is only if F is orthogonal, so its components remain correlated. Hence
two comparisons: what OTB made white, rotated here, has to span what mnf's components
span; for OTB's own components the correlations are printed.
"""

import json
import sys

import numpy
import spectral


def canonical_correlations(image, left, right):
    """Of the components that two transformations make of an image."""
    bases = [numpy.linalg.qr(image @ rows.T)[0] for rows in (left, right)]
    return numpy.linalg.svd(bases[0].T @ bases[1])[1]


def main():
    header, rotated, matrix, count = sys.argv[1:]
    image = numpy.array(spectral.open_image(header).load(dtype="f8"))
    image = image.reshape(-1, image.shape[2])
    image -= image.mean(axis=0)
    with open(rotated + ".json") as file:
        ours = numpy.array(json.load(file)["transformation"])
    theirs = numpy.loadtxt(matrix)
    covariance = numpy.cov(image.T)

    # Two transformations that make the same noise white differ by a rotation.
    between = theirs @ numpy.linalg.inv(ours)
    scale = numpy.trace(between @ between.T) / len(between)
    white = numpy.abs(between @ between.T / scale - numpy.eye(len(between))).max()
    print(f"the noise differs by at most {white:.0e}, its scale is {scale ** -0.5:.6f}")

    values, turn = numpy.linalg.eigh(theirs @ covariance @ theirs.T)
    theirs_turned = turn[:, ::-1].T @ theirs
    worst = 1.0
    for components in range(1, int(count) + 1):
        turned, own = (
            canonical_correlations(image, ours[:components], of[:components])
            for of in (theirs_turned, theirs)
        )
        worst = min(worst, turned.min())
        print(f"{components} components: least correlation {turned.min():.6f}"
              f" (as OTB rotates them: {own.max():.4f} to {own.min():.4f})")
    return 0 if white < 1e-5 and abs(scale ** -0.5 - 9 / 8) < 1e-5 and worst > 0.999999 else 1


if __name__ == "__main__":
    sys.exit(main())
