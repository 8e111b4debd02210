# status.sh N COMMAND...: succeeds when the command exits with N.
Wanted=$1
shift
"$@" >/dev/null 2>&1
Status=$?
[ $Status -eq $Wanted ] || { echo "exit status $Status, not $Wanted" >&2; exit 1; }
