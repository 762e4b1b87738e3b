//===- PTX.cpp - What a kernel's PTX does ---------------------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ew/Analysis/PTX.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace ew::analysis;
using llvm::StringRef;

namespace {
struct Instruction {
  StringRef opcode;
  StringRef predicate; // "%p1" of "@%p1", "@!%p1"
  llvm::SmallVector<StringRef, 4> defines, uses;
  StringRef target;    // of a branch
  StringRef parameter; // of ld.param, and of mov from a parameter
  unsigned bytes = 0;  // of an access to global memory
};

struct Block {
  std::vector<Instruction> instructions;
  llvm::SmallVector<unsigned, 2> successors;
};

/// One kernel's text as basic blocks.
class Parser {
public:
  explicit Parser(StringRef kernel) : kernel(kernel) {}
  llvm::Error run(StringRef ptx);

  std::vector<Block> blocks;
  llvm::StringMap<unsigned> parameters; // number by name

private:
  void addStatement(StringRef text);
  void startBlock() {
    if (!blocks.back().instructions.empty())
      blocks.emplace_back();
  }
  void connect();

  StringRef kernel;
  llvm::StringMap<unsigned> labels;                     // block by label
  llvm::StringMap<llvm::SmallVector<StringRef>> tables; // of brx.idx
};
} // namespace

/// The registers in a text; %tid.x and the like are none.
static void collectRegisters(StringRef text,
                             llvm::SmallVectorImpl<StringRef> &into) {
  for (size_t at = text.find('%'); at != StringRef::npos;
       at = text.find('%', at + 1)) {
    StringRef name = text.substr(at).take_while(
        [](char c) { return c == '%' || c == '_' || llvm::isAlnum(c); });
    if (!text.substr(at + name.size()).starts_with("."))
      into.push_back(name);
  }
}

llvm::Error Parser::run(StringRef ptx) {
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError("PTX of '" + kernel + "': " + what);
  };
  // ".entry name(": other kernels' names may begin with it.
  size_t at = 0;
  while (true) {
    at = ptx.find((".entry " + kernel).str(), at);
    if (at == StringRef::npos)
      return fail("there is no such kernel");
    at += 7 + kernel.size();
    if (ptx.substr(at).ltrim().starts_with("("))
      break;
  }
  StringRef text = ptx.substr(at);
  auto [signature, rest] = text.split("{");
  for (StringRef part = signature; part.contains(".param");) {
    // ".param .u64 .ptr .align 1 name", ".param .align 8 .b8 name[16]".
    part = part.split(".param").second;
    StringRef name = part.take_until(
        [](char c) { return c == ',' || c == ')' || c == '[' || c == '\n'; });
    name = name.rtrim();
    unsigned number = parameters.size();
    parameters[name.substr(name.find_last_of(" \t") + 1)] = number;
  }
  // To the brace that closes the kernel's; inner ones are blocks of their own
  // names.
  blocks.emplace_back();
  int depth = 1;
  llvm::SmallVector<StringRef> lines;
  rest.split(lines, '\n');
  std::string statement;
  for (StringRef line : lines) {
    line = line.split("//").first.trim();
    if (line.empty())
      continue;
    if (line == "{" || line == "}") {
      depth += line == "{" ? 1 : -1;
      if (depth == 0)
        break;
      continue;
    }
    if (line.ends_with(":")) {
      startBlock();
      labels[line.drop_back().trim()] = blocks.size() - 1;
      continue;
    }
    // Several statements may stand on a line (inline assembly), with a label
    // before them (tables of targets).
    while (!line.empty()) {
      auto [one, more] = line.split(';');
      one = one.ltrim("{} \t");
      if (size_t table = one.find(".branchtargets"); table != StringRef::npos) {
        StringRef name = one.take_front(one.find(':')).trim();
        one.substr(table + 14).split(tables[name], ',');
        for (StringRef &target : tables[name])
          target = target.trim();
      } else if (!one.empty()) {
        addStatement(one.trim());
      }
      line = more.trim().ltrim("} \t");
    }
  }
  connect();
  return llvm::Error::success();
}

void Parser::addStatement(StringRef text) {
  Instruction instruction;
  if (text.consume_front("@")) {
    text.consume_front("!");
    StringRef predicate =
        text.take_until([](char c) { return c == ' ' || c == '\t'; });
    instruction.predicate = predicate;
    text = text.drop_front(predicate.size()).ltrim();
  }
  if (text.starts_with("."))
    return; // .reg, .loc, .pragma
  StringRef opcode =
      text.take_until([](char c) { return c == ' ' || c == '\t'; });
  StringRef operands = text.drop_front(opcode.size()).trim();
  instruction.opcode = opcode;
  StringRef base = opcode.split('.').first;
  if (base == "bra" || base == "brx") {
    instruction.target =
        base == "bra" ? operands : operands.rsplit(',').second.trim();
    collectRegisters(base == "bra" ? "" : operands, instruction.uses);
  } else if (base == "st" || base == "call" || base == "bar" ||
             base == "barrier") {
    collectRegisters(operands, instruction.uses);
  } else {
    // What is defined: one register, several in braces, or two with a bar.
    size_t end =
        operands.starts_with("{") ? operands.find('}') + 1 : operands.find(',');
    end = std::min(end, operands.size());
    collectRegisters(operands.take_front(end), instruction.defines);
    collectRegisters(operands.drop_front(end), instruction.uses);
  }
  if (instruction.predicate.size())
    instruction.uses.push_back(instruction.predicate);
  if (opcode.starts_with("ld.param") || base == "mov" || base == "cvta") {
    StringRef from = operands.split(',').second.trim().trim("[]");
    from = from.split('+').first;
    if (parameters.contains(from))
      instruction.parameter = from;
  }
  if (opcode.starts_with("ld.") || opcode.starts_with("st."))
    if (!opcode.contains(".param") && !opcode.contains(".shared") &&
        !opcode.contains(".local") && !opcode.contains(".const"))
      instruction.bytes = getAccessBytes(opcode);
  blocks.back().instructions.push_back(std::move(instruction));
  if (base == "bra" || base == "brx" || base == "ret" || base == "exit" ||
      base == "trap")
    blocks.emplace_back();
}

void Parser::connect() {
  for (auto [number, block] : llvm::enumerate(blocks)) {
    bool fallsThrough = true;
    if (!block.instructions.empty()) {
      const Instruction &last = block.instructions.back();
      StringRef base = last.opcode.split('.').first;
      bool leaves = base == "bra" || base == "brx" || base == "ret" ||
                    base == "exit" || base == "trap";
      fallsThrough = !leaves || !last.predicate.empty();
      auto &successors = block.successors;
      auto add = [&](StringRef label) {
        if (auto found = labels.find(label); found != labels.end())
          successors.push_back(found->second);
      };
      if (base == "bra")
        add(last.target);
      for (StringRef label : base == "brx" ? tables.lookup(last.target)
                                           : llvm::SmallVector<StringRef>())
        add(label);
    }
    if (fallsThrough && number + 1 < blocks.size())
      block.successors.push_back(number + 1);
  }
}

namespace {
/// Which parameters' pointers a register may have come from.
class Origins {
public:
  explicit Origins(const Parser &parser);
  /// The parameter that an access goes to, if it is one.
  std::optional<unsigned> of(const Instruction &access) const;

private:
  std::map<StringRef, std::set<unsigned>> origins;
};
} // namespace

Origins::Origins(const Parser &parser) {
  // Registers have one definition but at joins; so two rounds do, and a third
  // changes nothing. Only addresses carry an origin on: what was loaded does
  // not.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Block &block : parser.blocks)
      for (const Instruction &one : block.instructions) {
        bool loads = one.opcode.starts_with("ld.") && one.parameter.empty();
        if (loads || one.defines.empty())
          continue;
        std::set<unsigned> from;
        if (!one.parameter.empty())
          from.insert(parser.parameters.lookup(one.parameter));
        for (StringRef use : one.uses)
          if (use != one.predicate)
            if (auto found = origins.find(use); found != origins.end())
              from.insert(found->second.begin(), found->second.end());
        for (StringRef name : one.defines) {
          std::set<unsigned> &into = origins[name];
          size_t before = into.size();
          into.insert(from.begin(), from.end());
          changed |= into.size() != before;
        }
      }
  }
}

std::optional<unsigned> Origins::of(const Instruction &access) const {
  // The address stands last in a load and first in a store.
  if (access.uses.empty())
    return std::nullopt;
  StringRef address = access.uses.front();
  auto found = origins.find(address);
  if (found == origins.end() || found->second.empty())
    return std::nullopt;
  return *found->second.begin();
}

namespace {
/// The best way from a block to the end: most bytes first, then fewest
/// instructions.
struct Way {
  double bytes = 0, instructions = 0;
  std::optional<unsigned> next;
  bool operator<(const Way &other) const {
    return std::tuple(bytes, -instructions) <
           std::tuple(other.bytes, -other.instructions);
  }
};

class Walker {
public:
  Walker(const Parser &parser, const Origins &origins)
      : parser(parser), origins(origins), ways(parser.blocks.size()),
        state(parser.blocks.size()) {}

  std::vector<unsigned> run() {
    visit(0);
    std::vector<unsigned> path;
    for (std::optional<unsigned> at = 0; at; at = ways[*at].next)
      path.push_back(*at);
    return path;
  }

private:
  void visit(unsigned number) {
    state[number] = Open;
    const Block &block = parser.blocks[number];
    Way best;
    bool first = true;
    for (unsigned next : block.successors) {
      if (state[next] == Open)
        continue; // back to a loop's head
      if (state[next] == New)
        visit(next);
      Way way = ways[next];
      way.next = next;
      if (first || best < way)
        best = way;
      first = false;
    }
    for (const Instruction &one : block.instructions) {
      best.instructions += getMachineInstructions(one.opcode).total();
      if (one.bytes && origins.of(one))
        best.bytes += one.bytes;
    }
    ways[number] = best;
    state[number] = Done;
  }

  enum State : uint8_t { New, Open, Done };
  const Parser &parser;
  const Origins &origins;
  std::vector<Way> ways;
  std::vector<State> state;
};
} // namespace

/// The most bytes of loads whose values nothing has waited for yet.
static unsigned countBytesInFlight(llvm::ArrayRef<const Instruction *> path,
                                   const Origins &origins) {
  llvm::StringSet<> pending;
  unsigned bytes = 0, most = 0;
  for (const Instruction *one : path) {
    // Loads return in order: to wait for one is to wait for those before it.
    if (llvm::any_of(one->uses,
                     [&](StringRef use) { return pending.contains(use); })) {
      pending.clear();
      bytes = 0;
    }
    if (!one->bytes || one->opcode.starts_with("st.") || !origins.of(*one))
      continue;
    for (StringRef name : one->defines)
      pending.insert(name);
    bytes += one->bytes;
    most = std::max(most, bytes);
  }
  return most;
}

llvm::Expected<KernelCode> ew::analysis::analyzePTX(StringRef ptx,
                                                    StringRef kernel) {
  Parser parser(kernel);
  if (llvm::Error error = parser.run(ptx))
    return std::move(error);
  Origins origins(parser);
  KernelCode code;
  auto isBranch = [](const Instruction &one) {
    return !one.predicate.empty() && one.opcode.starts_with("bra");
  };
  for (const Block &block : parser.blocks)
    code.allConditionalBranches += llvm::count_if(block.instructions, isBranch);

  std::vector<const Instruction *> path;
  for (unsigned number : Walker(parser, origins).run())
    for (const Instruction &one : parser.blocks[number].instructions)
      path.push_back(&one);
  llvm::StringSet<> divided;
  for (const Instruction *one : path) {
    // A quotient and a remainder of the same numbers are one division.
    InstructionMix mix = getMachineInstructions(one->opcode);
    if ((one->opcode.starts_with("div.") || one->opcode.starts_with("rem.")) &&
        !mix[Unit::F32] && !mix[Unit::F64] &&
        !divided.insert(llvm::join(one->uses, ",")).second)
      mix = getMachineInstructions("mad.lo.s32");
    code.mix += mix;
    code.conditionalBranches += isBranch(*one);
    code.hasBarrier |= one->opcode.starts_with("bar");
    std::optional<unsigned> parameter;
    if (one->bytes)
      parameter = origins.of(*one);
    if (!parameter)
      continue;
    bool store = one->opcode.starts_with("st.");
    auto same =
        llvm::find_if(code.accesses, [&](const ParameterAccess &access) {
          return access.parameter == *parameter && access.store == store &&
                 access.bytes == one->bytes;
        });
    if (same != code.accesses.end())
      ++same->count;
    else
      code.accesses.push_back({*parameter, store, one->bytes, 1});
  }
  llvm::sort(code.accesses, [](const auto &a, const auto &b) {
    return std::tuple(a.parameter, a.store, b.bytes) <
           std::tuple(b.parameter, b.store, a.bytes);
  });
  code.loadBytesInFlight = countBytesInFlight(path, origins);
  return code;
}
