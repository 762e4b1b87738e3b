#!/usr/bin/env bash
# Takes a fresh Debian 12 (x86-64) to a build of EW, and from there to a first
# kernel or through every test. Installs only what is missing; safe to run again.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: scripts/bootstrap.sh demo|test|build|deps [options]

  demo   build, then compile, run, check and time examples/mul_sin_exp.mlir
         (on the GPU where there is one, else on the CPU)
  test   build, then run every test
  build  build only
  deps   install what is missing only

options:
  --asan          test: also the unit tests under address and UB sanitizers
  --fuzz=SECONDS  test: also run every fuzz target for that long (60 in CI)
  --programs=N    test: also run N random programs on every device and compare (2000 in CI)
  --package       test: also make the package and try it without LLVM
  --no-install    never call the package manager; take what is there
  -j N            jobs (default: the number of cores)

The build is in build/dev. CCACHE_DIR and CUDA_HOME are respected.
USAGE
}

packages=(
  ca-certificates ccache clang-22 clang-format-22 cmake git libbenchmark-dev libgtest-dev
  libmlir-22-dev libmpfr-dev libomp-22-dev libsqlite3-dev libzstd-dev llvm-22-dev llvm-22-tools mlir-22-tools
  mold ninja-build python3 python3-matplotlib xz-utils zlib1g-dev
)
asan_packages=(libclang-rt-22-dev)

fail() { echo "bootstrap: error: $*" >&2; exit 1; }
bad_usage() { echo "bootstrap: error: $*" >&2; usage >&2; exit 2; }

# step NAME COMMAND...: runs a command under a heading and notes how long it took.
timings=()
step() {
  local name=$1 begin=$SECONDS status=0
  shift
  echo
  echo "==== $name"
  "$@" || status=$?
  timings+=("$(printf '%6d s  %s' $((SECONDS - begin)) "$name")")
  if [ $status -ne 0 ]; then
    timings[-1]+="  FAILED"
    return $status
  fi
}

# begin NAME COMMAND...: a step beside those that follow, until `finish`, which
# shows what it printed.
beside= beside_pid=
begin() {
  beside=$1
  shift
  (
    begin=$SECONDS status=0
    "$@" || status=$?
    echo $((SECONDS - begin)) >build/beside.seconds
    exit $status
  ) >build/beside.log 2>&1 &
  beside_pid=$!
}
finish() {
  local status=0
  echo
  echo "==== $beside (began earlier)"
  wait "$beside_pid" || status=$?
  beside_pid=
  cat build/beside.log
  timings+=("$(printf '%6d s  %s, beside others' "$(cat build/beside.seconds)" "$beside")")
  if [ $status -ne 0 ]; then
    timings[-1]+="  FAILED"
  fi
  return $status
}

report_timings() {
  [ "$BASHPID" = $$ ] || return 0 # the step beside others, when it is stopped
  [ -z "$beside_pid" ] || kill "$beside_pid" 2>/dev/null || true
  [ ${#timings[@]} -eq 0 ] && return
  echo
  echo "==== time taken"
  printf '%s\n' "${timings[@]}"
}
trap report_timings EXIT

check_system() {
  local os=unknown version= arch
  arch=$(uname -m)
  if [ -r /etc/os-release ]; then
    os=$(. /etc/os-release && echo "${ID:-unknown}")
    version=$(. /etc/os-release && echo "${VERSION_ID:-}")
  fi
  [ "$(uname -s)" = Linux ] || os=$(uname -s)
  if [ "$arch" = x86_64 ] && [ "$os" = debian ] && [ "$version" = 12 ]; then
    return
  fi
  cat >&2 <<MESSAGE
bootstrap: error: this is $os $version on $arch; EW is built on Debian 12 on x86_64.
What you can do:
  - build in a container:
      docker run --rm -it -v "\$PWD:/ew" -w /ew debian:12 scripts/bootstrap.sh ${command:-demo}
  - on another x86_64 Linux, install LLVM and MLIR 22, clang 22, CMake 3.22, Ninja,
    mold, ccache, MPFR, SQLite, GoogleTest and OpenMP yourself, and build with
      cmake --preset dev -DMLIR_DIR=.../lib/cmake/mlir -DLLVM_DIR=.../lib/cmake/llvm
      ninja -C build/dev
  - run the package made by 'ninja package': it needs only an x86_64 Linux with
    glibc 2.36, and for GPUs NVIDIA's driver.
MESSAGE
  exit 1
}

installed() {
  [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]
}

install_missing() {
  local package missing=() sudo=()
  for package in "${packages[@]}"; do
    installed "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    echo "nothing is missing"
    return
  fi
  echo "missing: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      fail "not root and no sudo. Let an administrator run: apt-get install ${missing[*]}"
    sudo=(sudo)
  fi
  "${sudo[@]}" apt-get -qq update ||
    echo "bootstrap: warning: apt-get update reported errors; trying the lists that are there" >&2
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null ||
    fail "installing failed. LLVM 22 is in Debian 12's security archive: is bookworm-security among the sources of apt?"
}

configure() { cmake --preset "$1" >"build/configure-$1.log" 2>&1 || { cat "build/configure-$1.log"; return 1; }; }
build() { ninja -C "build/$1" -j "$jobs" "${@:2}"; }

run_demo() {
  local run=(build/dev/bin/ew-run examples/mul_sin_exp.mlir
    --input=67108864xf32=random:-3:3 --input=67108864xf32=random:-3:3
    --check --time)
  echo "\$ ${run[*]}"
  "${run[@]}"
}

# Every kind of test runs, even after one has failed; the exit code tells.
run_tests() {
  local failed=()
  if [ -n "$asan" ]; then
    step "sanitizers: configure" configure asan || failed+=("asan configure")
    step "sanitizers: build" build asan check-ew-unit-deps ${fuzz:+fuzzers} || failed+=("asan build")
  fi
  if [ -n "$fuzz" ]; then
    # One process at a time, for minutes: beside everything else.
    begin "fuzz targets, $fuzz s each" scripts/fuzz.sh "$fuzz"
  fi
  if [ -n "$asan" ]; then
    step "sanitizers: unit tests" run_ctest asan || failed+=("asan unit tests")
  fi
  if [ -n "$package" ]; then
    # Not single passes and numerics once more: the objects are those of the other build. Nor the
    # smallest archive: this one is only to be tried.
    step "package" env EW_PACKAGE_LEVEL=1 scripts/check-package.sh Dialect Examples \
      Integration/CPU/shapes.test Integration/CPU/workloads.test Pipelines Tools ||
      failed+=(package)
  fi
  step "lit" build dev check-ew-lit || failed+=(lit)
  step "unit tests" run_ctest dev || failed+=("unit tests")
  if [ -n "$programs" ]; then
    step "$programs random programs" run_programs || failed+=(programs)
  fi
  if [ -n "$fuzz" ]; then
    finish || failed+=(fuzz)
  fi
  if [ ${#failed[@]} -ne 0 ]; then
    fail "failed: ${failed[*]}"
  fi
}

# On the devices that are there.
run_programs() {
  local devices=cpu,emulated
  if [ -e /dev/nvidiactl ]; then devices+=,cuda; fi
  build/dev/bin/ew-fuzz --programs="$programs" --jobs="$jobs" --device="$devices" --keep=build/ew-fuzz-failures
}

run_ctest() {
  ctest --test-dir "build/$1" -j "$jobs" --output-on-failure --no-tests=error
}

command=
asan= fuzz= programs= package= install=yes
jobs=$(nproc 2>/dev/null || echo 2)
while [ $# -gt 0 ]; do
  case $1 in
  demo | test | build | deps)
    [ -z "$command" ] || bad_usage "one command at a time: $command or $1"
    command=$1
    ;;
  --asan) asan=yes packages+=("${asan_packages[@]}") ;;
  --fuzz=[0-9]*) fuzz=${1#--fuzz=} packages+=("${asan_packages[@]}") ;;
  --programs=[0-9]*) programs=${1#--programs=} ;;
  --package) package=yes ;;
  --no-install) install= ;;
  -j)
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || bad_usage "-j needs a number"
    jobs=$2
    shift
    ;;
  -h | --help) usage && exit 0 ;;
  *) bad_usage "unknown argument: $1" ;;
  esac
  shift
done
[ -n "$command" ] || bad_usage "no command"

cd "$(dirname "$0")/.."
if [ -n "$install" ]; then
  check_system
  step "install what is missing" install_missing
fi
[ "$command" != deps ] || exit 0
mkdir -p build
# One cache of compiled files serves clones in any folder.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
step "configure" configure dev
case $command in
build) step "build" build dev ;;
demo)
  step "build" build dev ew-opt ew-run
  step "demo: exp(sin(x * y)) over 2^26 values" run_demo
  ;;
test)
  step "build" build dev
  run_tests
  ;;
esac
