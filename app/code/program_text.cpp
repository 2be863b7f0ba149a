#include "app/code/program_text.h"

#include "app/base/base64.h"
#include "app/code/code_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace warplens {
namespace {

bool applies(std::string_view condition, const ProgramFacts& facts) {
    while (!condition.empty()) {
        const std::size_t end = std::min(condition.find(' '), condition.size());
        std::string_view word = condition.substr(0, end);
        condition.remove_prefix(std::min(end + 1, condition.size()));
        const bool wanted = !word.starts_with('!');
        if (!wanted) word.remove_prefix(1);
        if (facts.words.contains(word) != wanted) return false;
    }
    return true;
}

[[noreturn]] void complain(const char* what, std::string_view line) {
    throw std::runtime_error(std::string(what) + " in the text of a program: " + std::string(line));
}

std::string fill_line(std::string_view line, const ProgramFacts& facts) {
    std::string filled;
    for (std::string_view rest = line;;) {
        const std::size_t begin = rest.find('$');
        filled += rest.substr(0, begin);
        if (begin == std::string_view::npos) return filled;
        const std::size_t end = rest.find('$', begin + 1);
        if (end == std::string_view::npos) complain("one '$' too many", line);
        const auto value = facts.values.find(rest.substr(begin + 1, end - begin - 1));
        if (value == facts.values.end()) complain("a name without a value", line);
        filled += value->second;
        rest.remove_prefix(end + 1);
    }
}

}  // namespace

std::string fill_program(std::string_view text, const ProgramFacts& facts) {
    constexpr std::string_view kIf = "//$if ";
    struct TextBlock {
        bool around = true;  ///< whether the lines around it are kept
        bool kept = true;    ///< whether its own are
    };
    std::vector<TextBlock> blocks{{}};
    std::string filled;
    for (const std::string_view line : lines_of_code(text)) {
        TextBlock& inner = blocks.back();
        if (line.starts_with(kIf)) {
            blocks.push_back({inner.kept, inner.kept && applies(line.substr(kIf.size()), facts)});
        } else if (line == "//$else") {
            inner.kept = inner.around && !inner.kept;
        } else if (line == "//$end") {
            blocks.pop_back();
            if (blocks.empty()) complain("one //$end too many", line);
        } else if (inner.kept) {
            filled += fill_line(line, facts) + '\n';
        }
    }
    if (blocks.size() > 1) complain("a //$if without its //$end", lines_of_code(text).front());
    return filled;
}

// Source: Compiler Explorer, docs/API.md, "GET /clientstate/<base64>". The state must be ASCII.
std::string explorer_link(std::string_view source) {
    const nlohmann::ordered_json state = {
        {"sessions",
         {{{"id", 1},
           {"language", "cuda"},
           {"source", source},
           {"compilers", {{{"id", "nvcc130u2"}, {"options", "-O3 -arch=sm_90"}}}}}}}};
    return "https://godbolt.org/clientstate/" + base64_of_link(state.dump(-1, ' ', true));
}

}  // namespace warplens
