//===- Library.cpp - Functions of libm and libdevice ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include <limits>

using namespace mlir;
using namespace ew;
using namespace ew::math;

static V callF64(StringRef name, ArrayRef<V> args) {
  Emitter &e = args.front().e();
  std::string prefixed = ("__nv_" + name).str();
  return e.call(e.target == Target::NVPTX ? StringRef(prefixed) : name,
                e.getF64Type(), args);
}

V ew::math::libraryF64(StringRef name, V x) { return callF64(name, x); }

namespace {

/// A signalling NaN must not differ from others, but does in libm's pow and
/// hypot.
static V quiet(V x) {
  return select(isNan(x), x.splat(std::numeric_limits<double>::quiet_NaN()), x);
}

template <const char *name>
static V emitF64(Emitter &, const Call &c) {
  SmallVector<V> args(c.args.begin(), c.args.end());
  if (args.size() > 1)
    for (V &arg : args)
      arg = quiet(arg);
  return callF64(name, args);
}

/// The library's cube root with a step of Newton's method in twice the
/// precision.
static V emitCbrtF64(Emitter &, const Call &c) {
  V x = c.args[0];
  // Where parts of the root's cube would be subnormal, or it an infinity.
  V isSmall = lt(abs(x), 0x1p-800), isLarge = gt(abs(x), 0x1p900);
  V scaled = x * select(isSmall, x.splat(0x1p600),
                        select(isLarge, x.splat(0x1p-600), 1.0));
  V y = libraryF64("cbrt", scaled);
  V square = y * y;
  V squareLow = fma(y, y, -square);
  V cube = square * y;
  V cubeLow = fma(squareLow, y, fma(square, y, -cube));
  V refined = y - ((cube - scaled) + cubeLow) / (square * 3.0);
  V isOrdinary =
      gt(abs(y), 0) & lt(abs(y), std::numeric_limits<double>::infinity());
  V result = select(isOrdinary, refined, y);
  return result * select(isSmall, x.splat(0x1p-200),
                         select(isLarge, x.splat(0x1p200), 1.0));
}

/// The exponent apart, and the library's logarithm of a fraction from sqrt(1/2)
/// to sqrt(2): libdevice's own is off at powers of two, where it has to be
/// exact.
static V emitLog2F64(Emitter &e, const Call &c) {
  V x = c.args[0];
  V isOrdinary = gt(x, 0) & lt(x, std::numeric_limits<double>::infinity());
  V isSubnormal = lt(x, 0x1p-1022);
  V b = bits(x * select(isSubnormal, x.splat(0x1p54), 1.0));
  V k = sar(b - b.splatInt(0x3FE6A09E667F3BCD), 52);
  V fraction = fromBits(b - (k << 52), x.element());
  V exponent =
      fromSigned(k, x.element()) - select(isSubnormal, x.splat(54.0), 0.0);
  V log = libraryF64("log2", select(isOrdinary, fraction, x));
  return select(isOrdinary, exponent + log, log);
}

/// f32 through f64: the library's error vanishes in the rounding, and 0.51
/// units remain.
template <const char *name>
static V emitThroughF64(Emitter &e, const Call &c) {
  SmallVector<V> wide;
  for (V arg : c.args)
    wide.push_back(extendFloat(arg, e.getF64Type()));
  return truncateFloat(callF64(name, wide), e.getF32Type());
}

#define EW_LIBRARY_NAME(name) static constexpr char name##Name[] = #name
EW_LIBRARY_NAME(exp);
EW_LIBRARY_NAME(exp2);
EW_LIBRARY_NAME(expm1);
EW_LIBRARY_NAME(log);
EW_LIBRARY_NAME(log2);
EW_LIBRARY_NAME(log10);
EW_LIBRARY_NAME(log1p);
EW_LIBRARY_NAME(sin);
EW_LIBRARY_NAME(cos);
EW_LIBRARY_NAME(tan);
EW_LIBRARY_NAME(asin);
EW_LIBRARY_NAME(acos);
EW_LIBRARY_NAME(atan);
EW_LIBRARY_NAME(sinh);
EW_LIBRARY_NAME(cosh);
EW_LIBRARY_NAME(tanh);
EW_LIBRARY_NAME(asinh);
EW_LIBRARY_NAME(acosh);
EW_LIBRARY_NAME(atanh);
EW_LIBRARY_NAME(erf);
EW_LIBRARY_NAME(erfc);
EW_LIBRARY_NAME(cbrt);
EW_LIBRARY_NAME(pow);
EW_LIBRARY_NAME(atan2);
EW_LIBRARY_NAME(hypot);
#undef EW_LIBRARY_NAME

/// `bound` is the larger of what glibc and NVIDIA state for f64.
template <typename Op, const char *name>
static void addFunction(Implementations &table, double bound = 2.0) {
  table.add<Op>({F64, Everywhere, bound, 100, emitF64<name>});
  table.add<Op>({F32, Everywhere, 0.51, 200, emitThroughF64<name>});
}

} // namespace

void ew::math::addLibrary(Implementations &table) {
  addFunction<ExpOp, expName>(table);
  addFunction<Exp2Op, exp2Name>(table);
  addFunction<Expm1Op, expm1Name>(table);
  addFunction<LogOp, logName>(table);
  table.add<Log2Op>({F64, Everywhere, 2.0, 110, emitLog2F64});
  table.add<Log2Op>({F32, Everywhere, 0.51, 200, emitThroughF64<log2Name>});
  addFunction<Log10Op, log10Name>(table);
  addFunction<Log1pOp, log1pName>(table);
  addFunction<SinOp, sinName>(table);
  addFunction<CosOp, cosName>(table);
  addFunction<TanOp, tanName>(table);
  addFunction<AsinOp, asinName>(table);
  addFunction<AcosOp, acosName>(table);
  addFunction<AtanOp, atanName>(table);
  addFunction<SinhOp, sinhName>(table);
  addFunction<CoshOp, coshName>(table);
  addFunction<TanhOp, tanhName>(table, 3.0);
  addFunction<AsinhOp, asinhName>(table, 3.0);
  addFunction<AcoshOp, acoshName>(table, 3.0);
  addFunction<AtanhOp, atanhName>(table);
  addFunction<ErfOp, erfName>(table);
  addFunction<ErfcOp, erfcName>(table, 5.0);
  addFunction<CbrtOp, cbrtName>(table);
  table.add<CbrtOp>({F64, Everywhere, 1.0, 90, emitCbrtF64});
  addFunction<PowOp, powName>(table);
  addFunction<Atan2Op, atan2Name>(table);
  addFunction<HypotOp, hypotName>(table);
}
