//===- AttributeNames.cpp - Which attributes ew ops have ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Dialect/Ew/IR/AttributeNames.h"
#include "ew/Dialect/Ew/IR/ErrorBound.h"
#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Dialect/Ew/IR/Mode.h"
#include "ew/Support/Suggest.h"

using namespace mlir;
using namespace ew;

LogicalResult ew::detail::verifyAttributeNames(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName().getValue();
    if (name.contains('.') || name.starts_with("_"))
      continue;
    SmallVector<StringRef> known;
    for (StringAttr own : op->getName().getAttributeNames())
      known.push_back(own.getValue());
    // Those that any op may have, without their prefix.
    size_t prefix = EwDialect::getDialectNamespace().size() + 1;
    for (StringRef ofDialect : {kModeAttr, kErrorBoundAttr})
      known.push_back(ofDialect.drop_front(prefix));
    StringRef meant = findClosest(name, known);
    bool isOwn = llvm::is_contained(op->getName().getAttributeNames(), meant);
    InFlightDiagnostic error = op->emitOpError("has no attribute '")
                               << name << "'";
    if (meant.empty())
      return error << "; those of other dialects begin with a prefix, as in "
                      "'dialect."
                   << name << "'";
    return error << "; did you mean '"
                 << (isOwn ? "" : EwDialect::getDialectNamespace())
                 << (isOwn ? "" : ".") << meant << "'?";
  }
  return success();
}
