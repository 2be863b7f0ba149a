#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace warplens::test {

/// A text with one to four changes: a byte replaced or inserted, some erased, a piece of the text repeated.
/// @param bytes  the ones that replace others
inline std::string damaged(std::string text, const std::string& bytes, std::mt19937& random) {
    for (unsigned n = random() % 4 + 1; n > 0 && !text.empty(); --n) {
        const std::size_t at = random() % text.size();
        switch (random() % 4) {
            case 0:
                text[at] = bytes[random() % bytes.size()];
                break;
            case 1:
                text.insert(at, 1, bytes[random() % bytes.size()]);
                break;
            case 2:
                text.erase(at, random() % 40);
                break;
            default:
                text.insert(at, text.substr(random() % text.size(), random() % 300));
                break;
        }
    }
    return text;
}

}  // namespace warplens::test
