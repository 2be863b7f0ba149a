#include "app/learn/quiz_maker.h"
#include "app/base/assets.h"
#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/boards/access/kernel_verdict.h"
#include "app/experiment/devices.h"
#include "app/experiment/recordings.h"
#include "app/measure/recording.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warplens {
namespace {

/// Errors: UsageError if there is none.
std::vector<const ScenarioSource*> sources_of(const QuizAbout& about) {
    std::vector<const ScenarioSource*> fit;
    std::vector<std::string_view> others;
    const Scenario* here = about.here ? about.here->scenario : nullptr;
    for (const ScenarioSource& source : quiz_sources()) {
        if ((!about.space || source.space == *about.space) && (here == nullptr || source.scenario == here))
            fit.push_back(&source);
        if (std::ranges::find(others, source.scenario->info->id) == others.end())
            others.push_back(source.scenario->info->id);
    }
    if (!fit.empty()) return fit;
    if (here == nullptr)
        throw UsageError(fmt::format("there are no questions about {} memory (there are some about: {})",
                                     space_name(*about.space),
                                     join_names(names_of(quiz_spaces(), space_name))));
    if (has_quiz(*here))
        throw UsageError(fmt::format("there are no questions about {} memory in {}: choose another memory",
                                     space_name(*about.space), here->info->id));
    throw UsageError(fmt::format("there are no questions about {} (there are some about: {})", here->info->id,
                                 join_names(others)));
}

class QuizMaker {
public:
    QuizMaker(std::uint32_t seed, const QuizAbout& about, std::size_t device,
              const std::vector<DeviceFacts>& devices)
        : dice_(seed),
          sources_(sources_of(about)),
          device_(device),
          devices_(devices),
          machine_dice_(seed + 1),
          with_machine_(!about.space && !about.here) {}

    /// @return  whether a recording is of this GPU model
    bool reads(std::string_view path) {
        const Recording& one = shipped_recording(path).read.recording;
        if (is_model(devices_, device_, one.gpu)) recording_ = &one;
        return recording_ != nullptr;
    }

    /// The question that follows so many.
    Question next(std::size_t made) {
        constexpr int kTries = 400, kMostTrivialPercent = 15;
        constexpr std::size_t kEvery = 4;
        if (with_machine_ && made % kEvery == kEvery - 1)
            for (int tries = 0; tries < kTries; ++tries) {
                Question question = machine_question(device_, devices_, machine_dice_);
                if (++asked_[question.text + question.situation] == 1) return question;
            }
        Question question;
        for (int tries = 0; tries < kTries; ++tries) {
            const QuestionKind kind = any_kind();
            const ScenarioSource* source = any_source(kind);
            if (source == nullptr || !fill(question, kind, *source)) continue;
            const std::string name = fmt::format("{} {}", question.text, question.situation);
            const bool known = asked_[name] > 0;
            if (known && tries < kTries / 2) continue;
            const bool trivial = is_trivial(question);
            if (trivial && 100 * (trivial_ + 1) > kMostTrivialPercent * (drawn_ + 1)) continue;
            trivial_ += trivial ? 1 : 0;
            ++drawn_;
            ++asked_[name];
            ++used_[source];
            return question;
        }
        throw std::logic_error("the quiz found no question");
    }

private:
    QuestionKind any_kind() {
        using enum QuestionKind;
        static constexpr std::array kKinds{count, count, count, count, share, faster, fewer, count};
        return dice_.one_of(kKinds);
    }

    bool suits(const ScenarioSource& source, QuestionKind kind) const {
        const bool sectors = has_sectors(source.space);
        return kind == QuestionKind::count || (kind == QuestionKind::share && sectors) ||
               (kind == QuestionKind::fewer && source.space == Space::global) ||
               (kind == QuestionKind::faster && !source.speed.empty() && recording_ != nullptr);
    }

    /// One of the sources that were used least so far.
    const ScenarioSource* any_source(QuestionKind kind) {
        std::vector<const ScenarioSource*> fit;
        int least = 1 << 20;
        for (const ScenarioSource* one : sources_) {
            const ScenarioSource& source = *one;
            if (!suits(source, kind)) continue;
            const int used = used_[&source];
            if (used < least) fit.clear();
            least = std::min(least, used);
            if (used == least) fit.push_back(&source);
        }
        return fit.empty() ? nullptr : dice_.one_of(fit);
    }

    void turn(State& state, const QuizTurn& turn) {
        const Knob* knob = find_knob(*state.scenario, turn.key);
        const auto value = parse_knob(*knob, state.params, dice_.one_of(quiz_parts(turn.values)));
        if (value && quiz_holds(state, turn.only)) state.params.*knob->field = *value;
    }

    State any_setting(const ScenarioSource& source) {
        State state = initial_state(*source.scenario, device_);
        for (const QuizTurn& knob : source.turns) turn(state, knob);
        clamp_knobs(*state.scenario, state.params);
        return state;
    }

    bool fill(Question& question, QuestionKind kind, const ScenarioSource& source) {
        if (kind == QuestionKind::faster) return fill_faster(question, source);
        question = {.kind = kind, .settings = {any_setting(source)}};
        if (kind == QuestionKind::fewer) {
            State second = question.settings.front();
            turn(second, dice_.one_of(source.turns));
            clamp_knobs(*second.scenario, second.params);
            question.settings.push_back(second);
        }
        return choose_instruction(question, source) && ask(question) && describe(question, source);
    }

    const DeviceFacts& device() const { return devices_[device_]; }

    /// The report of a setting; it is kept, as small memories have few settings and are asked about again.
    const Report& report(const State& state) {
        const std::string settings = describe_settings(*state.scenario, state.params);
        const auto [known, is_new] =
            reports_.try_emplace(fmt::format("{} {}", state.scenario->info->id, settings));
        if (is_new) known->second = analyze(*state.scenario, state.params, device());
        return known->second;
    }

    /// Chooses a request of that memory that costs something.
    bool choose_instruction(Question& question, const ScenarioSource& source) {
        std::vector<int> fit;
        const Report& first = report(question.settings.front());
        for (std::size_t k = 0; k < first.instructions.size(); ++k) {
            const InstructionReport& row = first.instructions[k];
            const bool counted = row.instruction.space == source.space && row.kind == Provenance::exact;
            if (counted && !merges(row, device()) && row.warp.requests > 0) fit.push_back(int(k));
        }
        if (fit.empty() || !first.does_not_fit.empty()) return false;
        question.instruction = dice_.one_of(fit);
        return true;
    }

    bool ask(Question& question) {
        if (question.kind == QuestionKind::fewer) return ask_fewer(question);
        const InstructionReport& row = *row_of(report(question.settings.front()), question);
        const std::string rule = quiz_rule(row, device().bank_rules);
        return question.kind == QuestionKind::count ? ask_count(question, row, device(), rule)
                                                    : ask_share(question, row, rule, dice_);
    }

    /// The instruction of the question in the report of a setting. Null if the setting has no such
    /// instruction.
    static const InstructionReport* row_of(const Report& report, const Question& question) {
        const std::size_t k = question.instruction;
        return k < report.instructions.size() ? &report.instructions[k] : nullptr;
    }

    bool ask_fewer(Question& question) {
        const Report &a = report(question.settings[0]), &b = report(question.settings[1]);
        const InstructionReport *first = row_of(a, question), *second = row_of(b, question);
        if (second == nullptr || second->instruction.space != first->instruction.space) return false;
        const std::int64_t lines_a = first->warp.lines, lines_b = second->warp.lines;
        if (lines_a == lines_b || lines_a == 0 || lines_b == 0) return false;
        question.choices = {"A", "B"};
        question.right = lines_a < lines_b ? "A" : "B";
        question.right_kind = first->kind;
        question.text = fmt::format("Which of the two accesses fewer lines of {} bytes?", kLineBytes);
        question.rule = quiz_rule(*first, device().bank_rules);
        return true;
    }

    /// The bytes that a warp requests per sector or wavefront, for all instructions together.
    double bytes_per_cost(const State& state) {
        const Report& all = report(state);
        std::int64_t bytes = 0, cost = 0;
        for (const InstructionReport& row : all.instructions) {
            const CostWords words = cost_of(row.instruction.space, all.sector_rules);
            bytes += row.warp.bytes_used;
            if (!words.name.empty()) cost += words.cost(row.warp);
        }
        return cost == 0 ? 0 : double(bytes) / double(cost);
    }

    /// Two recorded launches that do the same work with one knob set differently. The recording decides, by
    /// more than a tenth; the counts of the accesses agree with it, so that a person can find it out.
    bool fill_faster(Question& question, const ScenarioSource& source) {
        const Scenario* scenario = source.scenario;
        std::vector<const RecordedPoint*> points;
        for (const RecordedSeries& series : recording_->series) {
            if (series.scenario != scenario) continue;
            for (const RecordedPoint& point : series.points)
                if (!point.cold && !point.timing.cold) points.push_back(&point);
        }
        if (points.empty()) return false;
        const RecordedPoint& a = *dice_.one_of(points);
        std::erase_if(points, [&](const RecordedPoint* b) { return !compares(source, a, *b); });
        if (points.empty()) return false;
        const RecordedPoint& b = *dice_.one_of(points);
        question = {.kind = QuestionKind::faster, .settings = {}};
        for (const RecordedPoint* one : {&a, &b}) {
            question.settings.push_back(initial_state(*scenario, device_));
            question.settings.back().params = one->params;
            const Report& all = report(question.settings.back());
            const bool merged =
                std::ranges::any_of(all.instructions, [&](const auto& row) { return merges(row, device()); });
            if (merged || !all.does_not_fit.empty()) return false;
        }
        if (!choose_instruction(question, source)) return false;
        const bool a_wins = a.timing.median_us < b.timing.median_us;
        const double use_a = bytes_per_cost(question.settings[0]),
                     use_b = bytes_per_cost(question.settings[1]);
        constexpr double kVisible = 1.2;  // a smaller difference would not be visible in the pictures
        if (!is_about_transfers(*scenario) && (a_wins ? use_a : use_b) < kVisible * (a_wins ? use_b : use_a))
            return false;
        question.choices = {"A", "B"};
        question.right = a_wins ? "A" : "B";
        question.right_kind = Provenance::recorded;
        question.text = fmt::format("Which launch took less time, as recorded on an {} ({})?",
                                    recording_->gpu.name, recording_->days());
        question.recorded = fmt::format("Recorded on an {}: A {:.4g} µs, B {:.4g} µs.", recording_->gpu.name,
                                        a.timing.median_us, b.timing.median_us);
        tell_launches(question, *scenario, a.params, b.params);
        return true;
    }

    /// Whether the launches differ in one knob of the source's list, do the same work, and differ in time.
    static bool compares(const ScenarioSource& source, const RecordedPoint& a, const RecordedPoint& b) {
        constexpr double kClear = 1.1;
        const double slow = std::max(a.timing.median_us, b.timing.median_us);
        if (slow <= kClear * std::min(a.timing.median_us, b.timing.median_us)) return false;
        if (a.timing.useful_bytes != b.timing.useful_bytes || a.timing.flop != b.timing.flop) return false;
        const Scenario& scenario = *source.scenario;
        bool one = false;
        for (const std::string_view key : quiz_parts(source.speed)) {
            const Knob& knob = *find_knob(scenario, key);
            Params params = b.params;
            params.*knob.field = a.params.*knob.field;
            one |= params == a.params;
        }
        return one;
    }

    /// Tells what the lanes access in each setting.
    /// @return  whether it can be told, and the settings differ.
    bool describe(Question& question, const ScenarioSource& source) {
        const ScenarioInfo& info = *question.settings.front().scenario->info;
        const bool two = question.settings.size() == 2;
        question.situation =
            fmt::format("{} ({} memory){}", info.title, space_name(source.space), two ? "." : ", ");
        std::string before;
        for (const State& state : question.settings) {
            const Report& all = report(state);
            const std::string text = quiz_access(state, *row_of(all, question), source.tells);
            if (text.empty() || text == before) return false;
            question.situation += !two ? text : fmt::format(" {}: {}", before.empty() ? 'A' : 'B', text);
            before = text;
        }
        return true;
    }

    QuizDice dice_;
    std::vector<const ScenarioSource*> sources_;
    std::size_t device_;
    const std::vector<DeviceFacts>& devices_;
    QuizDice machine_dice_;  ///< of its own, so that the other questions of a seed are as they were
    const bool with_machine_;
    const Recording* recording_ = nullptr;  ///< of this GPU model; null if there is none
    int drawn_ = 0, trivial_ = 0;
    std::map<std::string, Report> reports_;
    std::map<std::string, int> asked_;
    std::map<const ScenarioSource*, int> used_;
};

InSteps<Quiz> scenario_quiz_in_steps(std::uint32_t seed, int count, QuizAbout about, std::size_t device,
                                     const std::vector<DeviceFacts>& devices) {
    QuizMaker maker(seed, about, device, devices);
    for (const std::string_view path : asset_paths(kShippedFolder)) {
        if (maker.reads(path)) break;
        co_yield 0;
    }
    Quiz quiz{.seed = seed, .about = about};
    while (int(quiz.questions.size()) < count) {
        quiz.questions.push_back(maker.next(quiz.questions.size()));
        co_yield double(quiz.questions.size()) / count;
    }
    // It begins with what is read soonest.
    constexpr std::ptrdiff_t kFirst = 3;
    const auto begin = quiz.questions.begin();
    std::ranges::stable_sort(begin, begin + std::min(std::ssize(quiz.questions), kFirst), {},
                             [](const Question& one) { return one.situation.size() + one.rule.size(); });
    co_return quiz;
}

}  // namespace

InSteps<Quiz> quiz_in_steps(std::uint32_t seed, int count, const QuizAbout& about, std::size_t device,
                            const std::vector<DeviceFacts>& devices) {
    const bool typed = about.here && about.here->scenario->typed != nullptr;
    return (typed ? kernel_quiz_in_steps : scenario_quiz_in_steps)(seed, count, about, device, devices);
}

Quiz make_quiz(std::uint32_t seed, int count, const QuizAbout& about, std::size_t device,
               const std::vector<DeviceFacts>& devices, const std::stop_token& stop) {
    auto making = quiz_in_steps(seed, count, about, device, devices);
    while (!stop.stop_requested())
        if (!making.step()) return making.take();
    return {seed, {}};
}

}  // namespace warplens
