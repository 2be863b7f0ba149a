#include "app/cli/man_page.h"
#include "app/model/catalogue.h"

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <string_view>
#include <vector>

namespace warplens {
namespace {

constexpr std::string_view kHead = R"(# bash completion for warplens, written by 'warplens completion'
_warplens() {
    local current=${COMP_WORDS[COMP_CWORD]} previous= command= options= words= word
    ((COMP_CWORD == 0)) || previous=${COMP_WORDS[COMP_CWORD - 1]}
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
)";

constexpr std::string_view kTail = R"(    esac
    [[ $current != -* ]] || words=$options
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _warplens warplens
)";

std::string joined(const std::vector<std::string>& words, const char* between) {
    return fmt::format("{}", fmt::join(words, between));
}

std::string scenarios() {
    std::vector<std::string> ids;
    for (const Scenario& scenario : all_scenarios()) ids.emplace_back(scenario.info->id);
    return joined(ids, " ");
}

std::vector<std::string> commands(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* one : app.get_subcommands({})) {
        if (!one->get_group().empty()) names.push_back(one->get_name());
    }
    return names;
}

/// The values that an option can have. Empty if it takes a file, or values that cannot be listed.
/// The words of a list stand at the end of its description: add_choice puts them there.
std::string values(const CLI::Option& option) {
    if (option.get_type_name().starts_with("ID")) return "$scenarios";
    const std::string description = option.get_description();
    const std::size_t open = description.rfind('(');
    if (option.get_type_name() != "WORD" || open == std::string::npos || description.back() != ')') return {};
    std::string words = description.substr(open + 1, description.size() - open - 2);
    for (std::size_t at; (at = words.find(", ")) != std::string::npos;) words.replace(at, 2, " ");
    return words;
}

/// Options and operands of one command.
std::string completion_of(const CLI::App& app, const std::string& more_words) {
    std::vector<std::string> flags, cases;
    std::string words = more_words;
    for (const CLI::Option* option : app.get_options()) {
        const std::vector<std::string> names = option_spellings(*option);
        flags.insert(flags.end(), names.begin(), names.end());
        if (option->get_positional() && !values(*option).empty())
            words += (words.empty() ? "" : " ") + values(*option);
        if (names.empty() || option->get_expected_max() == 0) continue;
        cases.push_back(fmt::format("                {}) words=\"{}\" options= ;;\n", joined(names, " | "),
                                    values(*option)));
    }
    return fmt::format(
        "            options=\"{}\" words=\"{}\"\n            case $previous in\n{}            esac\n",
        joined(flags, " "), words, joined(cases, ""));
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
    const std::vector<std::string> names = commands(app);
    std::string script(kHead);
    script += fmt::format("            {}) command=$word; break ;;\n", joined(names, " | "));
    script += fmt::format("        esac\n    done\n    local scenarios=\"{}\"\n    case $command in\n",
                          scenarios());
    script += fmt::format("        \"\")\n{}            ;;\n", completion_of(app, joined(names, " ")));
    for (const CLI::App* one : app.get_subcommands({})) {
        if (one->get_group().empty()) continue;
        script += fmt::format("        {})\n{}            ;;\n", one->get_name(), completion_of(*one, ""));
    }
    return script + std::string(kTail);
}

}  // namespace warplens
