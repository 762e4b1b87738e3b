//===- Passes.td - Passes from kernels to code -------------*- tablegen -*-===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EW_CODEGEN_PASSES_TD
#define EW_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def EwSchedule : Pass<"ew-schedule"> {
  let summary = "Decide how each kernel walks its iteration space";
  let description = [{
    Attaches an `ew.schedule` to every elementwise `linalg.generic`: collapses the loops
    that every operand walks alike, classifies the operands' accesses, and asks the policy
    (`Policy.h`) for threads of a block, elements of a thread, and the variants to compile: versions of the kernel for
    different buffers and sizes, of which the host launches the first that holds. Later passes only read the attribute.

    What a program may say of it:

    - `ew.layout = array<i64: ...>` on a function's argument is the order of its dimensions in memory, outermost first
      (default: row-major);
    - `ew.schedule_choice = "block=128,unroll=2"` on a `linalg.generic` gives numbers in place of the policy's for that
      kernel, the option `choice` for every kernel;
    - a `linalg.generic` that has an `ew.schedule` keeps it, unless `choice` is given or it is of the other kind of device.

    A `linalg.generic` of which no kernel can be made, such as a reduction, is left as it is, unless it holds ew ops or
    attributes of kernels: then it is an error.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"gpu\"", "gpu or cpu">,
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"", "The GPU">,
    Option<"vectorBytes", "vector-bytes", "unsigned", /*default=*/"64",
           "Bytes of the CPU's vector registers (64: AVX-512, 32: AVX2)">,
    Option<"choice", "choice", "std::string", /*default=*/"\"\"",
           "Numbers in place of the policy's, as block=128,elements=8,unroll=2 (block: on a GPU)">];
  let statistics = [Statistic<"numScheduled", "num-scheduled", "Kernels scheduled">,
                    Statistic<"numWide", "num-wide", "Kernels with a variant of wide accesses">,
                    Statistic<"numTiled", "num-tiled", "Kernels that go through a tile">];
  let dependentDialects = ["::ew::EwDialect"];
}

def EwToGpu : Pass<"ew-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn scheduled kernels into GPU kernels";
  let description = [{
    Builds a `gpu.module` with one kernel for every variant of every scheduled `linalg.generic`, so that
    each can be assembled on first need. In the place of the `linalg.generic` the function gets an `ew.launch`.
    A kernel takes a pointer for each operand (or a scalar by value), then sizes and
    strides (`Signature.h`). Its body still has ew ops, on vectors.
  }];
  let statistics = [Statistic<"numKernels", "num-kernels", "GPU kernels built, over all variants">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::ew::EwDialect"];
}

def EwToCpu : Pass<"ew-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Turn scheduled kernels into functions over a range of blocks";
  let description = [{
    As `ew-to-gpu`, but every variant becomes a `func.func` marked `ew.kernel` whose last two arguments are
    the first block to compute and the one after the last. Versions of tiles turn what is transposed in a buffer
    on the stack.
  }];
  let statistics = [Statistic<"numKernels", "num-kernels", "CPU kernels built, over all variants">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::ew::EwDialect"];
}

def EwEmulate : Pass<"ew-emulate", "::mlir::ModuleOp"> {
  let summary = "Turn GPU kernels into functions for the CPU";
  let description = [{
    Every kernel of every `gpu.module` becomes a `func.func` of its name, marked `ew.kernel`, that runs one
    thread. Its arguments are followed by block index, grid size, thread index and block size (i64) and a pointer
    to the block's shared memory, whose size in bytes is its attribute `ew.shared_bytes`. A barrier becomes a call of
    `_ew_emulator_barrier`, where the runtime lets the block's other threads run. The pass comes before
    `ew-lower-math`, which then lowers for the CPU.
  }];
  let statistics = [Statistic<"numEmulated", "num-emulated", "Kernels turned into functions">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def EwSlicesToShuffles : Pass<"ew-slices-to-shuffles"> {
  let summary = "Turn parts of vectors into shuffles";
  let description = [{
    `vector.insert_strided_slice` and `vector.extract_strided_slice` become `vector.shuffle`, the one of the three that
    `convert-gpu-to-nvvm` has a lowering for. `convert-vector-to-llvm` does that, too, but also simplifies and converts
    everything else.
  }];
  let dependentDialects = ["::mlir::vector::VectorDialect"];
}

def EwDependentLaunch : Pass<"ew-dependent-launch", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let kernels begin while the one before them ends";
  let description = [{
    On kernels in the NVVM dialect, for chips from sm_90:

    - Every thread first waits until the kernels before have ended and what they wrote is there
      (`griddepcontrol.wait`). It does so whether it computes anything or not, so that kernels end in order.
    - In blocks of 256 threads and more it lets the next kernel be launched before its stores
      (`griddepcontrol.launch_dependents`). Otherwise that happens where blocks end.

    Of the next kernel only what comes before its own wait runs beside this one, so that no read or write moves.
    Pointers lose `llvm.noalias`, by which LLVM would take what is only read for constant since the launch.

    The runtime launches such kernels with the attribute "programmatic stream serialization"; launched without it, they
    behave as others do.
  }];
  let statistics = [Statistic<"numKernels", "num-kernels", "Kernels that begin early">];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def EwCallSites : Pass<"ew-call-sites", "::mlir::ModuleOp"> {
  let summary = "Locations of calls outside of LLVM functions, as MLIR's debug information takes them";
  let description = [{
    An op that was inlined has the location of a call. MLIR's `ensure-debug-info-scope-on-llvm-func` looks for the
    `llvm.func` around each op of such a location, and crashes where there is none: at launches in the host's
    function, and at a `gpu.module`. Outside of an `llvm.func`, the location of a call becomes a fused location that holds it.
  }];
}

def EwBf16ToBits : Pass<"ew-bf16-to-bits", "::mlir::ModuleOp"> {
  let summary = "Hold bf16 values as 16-bit integers, in the LLVM dialect";
  let description = [{
    On x86, LLVM carries a single bf16 value from one block to another as an f32, and rounds it back by an instruction that
    flushes subnormal numbers to zero (AVX512-BF16) or by a library call that a JIT does not have. So loads, stores,
    vectors and constants of bf16 become those of `i16`. All arithmetic on bf16 is on integers by then
    (`ew-lower-math`): an op that computes in bf16 is an error, but for an extension to f32.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // EW_CODEGEN_PASSES_TD
