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

#include "StrictOp.h"

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

LogicalResult
ew::detail::verifyPropertyNames(Attribute given, ArrayRef<StringRef> known,
                                function_ref<InFlightDiagnostic()> emitError) {
  auto dictionary = dyn_cast<DictionaryAttr>(given);
  if (!dictionary)
    return success(); // which is told of where it is read
  for (NamedAttribute attribute : dictionary) {
    StringRef name = attribute.getName().getValue();
    if (!llvm::is_contained(known, name))
      return emitError() << "there is no attribute '" << name << "'"
                         << suggest(name, known);
  }
  return success();
}

ParseResult ew::detail::emitGivenTwice(OpAsmParser &parser, StringRef name) {
  return parser.emitError(parser.getNameLoc())
         << "has '" << name
         << "' in its own syntax, and in its attribute dictionary once more";
}
