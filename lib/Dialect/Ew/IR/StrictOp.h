//===- StrictOp.h - Ops that leave no attribute out -------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_LIB_DIALECT_EW_IR_STRICTOP_H
#define EW_LIB_DIALECT_EW_IR_STRICTOP_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

namespace ew {

namespace detail {
mlir::LogicalResult
verifyPropertyNames(mlir::Attribute given,
                    llvm::ArrayRef<llvm::StringRef> known,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
mlir::ParseResult emitGivenTwice(mlir::OpAsmParser &parser,
                                 llvm::StringRef name);
} // namespace detail

/// An op as the dialect registers it: the op that it derives from, whose TypeID
/// it has, but that attributes which MLIR's parser would leave out are errors.
/// When an op is verified nothing is left of them.
///
/// - One that the op's own syntax has, and the attribute dictionary once more:
///   the dictionary would win.
/// - A name in the properties of the generic form that is none of the op's.
///
/// `"ew.elu"(%x) <{alpha = 0.5}> {alpha = 0.1}` stays as it is with MLIR's ops:
/// when the properties come, what the dictionary gave cannot be told from what
/// a caller of setPropertiesFromAttribute means to replace.
template <typename Op>
struct StrictOp : Op {
  explicit StrictOp(mlir::Operation *op) : Op(op) {}

  static mlir::ParseResult parse(mlir::OpAsmParser &parser,
                                 mlir::OperationState &state) {
    if (Op::parse(parser, state))
      return mlir::failure();
    if constexpr (Op::hasProperties()) {
      auto &own = state.getOrAddProperties<typename Op::Properties>();
      for (mlir::NamedAttribute attribute : state.attributes)
        if (auto set = Op::getInherentAttr(parser.getContext(), own,
                                           attribute.getName());
            set && *set)
          return detail::emitGivenTwice(parser, attribute.getName());
    }
    return mlir::success();
  }

  /// A template, since an op without attributes has no properties either.
  template <typename Properties>
  static mlir::LogicalResult setPropertiesFromAttr(
      Properties &properties, mlir::Attribute given,
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
    if (failed(detail::verifyPropertyNames(given, Op::getAttributeNames(),
                                           emitError)))
      return mlir::failure();
    return Op::setPropertiesFromAttr(properties, given, emitError);
  }
};

} // namespace ew

namespace mlir::detail {
template <typename Op>
class TypeIDResolver<ew::StrictOp<Op>> : public TypeIDResolver<Op> {};
} // namespace mlir::detail

#endif // EW_LIB_DIALECT_EW_IR_STRICTOP_H
