#!/usr/bin/env bash
# Brings C++ into the form that .clang-format describes.
set -euo pipefail

usage() {
  cat <<'USAGE'
Usage: scripts/format.sh [--check] [FILE...]

Without files, all C++ of the tree.

  --check   change nothing; say what differs, and fail if anything does

CLANG_FORMAT names the program (default: clang-format-22). Other versions break lines
elsewhere.
USAGE
}

mode=(-i)
files=()
for argument in "$@"; do
  case $argument in
  --check) mode=(--dry-run -Werror) ;;
  -h | --help) usage; exit 0 ;;
  -*) echo "format: error: unknown option '$argument'" >&2; usage >&2; exit 2 ;;
  *) files+=("$argument") ;;
  esac
done

program=${CLANG_FORMAT:-clang-format-22}
if ! command -v "$program" >/dev/null; then
  echo "format: error: no $program; on Debian: apt-get install clang-format-22" >&2
  exit 1
fi
style=$(cd "$(dirname "$0")/.." && pwd)
if [ ${#files[@]} = 0 ]; then
  cd "$style"
  mapfile -d '' files < <(find benchmarks examples include lib test tools utils \
    \( -name '*.cpp' -o -name '*.h' \) -print0)
fi
exec "$program" --style="file:$style/.clang-format" "${mode[@]}" "${files[@]}"
