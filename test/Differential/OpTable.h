//===- OpTable.h - The ops that programs are made of ------------*- C++ -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_TEST_DIFFERENTIAL_OPTABLE_H
#define EW_TEST_DIFFERENTIAL_OPTABLE_H

#include "ew/Dialect/Ew/IR/Ew.h"
#include "ew/Runtime/ElementType.h"
#include <map>
#include <string>
#include <vector>

namespace ew::fuzz {

using runtime::ElementType;

/// One way to use an elementwise op: its types and attributes.
struct Signature {
  mlir::OperationName name;
  std::vector<ElementType> operands;
  ElementType result;
  mlir::NamedAttrList attributes;
  /// Whether a library computes it (an f64 function): its bits may differ from
  /// one device to another.
  bool fromLibrary = false;
};

/// An op and, by the type of its last operand, its signatures.
struct OpEntry {
  std::string name;
  std::map<ElementType, std::vector<unsigned>> byType;
};

/// Every elementwise op that the dialect has registered, on every type that its
/// verifier accepts, with every attribute: nothing is listed by hand.
class OpTable {
public:
  explicit OpTable(mlir::MLIRContext *context);

  const std::vector<OpEntry> &getOps() const { return ops; }
  const Signature &operator[](unsigned index) const {
    return signatures[index];
  }
  /// Casts from one type to another; between complex numbers and others, what
  /// makes them of parts and the other way.
  const std::vector<unsigned> &getConversions(ElementType from,
                                              ElementType to) const;
  /// The signature of the same op and types without optional attributes.
  unsigned getPlain(unsigned index) const;
  /// The op of a signature, as an index into getOps().
  unsigned getOp(unsigned index) const { return opOf[index]; }

  /// The types that programs have, and their IR types.
  const std::vector<ElementType> &getTypes() const { return types; }
  mlir::Type getIRType(ElementType type) const { return irTypes.at(type); }
  /// Ops of the dialect that no elementwise signature was found for.
  const std::vector<std::string> &getOthers() const { return others; }

private:
  void addOp(mlir::RegisteredOperationName name);
  using AttributeChoice =
      std::pair<mlir::StringAttr, std::vector<mlir::Attribute>>;
  std::vector<AttributeChoice>
  findAttributes(mlir::RegisteredOperationName name, unsigned arity) const;
  void addSignature(OpEntry &entry, Signature signature,
                    llvm::ArrayRef<AttributeChoice> attributes);
  bool isValid(Signature &signature) const;

  mlir::MLIRContext *context;
  std::vector<ElementType> types;
  std::map<ElementType, mlir::Type> irTypes;
  std::vector<mlir::Attribute> candidates; // of attributes
  std::vector<Signature> signatures;
  std::vector<unsigned> opOf;
  std::vector<OpEntry> ops;
  std::vector<std::string> others;
  std::map<std::pair<ElementType, ElementType>, std::vector<unsigned>>
      conversions;
};

} // namespace ew::fuzz

#endif // EW_TEST_DIFFERENTIAL_OPTABLE_H
