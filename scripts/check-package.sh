#!/usr/bin/env bash
# Makes the package and tries it as a machine without LLVM would see it: nothing
# of LLVM or CUDA is found through the environment, and no shared object but
# glibc's and the package's own is loaded.
# usage: check-package.sh [PATH...]: tests to run from it, by default all
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
-h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' scripts/check-package.sh; exit 0 ;;
-*) echo "check-package: error: unknown option '$1'" >&2; exit 2 ;;
esac
mkdir -p build
fail() { echo "check-package: error: $*" >&2; exit 1; }

cmake --preset package >build/configure-package.log 2>&1 ||
  { cat build/configure-package.log; fail "configuring failed"; }
ninja -C build/package package
archive=$(ls -t dist/ew-*-linux-x86_64.tar.xz | head -1)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tar -C "$scratch" -xf "$archive"
root=$(echo "$scratch"/ew-*)

outside=$(env -i ldd "$root/bin/ew" |
  grep -vE "$root/|linux-vdso|/(libc|libm)\.so\.6|/libmvec\.so\.1|/ld-linux-x86-64\.so\.2" || true)
[ -z "$outside" ] || fail "bin/ew loads from outside of the package: $outside"
newest=$(find "$root/bin" "$root/lib" -type f -exec readelf -V {} + | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
[ "$(printf 'GLIBC_2.36\n%s\n' "$newest" | sort -V | tail -1)" = GLIBC_2.36 ] ||
  fail "needs $newest; at most GLIBC_2.36"
exported=$(readelf --dyn-syms -W "$root/bin/ew" |
  awk '$7 != "UND" && $5 != "LOCAL" && $8 ~ /llvm|mlir/' | head -3)
[ -z "$exported" ] || fail "LLVM's symbols are visible: $exported"

# The name that it is called by, or its first argument, says which tool it is.
"$root/bin/ew" --help | grep -q ew-opt || fail "ew --help doesn't list the tools"
cmp <("$root/bin/ew" ew-opt --version) <("$root/bin/ew-opt" --version) ||
  fail "ew ew-opt isn't ew-opt"
status=0
"$root/bin/ew" no-such-tool 2>/dev/null || status=$?
[ $status -eq 2 ] || fail "an unknown tool's exit code is $status, not 2"

paths=("$@")
[ ${#paths[@]} -gt 0 ] || paths=(.)
env -i PATH=/usr/bin:/bin HOME="$scratch" CUDA_HOME="${CUDA_HOME:-}" \
  "$root/run-tests" -j "$(nproc)" "${paths[@]}"
