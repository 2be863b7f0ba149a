#include "app/cli/run.h"

#include "app/base/assets.h"
#include "app/base/version.h"
#include "app/model/catalogue.h"

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <map>
#include <sstream>
#include <string_view>
#include <vector>

namespace warplens {
namespace {

/// The blocks of a footer: what stands between empty lines.
std::vector<std::string> paragraphs(const std::string& text) {
    std::vector<std::string> blocks;
    std::istringstream lines(text);
    bool fresh = true;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty()) {
            fresh = true;
            continue;
        }
        if (fresh) blocks.emplace_back();
        blocks.back() += line + '\n';
        fresh = false;
    }
    return blocks;
}

/// Lines as they stand; a block of one line is running text.
std::string literal(const std::string& block) {
    if (block.find('\n') + 1 == block.size()) return ".PP\n" + troff_text(block);
    return ".PP\n.EX\n" + troff_text(block) + ".EE\n";
}

std::string footer(const CLI::App& app) {
    std::string text;
    for (const std::string& block : paragraphs(app.get_footer())) text += literal(block);
    return text;
}

/// The footer of the whole: "Examples:" and "Exit codes:" become sections.
std::string main_footer(const CLI::App& app) {
    const std::map<std::string, std::string> sections{{"Examples:", "EXAMPLES"},
                                                      {"Exit codes:", "EXIT STATUS"}};
    std::string text;
    for (const std::string& block : paragraphs(app.get_footer())) {
        const std::size_t end = block.find('\n');
        const auto section = sections.find(block.substr(0, end));
        text += section == sections.end()
                    ? literal(block)
                    : ".SH " + section->second + "\n.EX\n" + troff_text(block.substr(end + 1)) + ".EE\n";
    }
    return text;
}

/// "--size WxH", bold and italic.
std::string option_names(const CLI::Option& option) {
    if (option.get_positional()) return "\\fI" + troff_text(option.get_name(true, false)) + "\\fR";
    std::string text;
    for (const std::string& name : option_spellings(option))
        text += (text.empty() ? "\\fB" : ", \\fB") + troff_text(name) + "\\fR";
    const std::string value = option.get_type_name();  // "K:INT in [0 - 9]": its name, and what is checked
    return value.empty() ? text : text + " \\fI" + troff_text(value.substr(0, value.find(':'))) + "\\fR";
}

std::string options(const CLI::App& app) {
    const bool whole = app.get_parent() == nullptr;
    std::string text;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty() || (!whole && option == app.get_help_ptr())) continue;
        text += fmt::format(".TP\n{}\n{}\n", option_names(*option), troff_text(option->get_description()));
    }
    return text;
}

/// "[options] scenario": what follows the name of a command.
std::string operands(const CLI::App& app) {
    std::string text = "[\\fIoptions\\fR]";
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_positional()) continue;
        const std::string name = "\\fI" + troff_text(option->get_name(true, false)) + "\\fR";
        text += option->get_required() ? " " + name : " [" + name + "]";
    }
    return text;
}

std::string command(const CLI::App& app) {
    return fmt::format(".SS {0}\n{1}.\n.PP\n\\fBwarplens {0}\\fR {2}\n", troff_text(app.get_name()),
                       troff_text(app.get_description()), operands(app)) +
           options(app) + footer(app);
}

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

std::vector<std::string> option_spellings(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

std::string troff_text(const std::string& text) {
    static const std::map<char, std::string> kEscapes{{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                                                      {'"', "\\(dq"}, {'`', "\\(ga"}, {'^', "\\(ha"},
                                                      {'~', "\\(ti"}};
    std::string out;
    char before = '\n';
    for (const char c : text) {
        if (before == '\n' && c == '.') out += "\\&";  // else it would be a request
        const auto escape = kEscapes.find(c);
        out += escape == kEscapes.end() ? std::string(1, c) : escape->second;
        before = c;
    }
    return out;
}

std::string man_page(const CLI::App& app) {
    std::string text = fmt::format(
        ".TH WARPLENS 1 \"\" \"Warplens {}\" \"User Commands\"\n"
        ".SH NAME\nwarplens \\- see what a CUDA warp does to memory\n"
        ".SH SYNOPSIS\n\\fBwarplens\\fR {}\n.br\n\\fBwarplens\\fR \\fIcommand\\fR [\\fIoptions\\fR] ...\n"
        ".SH DESCRIPTION\n{}\n",
        troff_text(std::string(version())), operands(app), troff_text(app.get_description()));
    text += ".SH OPTIONS\nOf the window:\n" + options(app) + ".SH COMMANDS\n";
    for (const CLI::App* one : app.get_subcommands({})) {
        if (!one->get_group().empty()) text += command(*one);
    }
    return text + main_footer(app) + std::string(asset("assets/help/man_page.txt"));
}

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
