//===- Kernels.cpp - Small kernels for tests ------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace ew::runtime;

std::string test::kernel(const std::string &name, const std::string &params,
                         const std::string &body) {
  std::string packed = "define void @_ew_packed_" + name + "(ptr %args) {\n";
  std::string call;
  llvm::SmallVector<llvm::StringRef> list;
  llvm::StringRef(params).split(list, ", ");
  for (auto [i, param] : llvm::enumerate(list)) {
    std::string n = std::to_string(i), type = param.split(' ').first.str();
    packed += "  %s" + n + " = getelementptr ptr, ptr %args, i64 " + n +
              "\n  %p" + n + " = load ptr, ptr %s" + n + "\n  %v" + n +
              " = load " + type + ", ptr %p" + n + "\n";
    call += (i ? ", " : "") + type + " %v" + n;
  }
  packed += "  call void @" + name + "(" + call + ")\n  ret void\n}\n";
  return "define void @" + name + "(" + params + ") {\n" + body + "}\n" +
         packed;
}

std::string test::compile(const std::string &ir) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(ir, diagnostic, context);
  if (!module) {
    diagnostic.print("test kernel", llvm::errs());
    std::abort();
  }
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "generic", "", {}, llvm::Reloc::PIC_));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    std::abort();
  passes.run(*module);
  return object.str().str();
}

std::string test::addKernel() {
  return kernel("add", "ptr %a, ptr %b, ptr %out, i64 %n, i64 %begin, i64 %end",
                R"(
entry:
  %first = mul i64 %begin, 4
  %last = mul i64 %end, 4
  %less = icmp slt i64 %last, %n
  %stop = select i1 %less, i64 %last, i64 %n
  br label %head
head:
  %i = phi i64 [%first, %entry], [%next, %body]
  %more = icmp slt i64 %i, %stop
  br i1 %more, label %body, label %done
body:
  %pa = getelementptr float, ptr %a, i64 %i
  %pb = getelementptr float, ptr %b, i64 %i
  %po = getelementptr float, ptr %out, i64 %i
  %va = load float, ptr %pa
  %vb = load float, ptr %pb
  %sum = fadd float %va, %vb
  store float %sum, ptr %po
  %next = add i64 %i, 1
  br label %head
done:
  ret void
)");
}

std::string test::addStridedKernel() {
  return kernel("add_strided",
                "ptr %a, ptr %b, ptr %out, i64 %n0, i64 %n1, i64 %sa0, "
                "i64 %sa1, i64 %sb0, i64 %sb1, i64 %so0, i64 %so1, "
                "i64 %begin, i64 %end",
                R"(
entry:
  %first = mul i64 %begin, 4
  %last = mul i64 %end, 4
  %n = mul i64 %n0, %n1
  %less = icmp slt i64 %last, %n
  %stop = select i1 %less, i64 %last, i64 %n
  br label %head
head:
  %i = phi i64 [%first, %entry], [%next, %body]
  %more = icmp slt i64 %i, %stop
  br i1 %more, label %body, label %done
body:
  %x = udiv i64 %i, %n1
  %y = urem i64 %i, %n1
  %a0 = mul i64 %x, %sa0
  %a1 = mul i64 %y, %sa1
  %ia = add i64 %a0, %a1
  %b0 = mul i64 %x, %sb0
  %b1 = mul i64 %y, %sb1
  %ib = add i64 %b0, %b1
  %o0 = mul i64 %x, %so0
  %o1 = mul i64 %y, %so1
  %io = add i64 %o0, %o1
  %pa = getelementptr float, ptr %a, i64 %ia
  %pb = getelementptr float, ptr %b, i64 %ib
  %po = getelementptr float, ptr %out, i64 %io
  %va = load float, ptr %pa
  %vb = load float, ptr %pb
  %sum = fadd float %va, %vb
  store float %sum, ptr %po
  %next = add i64 %i, 1
  br label %head
done:
  ret void
)");
}

SizeExpr test::dimOf(uint32_t argument, int64_t dim) {
  SizeExpr size;
  size.kind = SizeExpr::Kind::Dim;
  size.a = argument;
  size.value = dim;
  return size;
}

SizeExpr test::constant(int64_t value) {
  SizeExpr size;
  size.value = value;
  return size;
}

Program test::addProgram(std::vector<int64_t> shape) {
  static const std::string object = compile(addKernel() + addStridedKernel());
  Program program;
  program.target = Target::CPU;
  program.modules = {{CodeKind::Object, "add", object}};
  Plan &plan = program.plan;
  plan.function = "f";
  plan.numArguments = 2;

  Value x, y, out;
  out.kind = Value::Kind::Temporary;
  Operand operand;
  operand.access = "dense";
  operand.wide = true;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    // Two entries: x's size, which is also the loop's and the result's, and
    // y's.
    for (uint32_t argument : {0u, 1u})
      plan.sizes.push_back(size < 0 ? dimOf(argument, dim) : constant(size));
    x.shape.push_back(2 * dim);
    y.shape.push_back(2 * dim + 1);
    out.shape.push_back(2 * dim);
    operand.dimOfLoop.push_back(dim);
    if (size < 0)
      plan.checks.push_back(
          {uint32_t(2 * dim), uint32_t(2 * dim + 1), true,
           "operands of 'ew.add' differ in dimension " + std::to_string(dim),
           "f.mlir:3:8"});
  }
  plan.values = {x, y, out};
  plan.results = {2};

  Launch launch;
  launch.name = "f_0_add";
  launch.location = "f.mlir:3:8";
  launch.loops = out.shape;
  launch.collapse = {int64_t(shape.size())};
  if (shape.empty())
    launch.collapse.clear();
  launch.numInputs = 2;
  for (uint32_t value = 0; value < 3; ++value) {
    operand.value = value;
    launch.operands.push_back(operand);
  }
  using Kind = KernelArg::Kind;
  Variant dense;
  dense.kernel = "add";
  dense.module = 0;
  dense.contiguous = true;
  dense.block = 1;
  dense.elementsPerBlock = 4;
  for (uint32_t i = 0; i < 3; ++i)
    dense.args.push_back({Kind::Pointer, i, 0, 64});
  Variant any = dense;
  dense.args.push_back({Kind::Count, 0, 0, 64});
  Variant wide = dense;
  wide.alignment = 16;
  wide.indexWidth = 32;
  launch.variants = {wide, dense};
  if (shape.size() == 2) {
    any.kernel = "add_strided";
    any.contiguous = false;
    for (uint32_t dim : {0u, 1u})
      any.args.push_back({Kind::Size, 0, dim, 64});
    for (uint32_t i = 0; i < 3; ++i)
      for (uint32_t dim : {0u, 1u})
        any.args.push_back({Kind::Stride, i, dim, 64});
    launch.variants.push_back(any);
  }
  plan.launches = {launch};
  return program;
}
