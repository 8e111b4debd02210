"""Fails unless a file is a PNG of a size: check_png.py FILE WIDTH HEIGHT."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    head = file.read(24)
assert head[:8] == b"\x89PNG\r\n\x1a\n" and head[12:16] == b"IHDR"
assert struct.unpack(">II", head[16:24]) == (int(sys.argv[2]), int(sys.argv[3]))
