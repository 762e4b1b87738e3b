//===- Campaign.cpp - Many programs, in several processes -----------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parent generates and runs nothing itself: it forks workers, which take
// the numbers of programs from memory that all of them share. A worker that
// crashes or hangs is known by the number it had taken. Devices are opened in
// the workers only, since a CUDA context does not survive a fork; a reduction
// forks once more for each candidate, so that it may crash, too.
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Reduce.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <new>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace ew;
using namespace ew::fuzz;

using Clock = std::chrono::steady_clock;

/// Programs that a worker runs before a fresh one takes its place: an MLIR
/// context keeps every type and attribute that it has seen.
static constexpr unsigned kProgramsPerWorker = 500;
static constexpr size_t kTextBytes = 1000;

/// A child that does not outlive its parent, however that ends.
static pid_t forkChild() {
  // What is buffered must not be written twice.
  llvm::outs().flush();
  pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A terminal's ^C comes to all processes: the parent says what to do.
    signal(SIGINT, SIG_IGN);
  }
  return pid;
}

static std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// What is at hand is finished; a second one ends the parent, and with it all.
static void onInterrupt(int number) {
  interrupted = true;
  signal(number, SIG_DFL);
}

namespace {

/// What a process has to say of one program.
struct Message {
  uint64_t number = 0;
  Failure::Kind kind = Failure::Kind::None;
  unsigned device = 0, result = 0;
  char text[kTextBytes + 1] = "";

  void set(uint64_t which, const Failure &failure) {
    number = which;
    kind = failure.kind;
    device = failure.device;
    result = failure.result;
    size_t length = std::min(failure.text.size(), kTextBytes);
    std::memcpy(text, failure.text.data(), length);
    text[length] = '\0';
  }
  Failure get() const { return {kind, device, result, text}; }
};

/// What a worker writes and the parent reads: counts are sums that only it adds
/// to.
struct Slot {
  std::atomic<int64_t> current{-1}; // the program it is at
  std::atomic<uint64_t> programs{0}, ops{0}, complexOps{0};
  std::atomic<uint64_t> kinds[Node::kNumKinds] = {};
  Counts counts;
  Message failure; // valid if the worker ended with kFailed
};

struct Shared {
  std::atomic<uint64_t> next{0};
  std::atomic<bool> interrupted{false};
  Slot slots[maxJobs];
  Message candidate[maxJobs]; // of reductions
  std::atomic<uint32_t> coverage[];
};

enum ExitCode { kDone = 0, kFailed = 10, kNoDevice = 11 };

class Campaign {
public:
  Campaign(const OpTable &table, MLIRContext *context,
           const CampaignOptions &options);
  ~Campaign() { munmap(shared, bytes); }
  Report run();

private:
  struct Process {
    pid_t pid = 0;
    bool reducing = false;
    int64_t seen = -1; // the program it was at when last looked at
    Clock::time_point since;
  };

  void start(unsigned slot);
  int work(unsigned slot);
  void count(unsigned slot, const fuzz::Program &program);
  void ended(unsigned slot, int status);
  void lookAtTime(unsigned slot);
  void startReduction(unsigned slot, const Message &message);
  int reduceAndWrite(unsigned slot, const Message &message);
  Failure runInChild(unsigned slot, const fuzz::Program &program);
  bool mayStart() const {
    return !stopping && shared->next < options.first + options.programs;
  }
  bool isOutOfTime() const {
    return shared->interrupted ||
           (options.timeLimit &&
            Clock::now() - begin > std::chrono::seconds(options.timeLimit));
  }
  void lookAtInterrupts();
  void showProgress();
  Report summarize() const;

  const OpTable &table;
  MLIRContext *context;
  const CampaignOptions &options;
  size_t bytes;
  Shared *shared;
  std::vector<Process> processes;
  std::deque<Message> waiting; // to be reduced
  std::vector<Message> retired;
  uint64_t failures = 0;
  bool stopping = false, outOfTime = false, noDevice = false;
  Clock::time_point begin = Clock::now(), shown = begin;
};

} // namespace

Campaign::Campaign(const OpTable &table, MLIRContext *context,
                   const CampaignOptions &options)
    : table(table), context(context), options(options),
      bytes(sizeof(Shared) + table.getOps().size() * table.getTypes().size() *
                                 3 * sizeof(std::atomic<uint32_t>)),
      processes(std::min(options.jobs, maxJobs)) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    llvm::report_fatal_error("ew-fuzz: no shared memory", false);
  shared = new (memory) Shared; // all else is zero, as it comes
  shared->next = options.first;
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

void Campaign::start(unsigned slot) {
  pid_t pid = forkChild();
  if (pid == 0)
    _exit(work(slot));
  processes[slot] = {pid, false, -1, Clock::now()};
}

int Campaign::work(unsigned index) {
  Slot &slot = shared->slots[index];
  // One thread each: there are as many workers as are wanted.
  setenv("OMP_NUM_THREADS", "1", 1);
  Executor executor(table, context, options.execute);
  if (llvm::Error error = executor.open()) {
    slot.failure.set(
        0, {Failure::Kind::Run, 0, 0, llvm::toString(std::move(error))});
    return kNoDevice;
  }
  for (unsigned i = 0; i < kProgramsPerWorker; ++i) {
    uint64_t number = shared->next++;
    if (number >= options.first + options.programs)
      break;
    slot.current = number;
    fuzz::Program program =
        generate(table, options.seed, number, options.generate);
    Failure failure = executor.run(program, slot.counts);
    count(index, program);
    if (failure) {
      slot.failure.set(number, failure);
      return kFailed;
    }
  }
  slot.current = -1;
  return kDone;
}

void Campaign::count(unsigned index, const fuzz::Program &program) {
  Slot &slot = shared->slots[index];
  slot.programs += 1;
  slot.ops += program.countOps();
  for (const Node &node : program.nodes) {
    slot.kinds[unsigned(node.kind)] += 1;
    if (node.kind != Node::Kind::Op)
      continue;
    if (runtime::isComplex(table[node.signature].operands.back()))
      slot.complexOps += 1;
    const auto &types = table.getTypes();
    size_t type = llvm::find(types, table[node.signature].operands.back()) -
                  types.begin();
    size_t mode = program.mode == Mode::Default  ? 0
                  : program.mode == Mode::Strict ? 1
                                                 : 2;
    shared->coverage[(table.getOp(node.signature) * types.size() + type) * 3 +
                     mode] += 1;
  }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Failure Campaign::runInChild(unsigned slot, const fuzz::Program &program) {
  Message &message = shared->candidate[slot];
  message.kind = Failure::Kind::Crash;
  pid_t pid = forkChild();
  if (pid == 0) {
    // A crash is expected here, and no news.
    freopen("/dev/null", "w", stderr);
    alarm(options.programTimeout);
    Executor executor(table, context, options.execute);
    Counts counts;
    if (llvm::Error error = executor.open())
      message.set(0,
                  {Failure::Kind::Run, 0, 0, llvm::toString(std::move(error))});
    else
      message.set(0, executor.run(program, counts));
    _exit(kDone);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kDone)
    return message.get();
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return {Failure::Kind::Hang, 0, 0, ""};
  return {Failure::Kind::Crash, 0, 0,
          WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended"};
}

int Campaign::reduceAndWrite(unsigned slot, const Message &message) {
  setenv("OMP_NUM_THREADS", "1", 1);
  fuzz::Program program =
      generate(table, options.seed, message.number, options.generate);
  Failure failure = message.get();
  std::string name = "program-" + std::to_string(message.number);
  auto write = [&](const fuzz::Program &what, const std::string &file) {
    auto command = writeProgram(what, table, context, options, failure, file);
    if (command)
      return *command;
    llvm::errs() << "ew-fuzz: " << llvm::toString(command.takeError()) << "\n";
    return std::string();
  };
  if (!options.keep.empty())
    write(program, name);
  fuzz::Program reduced = reduce(program, table, context, options.candidates,
                                 [&](const fuzz::Program &candidate) {
                                   // Of programs that hang each takes long.
                                   if (isOutOfTime())
                                     return false;
                                   Failure found = runInChild(slot, candidate);
                                   bool same = found.kind == failure.kind &&
                                               found.device == failure.device;
                                   if (same)
                                     failure = found;
                                   return same;
                                 });
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "FAILED: program " << message.number << " of seed " << options.seed
     << ", mode " << getName(program.mode) << ": "
     << fuzz::getName(failure.kind) << " on "
     << options.execute.devices[failure.device] << "\n  " << failure.text
     << "\nreduced from " << program.countOps() << " ops to "
     << reduced.countOps() << ":\n";
  build(reduced, table, context)->print(os);
  if (!options.keep.empty())
    os << "\n  " << write(reduced, "reduced-" + std::to_string(message.number));
  os << "\n";
  llvm::outs() << text;
  llvm::outs().flush();
  return kDone;
}

void Campaign::startReduction(unsigned slot, const Message &message) {
  pid_t pid = forkChild();
  if (pid == 0)
    _exit(reduceAndWrite(slot, message));
  processes[slot] = {pid, true, -1, Clock::now()};
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

void Campaign::ended(unsigned index, int status) {
  Process &process = processes[index];
  Slot &slot = shared->slots[index];
  bool reducing = process.reducing;
  process.pid = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kDone)
    return;
  if (reducing) {
    llvm::errs() << "ew-fuzz: a reduction crashed\n";
    return;
  }
  Message message = slot.failure;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoDevice) {
    if (!noDevice)
      llvm::errs() << "ew-fuzz: " << message.text << "\n";
    noDevice = stopping = true;
    return;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != kFailed) {
    bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    message.set(slot.current,
                {killed ? Failure::Kind::Hang : Failure::Kind::Crash, 0, 0,
                 WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended"});
  }
  slot.current = -1;
  ++failures;
  llvm::errs() << "ew-fuzz: program " << message.number << ": "
               << fuzz::getName(message.kind) << ": " << message.text << "\n";
  waiting.push_back(message);
  if (failures >= options.maxFailures)
    stopping = true;
}

void Campaign::lookAtTime(unsigned index) {
  Process &process = processes[index];
  Clock::time_point now = Clock::now();
  int64_t current = shared->slots[index].current;
  if (current != process.seen) {
    process.seen = current;
    process.since = now;
  }
  if (!process.reducing && current >= 0 &&
      now - process.since > std::chrono::seconds(options.programTimeout))
    kill(process.pid, SIGKILL);
}

void Campaign::showProgress() {
  Clock::time_point now = Clock::now();
  if (now - shown < std::chrono::seconds(10))
    return;
  shown = now;
  Report report = summarize();
  llvm::errs() << llvm::format(
      "ew-fuzz: %llu of %llu programs, %.0f s, %.1f a second\n",
      (unsigned long long)report.programs, (unsigned long long)options.programs,
      report.seconds, report.programs / report.seconds);
}

Report Campaign::summarize() const {
  Report report;
  for (const Slot &slot : shared->slots) {
    report.programs += slot.programs;
    report.ops += slot.ops;
    report.complexOps += slot.complexOps;
    for (unsigned kind = 0; kind < Node::kNumKinds; ++kind)
      report.kinds[kind] += slot.kinds[kind];
    report.counts.elements += slot.counts.elements;
    report.counts.undecided += slot.counts.undecided;
    report.counts.compared += slot.counts.compared;
    report.counts.nans += slot.counts.nans;
    report.counts.inPlace += slot.counts.inPlace;
    report.counts.refused += slot.counts.refused;
    report.counts.tiled += slot.counts.tiled;
    report.counts.units += slot.counts.units;
    for (size_t i = 0; i < std::size(report.counts.seconds); ++i)
      report.counts.seconds[i] += slot.counts.seconds[i];
  }
  report.failures = failures;
  report.interrupted = shared->interrupted;
  report.outOfTime = outOfTime && !report.interrupted;
  report.noDevice = noDevice;
  report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  report.coverage.resize(table.getOps().size());
  size_t types = table.getTypes().size();
  for (size_t op = 0; op < report.coverage.size(); ++op) {
    report.coverage[op].resize(types);
    for (size_t type = 0; type < types; ++type)
      for (size_t mode = 0; mode < 3; ++mode)
        report.coverage[op][type][mode] =
            shared->coverage[(op * types + type) * 3 + mode];
  }
  return report;
}

void Campaign::lookAtInterrupts() {
  if (!interrupted || shared->interrupted)
    return;
  shared->interrupted = true;
  llvm::errs() << "ew-fuzz: interrupted; programs that were begun are "
                  "finished first\n";
}

Report Campaign::run() {
  struct sigaction action = {};
  // What the parent ignores, as `nohup` does, stays ignored.
  if (!sigaction(SIGINT, nullptr, &action) && action.sa_handler != SIG_IGN)
    signal(SIGINT, onInterrupt);
  while (true) {
    lookAtInterrupts();
    if (mayStart() && isOutOfTime())
      stopping = outOfTime = true;
    if (stopping) // workers end after the program at hand
      shared->next = options.first + options.programs;
    bool any = false;
    for (unsigned slot = 0; slot < processes.size(); ++slot) {
      Process &process = processes[slot];
      int status;
      if (process.pid && waitpid(process.pid, &status, WNOHANG) == process.pid)
        ended(slot, status);
      if (!process.pid && !waiting.empty()) {
        Message message = waiting.front();
        waiting.pop_front();
        if (options.candidates)
          startReduction(slot, message);
      }
      if (!process.pid && mayStart())
        start(slot);
      if (process.pid)
        lookAtTime(slot);
      any |= process.pid != 0;
    }
    if (!any && waiting.empty())
      return summarize();
    showProgress();
    usleep(20000);
  }
}

Report ew::fuzz::runCampaign(const OpTable &table, MLIRContext *context,
                             const CampaignOptions &options) {
  return Campaign(table, context, options).run();
}
