// Rule: cuda-memory-scalar-stream
// Sixty blocks of 1,024 threads clamp 64 MB in place, of a length that the
// compiler does not know, four bytes or sixteen bytes a lane at a time.
#include "ClampBySixtyBlocks.cuh"

int main() { clampBySixtyBlocks("volume-clamped-by-sixty-blocks", 16777216); }
