# complete.sh SCRIPT WORD...: what bash offers for the last word.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_warpwise
printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ $//'
echo
