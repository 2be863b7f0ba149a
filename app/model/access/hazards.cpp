#include "app/model/access/hazards.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

constexpr std::int64_t kMostComparisons = 10'000'000;  // some tenths of a second

/// A thread's use of a word in one line, as long as the same barriers stand before it. Of all its
/// executions the first and the last tell whether one of them comes before one of another line.
struct Use {
    int thread, line;
    int warp, block;  ///< of the thread: each use is compared with many
    bool store, atomic, bulk, published, counted;
    std::uint8_t bytes;
    std::array<int, 3> barriers;
    int first, last;  ///< positions

    auto who() const { return std::tie(thread, line, store); }
    auto key() const { return std::tie(thread, line, store, bytes, barriers, published, counted); }
};

bool are_ordered(const Use& a, const Use& b) {
    const Waits scope = a.warp == b.warp ? Waits::warp : a.block == b.block ? Waits::block : Waits::cluster;
    return a.barriers[int(scope)] != b.barriers[int(scope)] ||
           (a.block < b.block && a.published && b.counted) || (b.block < a.block && b.published && a.counted);
}

/// @param touches  of one word, by rising position
/// @return  sorted by thread and line
std::vector<Use> uses_of(std::span<const Touch* const> touches, int threads_per_block) {
    // Who it is and which touch, in one number: much faster to sort than what it stands for.
    std::vector<std::uint64_t> order;
    order.reserve(touches.size());
    for (std::size_t i = 0; i < touches.size(); ++i) {
        const Touch& touch = *touches[i];
        order.push_back((static_cast<std::uint64_t>(touch.thread) << 40) |
                        (static_cast<std::uint64_t>(touch.line) << 33) |
                        (std::uint64_t{touch.store ? 1u : 0u} << 32) | i);
    }
    std::ranges::sort(order);
    std::vector<Use> uses;
    uses.reserve(touches.size());
    for (const std::uint64_t one : order) {
        const Touch& touch = *touches[one & 0xffff'ffffu];
        const Use use{.thread = touch.thread,
                      .line = touch.line,
                      .warp = touch.thread / kWarpLanes,
                      .block = touch.thread / threads_per_block,
                      .store = touch.store,
                      .atomic = touch.atomic,
                      .bulk = touch.bulk,
                      .published = touch.published,
                      .counted = touch.counted,
                      .bytes = touch.bytes,
                      .barriers = touch.barriers,
                      .first = touch.position,
                      .last = touch.position};
        if (!uses.empty() && uses.back().key() == use.key())
            uses.back().last = use.last;
        else
            uses.push_back(use);
    }
    return uses;
}

/// The uses of one thread in one line.
using Uses = std::span<const Use>;

/// The hazard in which one of the first uses comes before one of the second. Empty if there is none.
std::optional<Hazard> hazard_of(int word, Uses first, Uses second) {
    std::optional<Hazard> found;
    for (const Use& a : first) {
        for (const Use& b : second) {
            if ((a.bytes & b.bytes) == 0 || are_ordered(a, b) || a.first > b.last ||
                (a.first == b.last && a.thread > b.thread))
                continue;
            const int interval = a.barriers[int(Waits::block)];
            const HazardKind kind = !b.store  ? HazardKind::read_after_write
                                    : a.store ? HazardKind::write_after_write
                                              : HazardKind::write_after_read;
            if (!found || interval < found->interval)
                found = Hazard{kind, word, a.thread, a.line, b.thread, b.line, interval};
        }
    }
    return found;
}

/// Whether two threads can access the word, one of them with a store, between the same barriers. Most words
/// of a kernel without hazards are told apart by this, in one pass.
/// @param touches  of one word, by rising position; none of a word that nobody accesses
bool can_race(std::span<const Touch* const> touches, int threads_per_block) {
    if (touches.empty()) return false;
    const auto block_of = [&](const Touch* touch) { return touch->thread / threads_per_block; };
    const bool one_block = std::ranges::all_of(
        touches, [&](const Touch* touch) { return block_of(touch) == block_of(touches.front()); });
    const int scope = int(one_block ? Waits::block : Waits::cluster);
    const Touch* first = touches.front();  // since the last barrier
    bool store = false, plain = false, others = false;
    for (const Touch* touch : touches) {
        if (touch->barriers[scope] < first->barriers[scope])
            return true;  // not by their order: all are compared
        if (touch->barriers[scope] != first->barriers[scope]) {
            first = touch;
            store = plain = others = false;
        }
        store = store || touch->store;
        plain = plain || !touch->atomic;
        others = others || touch->bulk || touch->thread != first->thread;
        if (store && plain && others) return true;
    }
    return false;
}

/// @param touches      of one word, by rising position
/// @param comparisons  so many pairs may still be compared
bool visit_word(int word, std::span<const Touch* const> touches, int threads_per_block,
                std::int64_t& comparisons, const std::function<void(const Hazard&)>& visit) {
    if (!can_race(touches, threads_per_block)) return true;
    const std::vector<Use> uses = uses_of(touches, threads_per_block);
    std::vector<Uses> all;
    all.reserve(uses.size());
    for (auto begin = uses.begin(); begin != uses.end();) {
        const auto end =
            std::find_if(begin, uses.end(), [&](const Use& use) { return use.who() != begin->who(); });
        all.emplace_back(begin, end);
        begin = end;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].front().store) continue;
        if ((comparisons -= static_cast<std::int64_t>(all.size())) < 0) return false;
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (all[k].front().store && k <= i) continue;  // two stores are one pair
            if (all[k].front().atomic && all[i].front().atomic) continue;
            const bool own = all[k].front().thread == all[i].front().thread;
            for (const auto& [first, second] : {std::pair(all[i], all[k]), std::pair(all[k], all[i])}) {
                if (own && !first.front().bulk) continue;
                if (const auto found = hazard_of(word, first, second)) visit(*found);
            }
        }
    }
    return true;
}

bool within_warp(const Hazard& hazard) {
    return hazard.kind != HazardKind::uninitialized &&
           hazard.first_thread / kWarpLanes == hazard.second_thread / kWarpLanes;
}

/// The hazards of a report, one after the other, by rising word.
class Sum {
public:
    /// @param lines  of the order
    Sum(HazardReport& report, int blocks, int lines)
        : report_(report),
          lines_(static_cast<std::size_t>(lines)),
          of_lines_(static_cast<std::size_t>(kHazardKinds) * lines_ * lines_),
          threads_(static_cast<std::size_t>(report.threads_per_block) * static_cast<std::size_t>(blocks)),
          met_(threads_ * threads_) {}

    /// The hazards that follow are of this word.
    WordState& begin_word(int word) {
        word_ = &report_.words.add(word);
        rank_of_word_ = kNoRank;
        return *word_;
    }

    void add(const Hazard& hazard) {
        const bool near = within_warp(hazard);
        ++report_.counts[int(hazard.kind)];
        report_.within_warps += near ? 1 : 0;
        word_->kinds |= static_cast<std::uint8_t>(1u << int(hazard.kind));
        ++word_->hazards;
        const auto [low, high] = std::minmax(hazard.first_thread, hazard.second_thread);
        const std::size_t both = static_cast<std::size_t>(low) * threads_ + static_cast<std::size_t>(high);
        report_.thread_pairs += met_[both] || low == high ? 0 : 1;
        met_[both] = true;
        // A hazard between warps, and of a grid between blocks, is the better example: nobody expects these
        // to run in step. Else the first in the order of words.
        const int block = report_.threads_per_block;
        const int rank = (near ? 2 : 0) + (low / block == high / block ? 1 : 0);
        if (rank < rank_of_word_ || (rank == rank_of_word_ && hazard < word_->example)) {
            word_->example = hazard;
            rank_of_word_ = rank;
        }
        OfLines& lines = of_lines(hazard);
        ++lines.pair.hazards;
        lines.pair.within_warps += near ? 1 : 0;
        const bool same_word = std::exchange(lines.last_word, hazard.word) == hazard.word;
        lines.pair.words += same_word ? 0 : 1;
        if (rank < lines.rank ||
            (rank == lines.rank && hazard.word == lines.pair.example.word && hazard < lines.pair.example)) {
            lines.pair.example = hazard;
            lines.rank = rank;
        }
    }

    void finish() {
        for (OfLines& lines : of_lines_) {
            if (lines.pair.hazards == 0) continue;
            const Hazard& one = lines.pair.example;
            lines.pair.kind = one.kind;
            lines.pair.first_line = one.first_line;
            lines.pair.second_line = one.second_line;
            report_.pairs.push_back(lines.pair);
        }
        std::ranges::stable_sort(report_.pairs, [](const LinePair& a, const LinePair& b) {
            const std::int64_t of_a = a.hazards - a.within_warps, of_b = b.hazards - b.within_warps;
            return std::tie(of_b, b.hazards) < std::tie(of_a, a.hazards);
        });
    }

private:
    static constexpr int kNoRank = 4;
    struct OfLines {
        LinePair pair;
        int last_word = -1;
        int rank = kNoRank;  ///< of the example
    };

    OfLines& of_lines(const Hazard& hazard) {
        const auto kind = static_cast<std::size_t>(hazard.kind),
                   first = static_cast<std::size_t>(hazard.first_line),
                   second = static_cast<std::size_t>(hazard.second_line);
        return of_lines_[(kind * lines_ + first) * lines_ + second];
    }

    HazardReport& report_;
    WordState* word_ = nullptr;
    int rank_of_word_ = kNoRank;  ///< of its example
    std::size_t lines_;
    std::vector<OfLines> of_lines_;  ///< by kind, first and second line
    std::size_t threads_;
    std::vector<bool> met_;  ///< pairs of threads
};

}  // namespace

namespace {

/// The touches of each word that is accessed.
class TouchesOfWords {
public:
    /// @param touches  by rising position; they must live as long
    explicit TouchesOfWords(std::span<const Touch> touches) : begin_(1), sorted_(touches.size()) {
        int words = 0;
        for (const Touch& touch : touches) words = std::max(words, touch.word + 1);
        // A counting sort by word, which keeps the order of positions. Most words may have no touch.
        std::vector<std::int32_t> place(static_cast<std::size_t>(words), -1);
        for (const Touch& touch : touches) place[static_cast<std::size_t>(touch.word)] = 0;
        for (int word = 0; word < words; ++word) {
            std::int32_t& at = place[static_cast<std::size_t>(word)];
            if (at < 0) continue;
            at = static_cast<std::int32_t>(words_.size());
            words_.push_back(word);
        }
        const auto place_of = [&](const Touch& touch) {
            return static_cast<std::size_t>(place[static_cast<std::size_t>(touch.word)]);
        };
        begin_.resize(words_.size() + 1);
        for (const Touch& touch : touches) ++begin_[place_of(touch) + 1];
        for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (const Touch& touch : touches) sorted_[next[place_of(touch)]++] = &touch;
    }
    std::size_t size() const { return words_.size(); }
    int word(std::size_t i) const { return words_[i]; }  ///< rising
    /// By rising position.
    std::span<const Touch* const> touches(std::size_t i) const {
        return std::span<const Touch* const>(sorted_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
    }

private:
    std::vector<int> words_;
    std::vector<std::size_t> begin_;
    std::vector<const Touch*> sorted_;
};

/// Whether a store can come before a load: unless the load is the thread's own and earlier, or a barrier
/// makes the store wait for it.
bool can_come_before(const Touch& store, const Touch& load, int threads_per_block) {
    if (store.thread == load.thread) return store.position < load.position;
    const auto in_same = [&](int size) { return store.thread / size == load.thread / size; };
    const Waits scope = in_same(kWarpLanes)          ? Waits::warp
                        : in_same(threads_per_block) ? Waits::block
                                                     : Waits::cluster;
    return store.barriers[int(scope)] <= load.barriers[int(scope)];
}

void visit_uninitialized_word(int word, std::span<const Touch* const> touches, int threads_per_block,
                              const std::function<void(const Hazard&)>& visit) {
    std::set<std::pair<int, int>> found;  // threads and lines
    for (const Touch* load : touches) {
        if (load->store && !load->atomic) continue;
        int missing = load->bytes;
        for (const Touch* store : touches) {
            if (missing == 0) break;
            const bool adds = store->atomic && load->atomic;  // one of them is the first
            if (store->store && !adds && can_come_before(*store, *load, threads_per_block))
                missing &= ~store->bytes;
        }
        if (missing != 0 && found.emplace(load->thread, load->line).second)
            visit({HazardKind::uninitialized, word, load->thread, load->line, load->thread, load->line,
                   load->barriers[int(Waits::block)]});
    }
}

}  // namespace

bool visit_hazards(std::span<const Touch> touches, int threads_per_block,
                   const std::function<void(const Hazard&)>& visit) {
    std::int64_t comparisons = kMostComparisons;
    const TouchesOfWords all(touches);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!visit_word(all.word(i), all.touches(i), threads_per_block, comparisons, visit)) return false;
    return true;
}

void visit_uninitialized(std::span<const Touch> touches, int threads_per_block,
                         const std::function<void(const Hazard&)>& visit) {
    const TouchesOfWords all(touches);
    for (std::size_t i = 0; i < all.size(); ++i)
        visit_uninitialized_word(all.word(i), all.touches(i), threads_per_block, visit);
}

const WordState& WordStates::operator[](int word) const {
    static const WordState kNone;
    const auto found = std::ranges::lower_bound(words_, word);
    return found == words_.end() || *found != word ? kNone : states_[std::size_t(found - words_.begin())];
}

WordState& WordStates::add(int word) {
    grow(static_cast<std::size_t>(word) + 1);
    words_.push_back(word);
    return states_.emplace_back();
}

std::int64_t HazardReport::words_affected() const {
    return std::ranges::count_if(words.accessed(), [](const WordState& word) { return word.kinds != 0; });
}

InSteps<HazardReport> with_hazards(HazardReport report, std::vector<Touch> touches, std::int64_t shared_bytes,
                                   int blocks) {
    report.words.grow(std::size_t((shared_bytes + kTouchedBytes - 1) / kTouchedBytes));
    int lines = 0;
    for (const Touch& touch : touches) lines = std::max(lines, touch.line + 1);
    const bool asks_for_stores = report.all_found && report.space != Space::global;
    Sum sum(report, blocks, lines);
    const std::function<void(const Hazard&)> add = [&](const Hazard& hazard) { sum.add(hazard); };
    std::int64_t comparisons = kMostComparisons;
    const TouchesOfWords all(touches);
    StepClock clock;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (clock.is_up()) co_yield double(i) / double(all.size());
        const std::span<const Touch* const> of_word = all.touches(i);
        WordState& state = sum.begin_word(all.word(i));
        for (const Touch* touch : of_word) (touch->store ? state.stored : state.loaded) = true;
        // Once there is too much to compare, later words are not compared either.
        report.all_found = (comparisons >= 0 &&
                            visit_word(all.word(i), of_word, report.threads_per_block, comparisons, add)) &&
                           report.all_found;
        if (asks_for_stores) visit_uninitialized_word(all.word(i), of_word, report.threads_per_block, add);
    }
    sum.finish();
    co_return report;
}

}  // namespace warplens
