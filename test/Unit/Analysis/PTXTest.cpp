//===- PTXTest.cpp - What is read out of PTX ------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/PTX.h"

#include <gtest/gtest.h>

using namespace ew::analysis;

namespace {

/// y = x * x; whole vectors, and a tail element by element.
const char *kSquare = R"(.version 8.1
.visible .entry square_general(
	.param .u64 .ptr .align 1 square_general_param_0
)
{
	ret;
}
.visible .entry square(
	.param .u64 .ptr .align 16 square_param_0,
	.param .u64 .ptr .align 16 square_param_1,
	.param .u64 square_param_2
)
.maxntid 128, 1, 1
{
	.reg .pred 	%p<4>;
	.reg .b32 	%r<16>;
	.reg .b64 	%rd<9>;
	.loc	1 2 8
// %bb.0:
	ld.param.b64 	%rd1, [square_param_0];
	ld.param.b64 	%rd2, [square_param_1];
	ld.param.b64 	%rd3, [square_param_2];
	cvta.to.global.u64 	%rd4, %rd1;
	cvta.to.global.u64 	%rd5, %rd2;
	mov.u32 	%r1, %tid.x;
	mul.wide.u32 	%rd6, %r1, 16;
	add.s64 	%rd7, %rd4, %rd6;
	add.s64 	%rd8, %rd5, %rd6;
	setp.lt.u64 	%p1, %rd6, %rd3;
	@%p1 bra 	$L__BB1_4;
// %bb.1:
	@!%p2 bra 	$L__BB1_3;
	ld.global.nc.b32 	%r2, [%rd7];
	mul.rn.f32 	%r2, %r2, %r2;
	st.global.b32 	[%rd8], %r2;
$L__BB1_3:
	bra.uni 	$L__BB1_5;
$L__BB1_4:
	ld.global.nc.v4.b32 	{%r2, %r3, %r4, %r5}, [%rd7];
	ld.global.nc.v4.b32 	{%r6, %r7, %r8, %r9}, [%rd7+2048];
	mul.rn.f32 	%r10, %r2, %r2;
	mul.rn.f32 	%r11, %r3, %r3;
	// begin inline asm
	ex2.approx.ftz.f32 %r12, %r4;
	// end inline asm
	{ .reg .b32 t; mul.rn.f32 t, %r5, %r5; mov.b32 %r13, t; }
	st.global.v4.b32 	[%rd8], {%r10, %r11, %r12, %r13};
	st.global.v4.b32 	[%rd8+2048], {%r6, %r7, %r8, %r9};
$L__BB1_5:
	ret;
}
)";

TEST(PTX, TheWayOfFullThreads) {
  KernelCode code = llvm::cantFail(analyzePTX(kSquare, "square"));
  ASSERT_EQ(code.accesses.size(), 2u);
  EXPECT_EQ(code.accesses[0].parameter, 0u);
  EXPECT_FALSE(code.accesses[0].store);
  EXPECT_EQ(code.accesses[0].bytes, 16u);
  EXPECT_EQ(code.accesses[0].count, 2u);
  EXPECT_EQ(code.accesses[1].parameter, 1u);
  EXPECT_TRUE(code.accesses[1].store);
  EXPECT_EQ(code.accesses[1].count, 2u);
  // Both loads are issued before anything waits.
  EXPECT_EQ(code.loadBytesInFlight, 32u);
  EXPECT_EQ(code.mix[Unit::Load], 2);
  EXPECT_EQ(code.mix[Unit::Store], 2);
  EXPECT_EQ(code.mix[Unit::F32], 3);
  EXPECT_EQ(code.mix[Unit::Special], 1);
  // One on the way, one in the tail.
  EXPECT_EQ(code.conditionalBranches, 1u);
  EXPECT_EQ(code.allConditionalBranches, 2u);
}

TEST(PTX, WaitingEndsWhatIsInFlight) {
  KernelCode code = llvm::cantFail(analyzePTX(R"(.visible .entry f(
	.param .u64 f_param_0
)
{
	ld.param.b64 	%rd1, [f_param_0];
	ld.global.b32 	%r1, [%rd1];
	add.s32 	%r2, %r1, 1;
	ld.global.b64 	%rd2, [%rd1+8];
	st.global.b64 	[%rd1], %rd2;
	ret;
}
)",
                                              "f"));
  EXPECT_EQ(code.loadBytesInFlight, 8u);
}

TEST(PTX, LoopsAndTablesOfTargets) {
  KernelCode code = llvm::cantFail(analyzePTX(R"(.visible .entry f(
	.param .u64 f_param_0
)
{
	ld.param.b64 	%rd1, [f_param_0];
$L_loop:
	ld.global.b32 	%r1, [%rd1];
	@%p1 bra 	$L_loop;
$L_brx: .branchtargets $L_one, $L_two;
	brx.idx 	%r1, $L_brx;
$L_one:
	ret;
$L_two:
	st.global.v2.b32 	[%rd1], {%r1, %r1};
	ret;
}
)",
                                              "f"));
  // A loop counts once; the way goes where more is moved.
  ASSERT_EQ(code.accesses.size(), 2u);
  EXPECT_EQ(code.accesses[0].count, 1u);
  EXPECT_EQ(code.accesses[1].bytes, 8u);
}

TEST(PTX, OtherMemoryIsNoOperand) {
  KernelCode code = llvm::cantFail(analyzePTX(R"(.visible .entry f(
	.param .u64 f_param_0
)
{
	mov.b64 	%rd9, table;
	ld.param.b64 	%rd1, [f_param_0];
	ld.global.b32 	%r1, [%rd9];
	ld.shared.b32 	%r2, [%r1];
	st.local.b32 	[%r3], %r2;
	bar.sync 	0;
	st.global.b32 	[%rd1], %r2;
	ret;
}
)",
                                              "f"));
  ASSERT_EQ(code.accesses.size(), 1u);
  EXPECT_TRUE(code.accesses[0].store);
  EXPECT_EQ(code.loadBytesInFlight, 0u);
  EXPECT_EQ(code.mix[Unit::Shared], 1);
  EXPECT_EQ(code.mix[Unit::Local], 1);
  EXPECT_TRUE(code.hasBarrier);
}

TEST(PTX, Instructions) {
  auto of = [](const char *opcode, Unit unit) {
    return getMachineInstructions(opcode)[unit];
  };
  EXPECT_EQ(of("fma.rn.f32", Unit::F32), 1);
  EXPECT_EQ(of("fma.rn.bf16x2", Unit::F16x2), 1);
  EXPECT_EQ(of("fma.rn.f64", Unit::F64), 1);
  EXPECT_EQ(of("tanh.approx.f32", Unit::Special), 1);
  EXPECT_EQ(of("add.s32", Unit::Integer), 1);
  EXPECT_EQ(of("add.s64", Unit::Integer), 2);
  EXPECT_EQ(of("setp.lt.f32", Unit::Integer), 1);
  EXPECT_EQ(of("cvt.rni.s32.f32", Unit::Convert), 1);
  EXPECT_EQ(of("cvt.rn.bf16x2.f32", Unit::Pack), 1);
  EXPECT_EQ(getMachineInstructions("mov.b32").total(), 0);
  EXPECT_EQ(getMachineInstructions("ld.param.b64").total(), 0);
  EXPECT_GT(getMachineInstructions("div.rn.f32").total(), 5);
  EXPECT_EQ(getAccessBytes("ld.global.nc.v4.b32"), 16u);
  EXPECT_EQ(getAccessBytes("st.global.v8.f32"), 32u);
  EXPECT_EQ(getAccessBytes("ld.global.nc.L1::no_allocate.b8"), 1u);
  EXPECT_EQ(getAccessBytes("add.s32"), 0u);
}

TEST(PTX, OneDivisionForQuotientAndRemainder) {
  auto count = [](const char *second) {
    std::string text =
        ".visible .entry f(\n)\n{\n\tdiv.u32 \t%r3, %r1, %r2;\n\t";
    text += second;
    text += "\n\tret;\n}\n";
    return llvm::cantFail(analyzePTX(text, "f")).mix[Unit::Special];
  };
  EXPECT_EQ(count("rem.u32 \t%r4, %r1, %r2;"), 1);
  EXPECT_EQ(count("rem.u32 \t%r4, %r2, %r1;"), 2);
}

TEST(PTX, NoSuchKernel) {
  llvm::Expected<KernelCode> code = analyzePTX(kSquare, "squ");
  ASSERT_FALSE(static_cast<bool>(code));
  EXPECT_EQ(llvm::toString(code.takeError()),
            "PTX of 'squ': there is no such kernel");
}

} // namespace
