//===- Fingerprint.cpp - What makes two kernels the same ------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Codegen/Schedule/Fingerprint.h"

#include "ew/Codegen/Schedule/Access.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ew;

namespace {
/// Writes a kernel so that equal text means equal kernels: values are numbers
/// in order of their definition.
class Writer {
public:
  explicit Writer(llvm::raw_ostream &os) : os(os) {}

  void write(linalg::GenericOp op);

private:
  void writeOperands(linalg::GenericOp op);
  void writeBlock(Block &block);
  void writeOp(Operation &op);
  unsigned numberOf(Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  }

  llvm::raw_ostream &os;
  llvm::DenseMap<Value, unsigned> numbers;
};
} // namespace

void Writer::writeOperands(linalg::GenericOp op) {
  auto bufferOf = [](Value value) {
    while (auto cast = value.getDefiningOp<tensor::CastOp>())
      value = cast.getSource();
    return value;
  };
  llvm::DenseMap<Value, unsigned> buffers;
  for (auto [operand, map] :
       llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    unsigned buffer =
        buffers.try_emplace(bufferOf(operand), buffers.size()).first->second;
    os << "operand " << operand.getType() << " " << map << " in " << buffer;
    if (isa<RankedTensorType>(operand.getType()))
      for (int64_t dim : getLayout(operand))
        os << " " << dim;
    os << "\n";
  }
}

void Writer::writeOp(Operation &op) {
  os << op.getName();
  for (Value operand : op.getOperands())
    os << " %" << numberOf(operand);
  // Sorted by name.
  for (NamedAttribute attr : op.getAttrDictionary())
    os << " " << attr.getName().getValue() << "=" << attr.getValue();
  for (Value result : op.getResults())
    os << " %" << numberOf(result) << ":" << result.getType();
  os << "\n";
  for (Region &region : op.getRegions())
    for (Block &block : region)
      writeBlock(block);
}

void Writer::writeBlock(Block &block) {
  os << "block";
  for (BlockArgument argument : block.getArguments())
    os << " %" << numberOf(argument) << ":" << argument.getType();
  os << "\n";
  for (Operation &op : block)
    writeOp(op);
}

void Writer::write(linalg::GenericOp op) {
  os << op.getNumDpsInputs() << " inputs\n";
  writeOperands(op);
  writeBlock(*op.getBody());
}

std::string ew::getFingerprint(linalg::GenericOp op, StringRef context) {
  std::string text = (context + "\n").str();
  llvm::raw_string_ostream os(text);
  Writer(os).write(op);
  llvm::SHA256 hash;
  hash.update(os.str());
  std::array<uint8_t, 32> digest = hash.final();
  // 128 bits tell all kernels apart that there will ever be.
  return llvm::toHex(llvm::ArrayRef(digest).take_front(16),
                     /*LowerCase=*/true);
}
