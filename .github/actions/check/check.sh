#!/usr/bin/env bash
# Runs `warpwise check`. Its status becomes an output: the findings are uploaded
# before the job fails for them.
set -euo pipefail

# Values come from a workflow: none of them is ever part of a script.
mapfile -t paths < <(grep -v '^[[:space:]]*$' <<<"$WARPWISE_PATHS")
mapfile -t options < <(grep -v '^[[:space:]]*$' <<<"$WARPWISE_OPTIONS")
[ -z "$WARPWISE_DATABASE" ] || options+=(-p "$WARPWISE_DATABASE")
[ -z "$WARPWISE_GPU" ] || options+=("--gpu=$WARPWISE_GPU")
[ -z "$WARPWISE_BASELINE" ] || options+=("--baseline=$WARPWISE_BASELINE")

rm -f -- "$WARPWISE_OUTPUT"
said=$(mktemp)
status=0
warpwise check "${options[@]}" "--fail-on=$WARPWISE_FAIL_ON" --format=sarif \
  "--output=$WARPWISE_OUTPUT" "${paths[@]}" 2>"$said" || status=$?
cat "$said" >&2

{
  echo "status=$status"
  [ ! -f "$WARPWISE_OUTPUT" ] || echo "sarif=$WARPWISE_OUTPUT"
} >>"$GITHUB_OUTPUT"
{
  echo "### Warpwise"
  echo
  # Four spaces make a block of text of it, whatever it holds.
  sed 's/^/    /' "$said"
} >>"$GITHUB_STEP_SUMMARY"
rm -f -- "$said"
