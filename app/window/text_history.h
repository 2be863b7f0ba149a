#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// The steps of a text that is being typed, for undo and redo. Letters of one word, and letters that are
/// deleted one after the other, are one step; so is whatever replaces more than one letter at once.
class TextHistory {
public:
    static constexpr std::size_t kMostBytes = std::size_t{4} << 20;  ///< of texts; the oldest are forgotten

    /// A text, and where it differs from the one that was left for it: behind its last other byte.
    struct Step {
        std::string text;
        std::size_t caret = 0;  ///< [bytes]

        friend bool operator==(const Step&, const Step&) = default;
    };

    /// The text is to be changed. What was undone is forgotten.
    void change(const std::string& from, const std::string& to);
    /// @param now  the present text. @return  the text of one step before; empty if there is none
    std::optional<Step> undo(const std::string& now) { return go(past_, future_, now); }
    /// @return  the text that the last undo left; empty if there is none
    std::optional<Step> redo(const std::string& now) { return go(future_, past_, now); }

private:
    std::optional<Step> go(std::vector<std::string>& from, std::vector<std::string>& to,
                           const std::string& now);

    std::vector<std::string> past_, future_;
    std::size_t bytes_ = 0;  ///< of the past
    /// The last change, where it was one letter: where the next one continues it.
    struct Letter {
        std::size_t at;
        bool typed, of_word;
    };
    std::optional<Letter> last_;
};

}  // namespace warplens
