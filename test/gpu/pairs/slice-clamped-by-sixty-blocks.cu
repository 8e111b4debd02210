// Rule: cuda-memory-scalar-stream
// Sixty blocks of 1,024 threads clamp 8 MB in place, of a length that the
// compiler does not know, four bytes or sixteen bytes a lane at a time.
#include "ClampBySixtyBlocks.cuh"

int main() { clampBySixtyBlocks("slice-clamped-by-sixty-blocks", 2097152); }
