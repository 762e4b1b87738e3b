//===- LibraryF32.cpp - libdevice's functions in f32 ----------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a CUDA program computes with, for comparisons of speed and accuracy:
// taken only with `library`, whatever the bound. Activation functions, which
// libdevice does not have, are composed of it in the usual way, cancellations
// included.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include <cmath>

using namespace mlir;
using namespace ew;
using namespace ew::math;

static V callF32(StringRef name, ArrayRef<V> args) {
  Emitter &e = args.front().e();
  return e.call(("__nv_" + name + "f").str(), e.getF32Type(), args);
}

static V expOf(V x) { return callF32("exp", x); }
static V tanhOf(V x) { return callF32("tanh", x); }
static V log1pOf(V x) { return callF32("log1p", x); }
static V expm1Of(V x) { return callF32("expm1", x); }

/// sqrt.rn, as which libdevice's is compiled.
static V squareRoot(V x) { return math::sqrt(x); }
static V sigmoid(V x) { return 1.0 / (expOf(-x) + 1.0); }
static V silu(V x) { return x / (expOf(-x) + 1.0); }
static V logSigmoid(V x) {
  return select(lt(x, 0), x, 0.0) - log1pOf(expOf(-abs(x)));
}
static V softplus(V x) { return select(gt(x, 20.0), x, log1pOf(expOf(x))); }
static V mish(V x) { return x * tanhOf(log1pOf(expOf(x))); }
static V selu(V x) {
  return select(gt(x, 0), x, expm1Of(x) * 1.6732632423543772) *
         1.0507009873554805;
}
static V softsign(V x) { return x / (abs(x) + 1.0); }
static V hardSigmoid(V x) {
  return minimum(maximum(x + 3.0, x.splat(0.0)), x.splat(6.0)) * (1.0 / 6);
}
static V hardSwish(V x) { return x * hardSigmoid(x); }

static V emitGelu(Emitter &, const Call &c) {
  V x = c.args[0];
  if (cast<GeluOp>(c.op).getApproximate() != GeluApproximation::tanh)
    return x * 0.5 * (callF32("erf", x * M_SQRT1_2) + 1.0);
  V inner = (x + x * x * x * 0.044715) * std::sqrt(2 / M_PI);
  return x * 0.5 * (tanhOf(inner) + 1.0);
}
static V emitElu(Emitter &, const Call &c) {
  V x = c.args[0];
  return select(gt(x, 0), x,
                expm1Of(x) * cast<EluOp>(c.op).getAlpha().convertToDouble());
}
static V emitCelu(Emitter &, const Call &c) {
  V x = c.args[0];
  double alpha = roundParameter(cast<CeluOp>(c.op).getAlpha(), x);
  return select(gt(x, 0), x, expm1Of(x / alpha) * alpha);
}

/// The function whose name is the op's.
static V emitByName(Emitter &, const Call &c) {
  StringRef name = c.op->getName().stripDialect();
  return callF32(name, SmallVector<V>(c.args.begin(), c.args.end()));
}

void ew::math::addLibraryF32(Implementations &table) {
  auto add = [&](auto op, Emit emit) {
    Implementation implementation{F32, OnNVPTX, /*bound=*/0, /*cost=*/0, emit};
    implementation.library = true;
    table.add<decltype(op)>(implementation);
  };
  add(ExpOp(), emitByName), add(Exp2Op(), emitByName),
      add(Expm1Op(), emitByName);
  add(LogOp(), emitByName), add(Log2Op(), emitByName),
      add(Log10Op(), emitByName);
  add(Log1pOp(), emitByName), add(SinOp(), emitByName),
      add(CosOp(), emitByName);
  add(TanOp(), emitByName), add(AsinOp(), emitByName),
      add(AcosOp(), emitByName);
  add(AtanOp(), emitByName), add(SinhOp(), emitByName),
      add(CoshOp(), emitByName);
  add(TanhOp(), emitByName), add(AsinhOp(), emitByName),
      add(AcoshOp(), emitByName);
  add(AtanhOp(), emitByName), add(ErfOp(), emitByName),
      add(ErfcOp(), emitByName);
  add(CbrtOp(), emitByName), add(SqrtOp(), emit<squareRoot>),
      add(RsqrtOp(), emitByName);
  add(PowOp(), emitByName);
  add(Atan2Op(), emitByName), add(HypotOp(), emitByName);
  add(SigmoidOp(), emit<sigmoid>), add(SiluOp(), emit<silu>);
  add(LogSigmoidOp(), emit<logSigmoid>), add(SoftplusOp(), emit<softplus>);
  add(MishOp(), emit<mish>), add(SeluOp(), emit<selu>),
      add(SoftsignOp(), emit<softsign>);
  add(HardSigmoidOp(), emit<hardSigmoid>), add(HardSwishOp(), emit<hardSwish>);
  add(GeluOp(), emitGelu), add(EluOp(), emitElu), add(CeluOp(), emitCelu);
}
