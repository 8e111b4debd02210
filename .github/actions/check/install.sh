#!/usr/bin/env bash
# Puts `warpwise` on the path of the steps that follow, unless it is there.
set -euo pipefail

if command -v warpwise >/dev/null; then
  echo "warpwise is there: $(command -v warpwise)"
  exit
fi
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
if [ -n "$WARPWISE_PACKAGE" ]; then
  "${as_root[@]}" apt-get update -q
  # With a slash, so that it is taken for a file.
  "${as_root[@]}" apt-get install -q -y "$(realpath -- "$WARPWISE_PACKAGE")"
  exit
fi
# As root, because ./dev installs what is missing.
"${as_root[@]}" "$WARPWISE_SOURCES/dev" build
realpath -- "$WARPWISE_SOURCES/build/dev/bin" >>"$GITHUB_PATH"
