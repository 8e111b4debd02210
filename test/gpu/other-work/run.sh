#!/usr/bin/env bash
# run.sh WARPWISE_PROFILE [KIND ...]: measures a GPU alone and beside other work
# and says what became of it, one line a run. See README.md.
set -u
tool=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -arch=native -o "$work/other" "$here/OtherWork.cu" || exit 1
export XDG_DATA_HOME=$work XDG_RUNTIME_DIR=$work
wrong=0

# profile NAME EXPECTED OPTION...: the exit status, whether a file is there, what
# was marked and what was said.
profile() {
  local name=$1 expected=$2 file=$work/$1.json start=$EPOCHREALTIME rc
  shift 2
  timeout 100 "$tool" profile --quick --output="$file" "$@" \
    > "$work/$name.out" 2> "$work/$name.err"
  rc=$?
  local written=no marked=no verdict=right
  seconds=$(echo "$start $EPOCHREALTIME" | awk '{ printf "%.1f", $2 - $1 }')
  [ -s "$file" ] && written=yes
  grep -qs '"disturbed"' "$file" && marked=yes
  [ "$rc,$written,$marked" = "$expected" ] || { verdict=WRONG; wrong=1; }
  echo "$verdict: $name: exit $rc, written $written, marked $marked, $seconds s:" \
    "$(grep -E 'error:|warning:' "$work/$name.err" | head -2 | cut -c1-230)"
}

# beside KIND SECONDS COMMAND...: while the GPU has other work.
beside() {
  "$work/other" "$1" "$2" > "$work/ready" &
  local other=$!
  until [ -s "$work/ready" ]; do sleep 0.05; done
  sleep 1
  "${@:3}"
  kill $other 2> /dev/null
  wait $other 2> /dev/null
}

kinds=${*:-kernels one half rare to-gpu from-gpu on-gpu}
profile alone 0,yes,no
alone=$seconds
for kind in $kinds; do
  beside "$kind" 100 profile "beside-$kind" 1,no,no
done
beside half 100 profile forced 0,yes,yes --force

# Other work that begins when a run is under way. What is rare may be missed.
for kind in $kinds; do
  [ "$kind" = rare ] && continue
  (
    sleep "$(awk "BEGIN { print $alone / 2 }")"
    exec "$work/other" "$kind" 60
  ) > /dev/null &
  other=$!
  profile "late-$kind" 1,no,no
  kill $other 2> /dev/null
  wait $other 2> /dev/null
done

# Two at once: the second one refuses, the first one goes on.
profile first 0,yes,no > "$work/first" &
sleep 1.5
profile second 1,no,no
wait $!
cat "$work/first"
exit $wrong
