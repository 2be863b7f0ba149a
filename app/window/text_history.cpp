#include "app/window/text_history.h"

#include "app/base/text.h"

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

/// The part in which two texts differ: they have the same bytes before and behind it.
struct Difference {
    std::size_t at, from, to;  ///< where it begins, how long it is in either text [bytes]
};

Difference difference(const std::string& a, const std::string& b) {
    const auto [first, other] = std::ranges::mismatch(a, b);
    const auto at = std::size_t(first - a.begin());
    const std::size_t most = std::min(a.size(), b.size()) - at;
    std::size_t behind = 0;
    while (behind < most && a[a.size() - 1 - behind] == b[b.size() - 1 - behind]) ++behind;
    return {at, a.size() - at - behind, b.size() - at - behind};
}

}  // namespace

void TextHistory::change(const std::string& from, const std::string& to) {
    const Difference changed = difference(from, to);
    std::optional<Letter> now;
    if (changed.from + changed.to == 1) {
        const bool typed = changed.to == 1;
        now = {changed.at, typed, is_word_letter(typed ? to[changed.at] : from[changed.at])};
    }
    // A word goes on while its letters are typed, and blanks belong to the word before them. Equal letters in
    // a row are found at the first of them.
    const bool goes_on = last_ && now && last_->typed == now->typed &&
                         (now->typed ? now->at <= last_->at + 1 && (last_->of_word || !now->of_word)
                                     : now->at <= last_->at && now->at + 1 >= last_->at);
    future_.clear();
    last_ = now;
    if (goes_on) return;
    past_.push_back(from);
    bytes_ += from.size();
    while (bytes_ > kMostBytes && past_.size() > 1) {
        bytes_ -= past_.front().size();
        past_.erase(past_.begin());
    }
}

std::optional<TextHistory::Step> TextHistory::go(std::vector<std::string>& from, std::vector<std::string>& to,
                                                 const std::string& now) {
    if (from.empty()) return std::nullopt;
    Step step{std::move(from.back())};
    from.pop_back();
    to.push_back(now);
    const Difference changed = difference(now, step.text);
    step.caret = changed.at + changed.to;
    last_.reset();
    bytes_ = 0;
    for (const std::string& text : past_) bytes_ += text.size();
    return step;
}

}  // namespace warplens
