#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/learn/quiz_maker.h"
#include "app/model/access/counts.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace warplens {
namespace {

/// A setting of the kernel, and what its first warp requests.
struct Tried {
    State state;
    const Knob* moved = nullptr;  ///< null for the setting that the quiz is about
    std::vector<InstructionReport> rows;
};

/// The numbered lines of a text, which may come from anywhere.
std::string numbered(std::string_view text) {
    std::string out;
    for (int line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        out += fmt::format("{}{:>3}  {}", line == 1 ? "" : "\n", line,
                           printable(text.substr(0, end), kMostMessageBytes));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

/// Two requests for which this is equal cost the same: where their lanes lie from the first one on, and
/// where that one lies in 256 bytes, which arrays begin at.
auto shape_of(const WarpAccess& access) {
    constexpr std::uint64_t kPeriod = 256;
    std::array<std::uint64_t, kWarpLanes> distances{};
    std::uint64_t first = 0;
    bool any = false;
    for (std::size_t i = 0; i < kWarpLanes; ++i) {
        if ((access.active >> i & 1u) == 0) continue;
        if (!any) first = access.byte_address[i];
        any = true;
        distances[i] = access.byte_address[i] - first;
    }
    return std::tuple(access.active, first % kPeriod, distances);
}

class KernelQuizMaker {
public:
    KernelQuizMaker(std::uint32_t seed, const QuizAbout& about, std::size_t device,
                    const std::vector<DeviceFacts>& devices)
        : dice_(seed),
          about_(about),
          here_(*about.here),
          device_(devices.at(device)),
          kernel_(*about.here->scenario),
          quiz_{seed, {}, numbered(kernel_.typed->text()), about} {
        here_.device = device;
        here_.compared.reset();
        here_.params.warp = here_.params.step = 0;
    }

    /// Try the setting of the quiz.
    void begin() {
        try_setting(here_, nullptr);
        if (!tried_.empty()) choose_moves();  // else it does wrong
    }
    /// Try another setting. @return  how far it is; nothing if there were enough
    std::optional<double> try_next() {
        if (moves_.empty() || tried_.size() >= kMostSettings) return std::nullopt;
        const auto [knob, value] = moves_.back();
        moves_.pop_back();
        State there = here_;
        there.params = with_knob(kernel_, here_.params, *knob, value);
        try_setting(there, knob);
        return double(tried_.size()) / double(kMostSettings);
    }
    /// The questions about what was tried.
    Quiz ask(std::size_t count) {
        for (const Tried& one : tried_) ask_one(one);
        if (!indices_)
            for (const Tried& one : tried_) ask_change(tried_.front(), one);
        dice_.shuffle(questions_);
        take_questions(count);
        if (quiz_.questions.empty()) fail();
        return std::move(quiz_);
    }

private:
    static constexpr std::size_t kMostSettings = 16;

    /// Go round kinds and accesses: those come first that were asked about least.
    void take_questions(std::size_t count) {
        std::map<QuestionKind, int> kinds;
        std::map<int, int> accesses;
        while (quiz_.questions.size() < count && !questions_.empty()) {
            const auto next = std::ranges::min_element(questions_, {}, [&](const Question& question) {
                return kinds[question.kind] + accesses[question.instruction];
            });
            ++kinds[next->kind];
            ++accesses[next->instruction];
            quiz_.questions.push_back(std::move(*next));
            questions_.erase(next);
        }
    }

    [[noreturn]] void fail() const {
        const std::string problem = kernel_.typed->problem(about_.here->params);
        if (!problem.empty())
            throw UsageError(fmt::format("there is nothing to ask about {} as long as this is wrong: {}",
                                         kernel_.info->title, problem));
        throw UsageError(fmt::format(
            "there is nothing to ask about {}{}: its first warp has no load or store that takes more than one "
            "sector, wavefront or request",
            kernel_.info->title,
            about_.space ? fmt::format(" and {} memory", space_name(*about_.space)) : std::string()));
    }

    void try_setting(const State& state, const Knob* moved) {
        if (!kernel_.typed->problem(state.params).empty()) return;
        Tried one{state, moved, pictured_requests(kernel_, state.params, device_)};
        for (InstructionReport& row : one.rows) row.kind = count_basis(row.instruction, device_).kind;
        tried_.push_back(std::move(one));
    }

    /// A few values of each declared parameter, the others as they are.
    void choose_moves() {
        indices_ = kernel_.typed->has_index_arrays(here_.params);
        for (const Knob& knob : kernel_.info->knobs) {
            if (knob.picture_only) continue;
            std::set<int> values{knob.min, knob.max};
            for (const int value : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 64})
                if (value > knob.min && value < knob.max) values.insert(value);
            values.erase(here_.params.*knob.field);
            for (const int value : values) moves_.emplace_back(&knob, value);
        }
        dice_.shuffle(moves_);
        std::ranges::reverse(moves_);  // the last one is tried first
    }

    /// Whether a sheet can say all that must be known to count it.
    bool can_ask(const InstructionReport& row) const {
        const Space space = row.instruction.space;
        const bool told =
            space == Space::global || space == Space::shared ||
            ((space == Space::constant || space == Space::local) && row.instruction.bytes_per_lane == 4);
        return told && (!about_.space || *about_.space == space) && row.kind == Provenance::exact &&
               row.warp.requests > 0 && !merges(row, device_);
    }

    Question question_about(QuestionKind kind, const Tried& one, std::size_t k) const {
        Question question{.kind = kind, .settings = {one.state}, .instruction = int(k)};
        const int line = kernel_.typed->line_of(one.state.params, question.instruction);
        std::string_view text = kernel_.typed->text();
        for (int i = 1; i < line; ++i) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
        text = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        question.code = fmt::format("{:>3}  {}", line, printable(text, kMostMessageBytes));
        return question;
    }

    /// One of several answers that are alike is enough.
    void keep(Question question, const Knob* moved = nullptr) {
        if (is_trivial(question)) return;
        if (kept_.emplace(question.kind, question.instruction, moved, question.right).second)
            questions_.push_back(std::move(question));
    }

    std::string rule_of(const InstructionReport& row) const {
        return quiz_rule(row, device_.bank_rules, "arrays begin at multiples of 16 bytes");
    }

    void ask_one(const Tried& one) {
        for (std::size_t k = 0; k < one.rows.size(); ++k) {
            const InstructionReport& row = one.rows[k];
            if (!can_ask(row) || !asked_.emplace(row.instruction.label, shape_of(row.access)).second)
                continue;
            const std::string rule = rule_of(row), situation = tell(one, k);
            const bool conflicts = has_banks(row.instruction.space) && row.instruction.bytes_per_lane == 4 &&
                                   row.warp.excessive_wavefronts() > 0;
            Question question = question_about(QuestionKind::count, one, k);
            question.situation = situation;
            if (conflicts && dice_.below(2) == 0) {  // who knows one answer knows the other
                ask_excess(question, row, rule);
                keep(std::move(question));
            } else if (ask_count(question, row, device_, rule)) {
                keep(std::move(question));
            }
            question = question_about(QuestionKind::share, one, k);
            question.situation = situation;
            if (has_sectors(row.instruction.space) && ask_share(question, row, rule, dice_))
                keep(std::move(question));
        }
    }

    static void ask_excess(Question& question, const InstructionReport& row, std::string_view rule) {
        question.kind = QuestionKind::excess;
        question.right = std::to_string(row.warp.excessive_wavefronts());
        question.right_kind = row.kind;
        question.text = fmt::format("How many wavefronts would this {} save if there were no bank conflicts?",
                                    quiz_act(row));
        question.rule = rule;
    }

    /// From the setting of the quiz to another one, if that moves the lanes of an access.
    void ask_change(const Tried& from, const Tried& to) {
        for (std::size_t k = 0; k < from.rows.size() && k < to.rows.size(); ++k) {
            const InstructionReport &a = from.rows[k], &b = to.rows[k];
            const bool same_access =
                a.instruction.label == b.instruction.label && a.access.active == b.access.active;
            if (to.moved == nullptr || !same_access || !can_ask(a) || !can_ask(b) ||
                shape_of(a.access) == shape_of(b.access))
                continue;
            const CostWords words = cost_of(a.instruction.space, device_.sector_rules);
            const std::int64_t before = words.cost(a.warp), after = words.cost(b.warp);
            Question question = question_about(QuestionKind::change, from, k);
            question.settings.push_back(to.state);
            question.situation = tell(from, k, &to);
            question.choices = {"fewer", "as many", "more"};
            question.right = after < before ? "fewer" : after == before ? "as many" : "more";
            question.right_kind = a.kind;
            question.text = fmt::format("Does this {} need fewer {} in B than in A, as many, or more?",
                                        quiz_act(a), words.name);
            question.rule = rule_of(a);
            keep(std::move(question), to.moved);
        }
    }

    /// The situation: "The first warp executes load in, line 9, for the first time, with n=4096,
    /// stride=2. Each lane loads 4 bytes. All lanes take part."
    /// @param to  another setting beside, of which one parameter differs; null if there is none
    std::string tell(const Tried& one, std::size_t k, const Tried* to = nullptr) const {
        const InstructionReport& row = one.rows[k];
        const Params& params = one.state.params;
        // A label is longer than the short name where two accesses are told apart by their places.
        const std::string_view label = row.instruction.label;
        std::string text = fmt::format("The first warp executes {}", label);
        if (label == short_name(row.instruction))
            text += fmt::format(", line {}", kernel_.typed->line_of(params, int(k)));
        text += ", for the first time";
        std::string values;
        for (const Knob& knob : kernel_.info->knobs) {
            if (knob.picture_only || (to != nullptr && to->moved == &knob)) continue;
            values += fmt::format("{}{}={}", values.empty() ? ", with " : ", ", knob.key,
                                  format_knob(knob, params));
        }
        text += values + ".";
        if (to != nullptr)
            text += fmt::format(" A: {0}={1}. B: {0}={2}.", to->moved->key, format_knob(*to->moved, params),
                                format_knob(*to->moved, to->state.params));
        text += fmt::format(" Each lane {}s {} bytes. {}", quiz_act(row), row.instruction.bytes_per_lane,
                            quiz_lanes(row.access.active));
        return indices_ ? text + bytes_of(row.access) : text;
    }

    /// The bytes that the lanes access, because an array that nobody sees may choose it.
    static std::string bytes_of(const WarpAccess& access) {
        constexpr std::uint64_t kPeriod = 256;
        std::uint64_t least = ~std::uint64_t{0};
        for (std::size_t i = 0; i < kWarpLanes; ++i)
            if ((access.active >> i & 1u) != 0) least = std::min(least, access.byte_address[i]);
        std::string all;
        for (std::size_t i = 0; i < kWarpLanes; ++i)
            if ((access.active >> i & 1u) != 0)
                all += fmt::format("{}{}", all.empty() ? "" : ", ",
                                   access.byte_address[i] - least / kPeriod * kPeriod);
        return fmt::format(" From a multiple of {} bytes on they access the bytes {}.", kPeriod, all);
    }

    QuizDice dice_;
    const QuizAbout about_;
    State here_;  ///< the setting of the quiz
    const DeviceFacts& device_;
    const Scenario& kernel_;
    Quiz quiz_;
    bool indices_ = false;
    std::vector<std::pair<const Knob*, int>> moves_;  ///< to be tried
    std::vector<Tried> tried_;
    std::set<std::pair<std::string_view, decltype(shape_of(WarpAccess{}))>> asked_;
    std::set<std::tuple<QuestionKind, int, const Knob*, std::string>> kept_;
    std::vector<Question> questions_;
};

}  // namespace

InSteps<Quiz> kernel_quiz_in_steps(std::uint32_t seed, int count, QuizAbout about, std::size_t device,
                                   const std::vector<DeviceFacts>& devices) {
    KernelQuizMaker maker(seed, about, device, devices);
    maker.begin();
    co_yield 0;
    while (const std::optional<double> far = maker.try_next()) co_yield *far;
    co_return maker.ask(std::size_t(std::max(count, 0)));
}

}  // namespace warplens
