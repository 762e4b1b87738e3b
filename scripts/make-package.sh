#!/usr/bin/env bash
# Lays out the package and compresses it; `ninja package` calls this.
# usage: make-package.sh SOURCE_DIR BUILD_DIR VERSION TOOLS...
set -euo pipefail
case ${1:-} in
-h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;;
esac
[ $# -ge 4 ] || { echo 'usage: make-package.sh SOURCE_DIR BUILD_DIR VERSION TOOLS...' >&2; exit 2; }
source=$1 build=$2 version=$3
shift 3
# How hard xz tries: 6 for what others get; 1 takes an eighth of the time and is a sixth larger.
level=${EW_PACKAGE_LEVEL:-6}
limit=$((25 * 1024 * 1024))

name=ew-$version-linux-x86_64
stage=$build/package/$name
archive=$source/dist/$name.tar.xz
fail() { echo "make-package: error: $*" >&2; exit 1; }

rm -rf "$stage"
mkdir -p "$stage"/{bin,lib,licenses,share/ew/test-tools} "$source/dist"
cp "$build/static/bin/ew" "$stage/bin/"
for tool in "$@"; do
  ln -s ew "$stage/bin/$tool"
done

# LGPL libraries and the OpenMP runtime: the shared objects bin/ew asks for.
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
libraries=$(needed "$stage/bin/ew")
while [ -n "$libraries" ]; do
  next=
  for library in $libraries; do
    case $library in
    libc.so.6 | libm.so.6 | libmvec.so.1 | ld-linux-x86-64.so.2) continue ;; # glibc
    libmpfr.so.6 | libgmp.so.10 | libomp.so.5) ;;
    *) fail "bin/ew needs $library, which the package may not hold" ;;
    esac
    [ ! -e "$stage/lib/$library" ] || continue
    file=/usr/lib/x86_64-linux-gnu/$library
    [ -e "$file" ] || file=/usr/lib/llvm-22/lib/$library
    cp -L "$file" "$stage/lib/$library"
    next+=" $(needed "$file")"
  done
  libraries=$next
done

doc=/usr/share/doc
gunzip -cf <"$doc/llvm-22/copyright" >"$stage/licenses/llvm"
cp "$doc/libgcc-s1/copyright" "$stage/licenses/gcc"
cp "$doc/libgmp10/copyright" "$stage/licenses/gmp"
cp "$doc/libmpfr6/copyright" "$stage/licenses/mpfr"
cp "$doc/libzstd1/copyright" "$stage/licenses/zstd"
cp "$doc/zlib1g/copyright" "$stage/licenses/zlib"
cp "$doc/libsqlite3-dev/copyright" "$stage/licenses/sqlite"
cp /usr/share/common-licenses/{LGPL-3,GPL-3} "$stage/licenses/"
cp "$source/LICENSE" "$stage/"
cp "$source/docs/ThirdParty.md" "$stage/"
[ ! -e "$source/README.md" ] || cp "$source/README.md" "$stage/"

cp -r "$source/examples" "$stage/examples"
# The tests' folder has the same neighbours as in the source tree.
ln -s ../../examples ../../README.md "$stage/share/ew/"
cp -r "$build/docs" "$stage/share/ew/reference"
[ ! -d "$source/benchmarks" ] || cp -r "$source/benchmarks" "$stage/share/ew/benchmarks"
cp -r "$source/test" "$stage/share/ew/test"
cp "$build/ops.json" "$stage/share/ew/ops.json"
rm -rf "$stage"/share/ew/test/{Unit,Fuzz,Differential,consumer,CMakeLists.txt,lit.*}
find "$stage/share" -name __pycache__ -prune -exec rm -rf {} +
install -m 755 "$source/scripts/run-tests.py" "$stage/share/ew/run-tests"
ln -s share/ew/run-tests "$stage/run-tests"
ln -s ../../../bin/ew "$stage/share/ew/test-tools/FileCheck"
install -m 755 "$source"/scripts/test-tools/* "$stage/share/ew/test-tools/"

tar -C "$build/package" --owner=0 --group=0 --sort=name -cf - "$name" |
  xz "-$level" -T0 --block-size=32MiB >"$archive.part"
mv "$archive.part" "$archive"
size=$(stat -c %s "$archive")
echo "$archive: $size bytes"
[ "$size" -lt "$limit" ] || fail "the package is $size bytes; the limit is $limit"
