//===- Batch.cpp - Many runs of ew-run in one process ---------------------===//
//
// Part of the EW project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a command writes, its diagnostics and what libraries say included,
// goes by the descriptors 1 and 2: while a command runs, they are memory.
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Session.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/WithColor.h"
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ew;
using namespace ew::run;

static void complain(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "ew-run") << message << "\n";
}

namespace {

/// Keeps what is written to a descriptor, until it is taken.
class Capture {
public:
  explicit Capture(int descriptor) : descriptor(descriptor) {}

  /// False, with errno, if that cannot be.
  bool begin() {
    original = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    memory = ::memfd_create("ew-run", MFD_CLOEXEC);
    // By another name (/dev/stdout) it is written at its end, too.
    return original >= 0 && memory >= 0 &&
           ::fcntl(memory, F_SETFL, O_APPEND) == 0 &&
           ::dup2(memory, descriptor) >= 0;
  }

  std::string take() {
    off_t size = std::max<off_t>(::lseek(memory, 0, SEEK_END), 0);
    std::string text(size, '\0');
    size_t done = 0;
    while (done < text.size()) {
      ssize_t count =
          ::pread(memory, text.data() + done, text.size() - done, done);
      if (count <= 0)
        break;
      done += count;
    }
    text.resize(done);
    (void)::ftruncate(memory, 0);
    ::lseek(memory, 0, SEEK_SET);
    return text;
  }

  /// What was not taken goes where it would have gone. Calls nothing that a
  /// handler of a signal may not.
  void passOn() const {
    char buffer[4096];
    off_t at = 0;
    for (ssize_t count;
         (count = ::pread(memory, buffer, sizeof(buffer), at)) > 0; at += count)
      if (::write(original, buffer, count) < 0)
        return;
  }

  void end() {
    ::dup2(original, descriptor);
    ::close(original);
    ::close(memory);
  }

  int getOriginal() const { return original; }

private:
  int descriptor, original = -1, memory = -1;
};

} // namespace

/// What is being kept of standard error, for a command that ends the process.
static const Capture *unfinished = nullptr;

static void passOnUnfinished(void * = nullptr) {
  if (const Capture *capture = std::exchange(unfinished, nullptr))
    capture->passOn();
}

/// LLVM ends the process after these.
static const char *findEndingOption(llvm::ArrayRef<const char *> arguments) {
  for (const char *argument : arguments) {
    llvm::StringRef name = argument;
    if (name.consume_front("-") && (name.consume_front("-"), true) &&
        (name == "help" || name == "h" || name.starts_with("help-") ||
         name == "version"))
      return argument;
  }
  return nullptr;
}

/// What is wrong with a line, by the rules of llvm::cl::TokenizeGNUCommandLine;
/// null where nothing is.
static const char *findMistake(llvm::StringRef line) {
  char quote = 0;
  for (size_t at = 0; at < line.size(); ++at) {
    char c = line[at];
    if (c == '\\' && ++at == line.size())
      return "a backslash at its end stands before nothing; a command is one "
             "line: ";
    if (c == '\\')
      continue;
    if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
  }
  return quote ? "a quote is not closed: " : nullptr;
}

/// Whether a path is another name of standard input ("/dev/stdin",
/// "/proc/self/fd/0"), by what it leads to: a pipe that two read gives each of
/// them a part.
static bool isStandardInput(const std::string &path) {
  struct stat named, input;
  if (path == "-")
    return true;
  return ::stat(path.c_str(), &named) == 0 &&
         ::fstat(STDIN_FILENO, &input) == 0 && named.st_dev == input.st_dev &&
         named.st_ino == input.st_ino;
}

/// What of a command would be read from the batch itself.
static std::string findReadOfBatch(const Options &options) {
  if (isStandardInput(options.file))
    return "the program";
  for (const auto *texts : {&options.inputs, &options.expected})
    for (const std::string &text : *texts) {
      auto spec = runtime::parseInputSpec(text);
      if (!spec)
        llvm::consumeError(spec.takeError());
      else if (!spec->path.empty() && isStandardInput(spec->path))
        return "'" + text + "'";
    }
  return {};
}

static int runCommand(llvm::ArrayRef<const char *> arguments, bool fromInput,
                      Devices &devices) {
  if (const char *option = findEndingOption(arguments)) {
    complain("'" + llvm::Twine(option) + "' is not for a batch");
    return kUsage;
  }
  if (!arguments.empty() && llvm::StringRef(arguments.front()) == "ew-run") {
    complain("a command of a batch is written without 'ew-run' before it");
    return kUsage;
  }
  llvm::SmallVector<const char *> argv = {"ew-run"};
  argv.append(arguments.begin(), arguments.end());
  std::optional<Options> options = parseOptions(argv.size(), argv.data());
  if (!options)
    return kUsage;
  if (!options->batch.empty()) {
    complain("--batch is not for a batch");
    return kUsage;
  }
  if (std::string what = fromInput ? findReadOfBatch(*options) : "";
      !what.empty()) {
    complain(what + " cannot be read from standard input, which is the batch");
    return kUsage;
  }
  return Session(*options, devices).run();
}

namespace {
/// What came of a line.
struct Outcome {
  int code = kUsage;
  int64_t elapsed = 0;   // microseconds
  std::string lost, why; // a device that no command can use any more
};
} // namespace

static Outcome runLine(llvm::StringRef line, bool fromInput, Devices &devices) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> arguments;
  llvm::cl::TokenizeGNUCommandLine(line, saver, arguments);
  Outcome outcome;
  auto begin = std::chrono::steady_clock::now();
  if (const char *mistake = findMistake(line))
    complain(mistake + line);
  else
    outcome.code = runCommand(arguments, fromInput, devices);
  if (llvm::Error error = devices.synchronize(outcome.lost)) {
    outcome.why = llvm::toString(std::move(error));
    // Work that nothing waited for may have failed only now.
    if (outcome.code == kSuccess) {
      complain(outcome.why);
      outcome.code = kFailure;
    }
  }
  llvm::outs().flush();
  llvm::errs().flush();
  std::fflush(nullptr);
  outcome.elapsed = std::chrono::duration_cast<std::chrono::microseconds>(
                        std::chrono::steady_clock::now() - begin)
                        .count();
  return outcome;
}

int ew::run::runBatch(const std::string &path, Devices &devices) {
  bool fromInput = isStandardInput(path);
  // By another name a file would be read from its beginning, and be read twice.
  FILE *file = fromInput ? stdin : std::fopen(path.c_str(), "re");
  if (!file) {
    complain("cannot read " + path + ": " + llvm::sys::StrError());
    return kFailure;
  }
  char *line = nullptr;
  size_t capacity = 0;
  llvm::scope_exit close([&] {
    std::free(line);
    if (!fromInput)
      std::fclose(file);
  });

  Capture output(STDOUT_FILENO), errors(STDERR_FILENO);
  if (!output.begin() || !errors.begin()) {
    complain("no memory for what commands write: " + llvm::sys::StrError());
    return kFailure;
  }
  llvm::raw_fd_ostream answers(output.getOriginal(), /*shouldClose=*/false);
  llvm::sys::AddSignalHandler(passOnUnfinished, nullptr);
  static const int registered = std::atexit([] { passOnUnfinished(); });
  (void)registered;

  int code = kSuccess;
  Outcome outcome;
  int64_t number = 0;
  for (ssize_t length; outcome.why.empty() &&
                       (length = ::getline(&line, &capacity, file)) >= 0;) {
    ++number;
    // A blank at the end may stand behind a backslash.
    llvm::StringRef text = llvm::StringRef(line, length).ltrim().rtrim("\r\n");
    if (text.empty() || text.starts_with("#"))
      continue;
    unfinished = &errors;
    outcome = runLine(text, fromInput, devices);
    unfinished = nullptr;
    llvm::json::Object answer{{"line", number},
                              {"exit_code", outcome.code},
                              {"elapsed_us", outcome.elapsed},
                              {"stdout", llvm::json::fixUTF8(output.take())},
                              {"stderr", llvm::json::fixUTF8(errors.take())}};
    if (!outcome.why.empty())
      answer["device_lost"] = outcome.lost;
    answers << llvm::json::Value(std::move(answer)) << "\n";
    answers.flush();
    if (answers.has_error())
      break;
    if (code == kSuccess)
      code = outcome.code;
  }
  int problem = std::ferror(file) ? errno : 0;
  output.end();
  errors.end();

  if (std::error_code failed = answers.error()) {
    answers.clear_error();
    complain("cannot write 'standard output': " + failed.message());
    return kFailure;
  }
  if (problem) {
    complain("cannot read " + path + ": " + llvm::sys::StrError(problem));
    return kFailure;
  }
  if (!outcome.why.empty()) {
    complain("line " + llvm::Twine(number) + ": " + outcome.lost +
             " is lost, and commands after it were not run: " + outcome.why);
    return kUnavailable;
  }
  return code;
}
