#!/usr/bin/env bash
# Installs EW from its build into a folder of its own, builds the consumer
# against that, and runs it.
# usage: run.sh SOURCE_DIR BUILD_DIR CXX_COMPILER
set -euo pipefail
source=$1 build=$2 compiler=$3
work=$build/consumer
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"

# The package has to stand without the folders that it was made from.
if grep -rl -e "$source" -e "$build" "$work/prefix/lib/cmake" "$work/prefix/include"; then
  echo "the files above name EW's source or build folder"
  exit 1
fi
cmake -S "$source/test/consumer" -B "$work/build" -G Ninja \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" \
  -DEW_DIR="$work/prefix/lib/cmake/ew" >"$work/configure.log"
ninja -C "$work/build"
output=$(EW_TUNE_DB= "$work/build/consumer")
echo "$output"
[[ $output == *"computed 3 elements"*"parsed 2 ew operations"*"func.func @f"* ]]
output=$("$work/build/passes")
echo "$output"
[[ $output == *"cf.assert"*"linalg.generic"*"ew.gelu"* ]]
[[ $("$work/build/runtime") == "cpu: 4x4xf32" ]]
"$work/prefix/bin/ew-opt" --version
