#pragma once

#include <map>
#include <regex>
#include <string>

namespace warplens::test {

/// The regular expression of a pattern, kept: to read one takes longer than to search a sentence with it.
inline const std::regex& pattern(const std::string& text) {
    static std::map<std::string, std::regex> known;
    const auto found = known.find(text);
    return found != known.end() ? found->second : known.emplace(text, std::regex(text)).first->second;
}

}  // namespace warplens::test
