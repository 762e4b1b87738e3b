#!/usr/bin/env bash
# Builds the fuzz targets and runs each of them for a while, over the seeds that
# its CMake entry names and what earlier runs have found.
# usage: fuzz.sh SECONDS [TARGET...]
#
# A crash with a frame of EW's on its stack is a failure. One without, in
# LLVM's own parser, say, is listed and kept: it is for upstream.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
-h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' scripts/fuzz.sh; exit 0 ;;
'' | *[!0-9]*) echo 'usage: fuzz.sh SECONDS [TARGET...]' >&2; exit 2 ;;
esac
seconds=$1
shift
jobs=$(nproc)
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-22/bin/llvm-symbolizer

mkdir -p build
cmake --preset asan >build/configure-asan.log 2>&1 || { cat build/configure-asan.log; exit 1; }
ninja -C build/asan -j "$jobs" fuzzers
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets <build/asan/fuzz/targets

failures=0
upstream=0
running=
trap '[ -z "$running" ] || kill "$running"; exit 143' TERM
for target in "${targets[@]}"; do
  work=build/asan/fuzz-runs/$target
  mkdir -p "$work/corpus" "$work/crashes"
  rm -f "$work"/crashes/*
  mapfile -t patterns <"build/asan/fuzz/$target.seeds"
  seeds=$work/seeds
  rm -rf "$seeds"
  mkdir -p "$seeds"
  for pattern in "${patterns[@]}"; do
    number=0
    while read -r -d '' file; do
      number=$((number + 1))
      cp "$file" "$seeds/$number-$(basename "$file")"
    done < <(find test examples -name "$pattern" -size -16k -print0)
  done
  echo "---- $target: $(find "$seeds" -type f | wc -l) seeds, $seconds s"
  "build/asan/fuzz/$target" "$work/corpus" "$seeds" \
    -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=8192 \
    -fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 \
    -artifact_prefix="$work/crashes/" >"$work/log" 2>&1 &
  running=$!
  wait "$running" || true
  running=
  grep -E 'cov: ' "$work/log" | tail -1 || { tail -20 "$work/log"; failures=$((failures + 1)); }

  for crash in "$work"/crashes/*; do
    [ -e "$crash" ] || continue
    if "build/asan/fuzz/$target" -timeout=20 -rss_limit_mb=4096 "$crash" >"$work/one.log" 2>&1; then
      echo "does not crash when run alone: $crash"
      continue
    fi
    where=$(grep -E '^ *#[0-9]+ ' "$work/one.log" | grep -v 'LLVMFuzzerTestOneInput\|fuzzer::' | sed 's/^ *#[0-9]* 0x[0-9a-f]* //' | head -4)
    if grep -qE '^ *#[0-9]+ .* ew::|/ew/|^ew::roundtrip' "$work/one.log" || [ -z "$where" ]; then
      failures=$((failures + 1))
      echo "CRASH in EW: $crash"
      tail -40 "$work/one.log"
    else
      upstream=$((upstream + 1))
      echo "crash in upstream code: $crash"
      sed 's/^/    /' <<<"$where"
    fi
  done
done
echo "${#targets[@]} targets, $failures failures of EW, $upstream in upstream code"
[ $failures -eq 0 ]
