#pragma once

#include "app/base/errors.h"
#include "app/measure/recording.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

// Every parser of what may come from a stranger is a target, a function of any bytes: libFuzzer calls it with
// bytes that it makes up (tests/fuzz), and cpu_tests with the files in tests/fuzzing/corpus/<target>/. A
// finding is a crash, a report of a sanitizer, or an exception that is not one of the parser's own.
#define WARPLENS_FUZZ_TARGETS(TARGET) \
    TARGET(recording)                 \
    TARGET(state)                     \
    TARGET(figure)                    \
    TARGET(demo)                      \
    TARGET(link)                      \
    TARGET(accesses)                  \
    TARGET(mem_trace)                 \
    TARGET(occupancy)                 \
    TARGET(ncu)                       \
    TARGET(markdown)                  \
    TARGET(typed)                     \
    TARGET(options)                   \
    TARGET(command_line)

namespace warplens::fuzz {

#define TARGET(name) void name(std::string_view bytes);
WARPLENS_FUZZ_TARGETS(TARGET)
#undef TARGET

struct Target {
    std::string_view name;
    void (*run)(std::string_view bytes);
};
#define TARGET(name) {#name, name},
inline constexpr Target kTargets[] = {WARPLENS_FUZZ_TARGETS(TARGET)};
#undef TARGET

/// A law that holds for all input.
inline void require(bool holds, const char* law) {
    if (!holds) throw std::logic_error(law);
}

/// Runs a parser. It may refuse what it is given, in one printable sentence of limited length.
template <class Parse>
void try_to(Parse parse) {
    const auto refused = [](const std::string& said) {
        require(!said.empty() && said.size() <= kMostMessageBytes, "a message has a limited length");
        require(printable(said, said.size() + 3) == said, "a message is printable");
    };
    try {
        parse();
    } catch (const Error& error) {
        refused(error.what());
    }
}

}  // namespace warplens::fuzz
