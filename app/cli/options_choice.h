#pragma once

#include "app/base/errors.h"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <map>
#include <string>

namespace warplens {

/// An option whose value is one word of a list.
/// @param words  lives as long as the program; `value` as long as the parsing.
template <class T, class Value>
void add_choice(CLI::App& app, const std::string& name, Value& value, const std::map<std::string, T>& words,
                const std::string& description) {
    std::string all;
    for (const auto& [word, unused] : words) all += (all.empty() ? "" : ", ") + word;
    const auto set = [&value, &words, name, all](const std::string& text) {
        const auto found = words.find(text);
        if (found == words.end()) throw UsageError(fmt::format("{} {}: expected one of {}", name, text, all));
        value = found->second;
    };
    app.add_option_function<std::string>(name, set, description + " (" + all + ")")->type_name("WORD");
}

}  // namespace warplens
