#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The name that was probably meant: one with few typing mistakes, or one that begins with the typed text.
/// Empty if no name is near.
std::string_view nearest_name(std::string_view typed, const std::vector<std::string_view>& names);

/// A text such as "; did you mean 'stride'?", or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string_view>& names);

/// For example "a, b, c".
std::string join_names(const std::vector<std::string_view>& names);

/// The names of all things of a list. They have to live as long as the things do.
/// @param name  a member or a function that gives the name of one of them
template <class List, class Name>
std::vector<std::string_view> names_of(const List& list, Name name) {
    std::vector<std::string_view> names;
    for (const auto& thing : list) names.push_back(std::invoke(name, thing));
    return names;
}

}  // namespace warplens
