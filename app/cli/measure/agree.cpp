#include "app/cli/measure/measure.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/base/process.h"
#include "app/cli/command_options.h"
#include "app/experiment/devices.h"
#include "app/experiment/evidence.h"
#include "app/experiment/settings.h"
#include "app/experiment/typed_kernel.h"
#include "app/model/random_settings.h"
#include "app/typed/on_gpu.h"
#include "app/typed/random_kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <random>

namespace warplens {
namespace {

/// One random setting, and the one that tells what its kernel reads of its own.
struct Candidate {
    Params params;
    ExpectedLaunch expected;
};

constexpr std::string_view kConstantRequests = "idc__requests.sum";

/// Settings of one scenario are counted with one set of counters: another one takes 0.2 s to set up.
std::vector<std::string> metrics_of_all(const std::vector<Candidate>& candidates) {
    std::vector<std::string> all;
    for (const CounterWords& words : counter_words()) {
        const auto wants = [&](const Candidate& candidate) {
            const auto metrics = metrics_of(candidate.expected, CounterSet::counted);
            return std::ranges::find(metrics, words.metric) != metrics.end();
        };
        if (std::ranges::any_of(candidates, wants)) all.emplace_back(words.metric);
    }
    return all;
}

/// Counts and compares the settings of one scenario.
struct Comparison {
    Agreement& agreement;
    const Scenario& scenario;
    const DeviceFacts& device;
    const ReadCounters& count;
    std::vector<std::string> metrics;

    void compare(const Candidate& candidate) {
        const auto reading = read(candidate.params);
        if (!reading) return;
        ++agreement.settings;
        for (const ExpectedCounter& counter : candidate.expected.counters) {
            const auto counted = value(*reading, counter.words->metric);
            if (!counted) continue;
            judge(candidate, counter, *counted);
        }
    }

    std::optional<CounterReading> read(const Params& params) {
        auto outcome = count({{std::string(scenario.info->id), params}, metrics});
        if (auto* reading = std::get_if<CounterReading>(&outcome)) return std::move(*reading);
        ++agreement.refused[std::get<Unavailable>(outcome).reason];
        return std::nullopt;
    }

    std::optional<double> value(const CounterReading& reading, std::string_view metric) const {
        const auto found = std::find(metrics.begin(), metrics.end(), metric);
        if (found == metrics.end()) return std::nullopt;
        return reading.values.at(found - metrics.begin());
    }

    /// Kernels read their arguments from constant memory, too. The same setting with one word for all lanes
    /// tells how much that is.
    double own_reads(const Params& params) {
        const Knob* words = find_knob(scenario, "words");
        if (words == nullptr) return 0;
        Params one_word = params;
        one_word.*words->field = 1;
        const auto reading = read(one_word);
        const ExpectedLaunch expected = expect_counters(scenario, one_word, device);
        const ExpectedCounter* counter = expected.find(kConstantRequests);
        const auto counted = reading ? value(*reading, kConstantRequests) : std::nullopt;
        return counted && counter != nullptr ? *counted - counter->expected : 0;
    }

    void judge(const Candidate& candidate, const ExpectedCounter& counter, double counted) {
        const double own = counter.words->metric == kConstantRequests ? own_reads(candidate.params) : 0;
        const Judgement judgement = judge_counter(candidate.expected, counter, counted, own);
        AgreementRow& row = agreement.row(scenario.info->id, counter.words);
        ++row.by_verdict[int(judgement.verdict)];
        if (counter.kind != Provenance::exact) row.kind = counter.kind;
        if (judgement.verdict == Verdict::equal) return;
        agreement.differences.push_back(
            {std::string(scenario.info->id), describe_settings(scenario, candidate.params, ","),
             counter.words, counter.expected, counted - own, judgement, counter.kind,
             may_be_arbitration(candidate.expected, counter, counted, judgement)});
    }
};

/// Random kernels: the addresses of the compiled kernel, and the hardware counters, against the model.
class TypedComparison {
public:
    TypedComparison(Agreement& agreement, const DeviceFacts& device)
        : agreement_(agreement), device_(device) {
        // The same for all kernels: another set of counters takes 0.2 s to set up.
        constexpr std::string_view kParts[] = {"global", "shared", "local"};
        for (const CounterWords& words : counter_words()) {
            const bool wanted = std::ranges::any_of(kParts, [&](std::string_view part) {
                return words.metric.find(part) != std::string_view::npos;
            });
            const bool twin = words.metric.find("requests") != std::string_view::npos;  // of the instructions
            if (wanted && !twin) metrics_.emplace_back(words.metric);
        }
    }

    void compare(std::uint64_t seed) {
        const Scenario& scenario = open_kernel(typed::random_kernel(seed), fmt::format("random {}", seed));
        const Params& params = scenario.info->defaults;
        scenario.typed->count_all(params, device_).done();
        constexpr std::int64_t kMostBlocks = 6;
        const auto addresses = gpu_.compare(scenario, params, kMostBlocks);
        if (const auto* why = std::get_if<Unavailable>(&addresses)) return refuse(why->reason);
        const auto& compared = std::get<typed::ComparedAddresses>(addresses);
        agreement_.typed_accesses += compared.accesses;
        if (compared.off > 0)
            agreement_.typed_off.push_back(fmt::format("seed {}: {}", seed, compared.first));
        const auto outcome = gpu_.count(scenario, params, metrics_);
        if (const auto* why = std::get_if<Unavailable>(&outcome)) return refuse(why->reason);
        ++agreement_.settings;
        judge(scenario, std::get<CounterReading>(outcome), seed, compared.off == 0);
    }

private:
    void refuse(const std::string& reason) { ++agreement_.refused[reason]; }

    void judge(const Scenario& scenario, const CounterReading& reading, std::uint64_t seed,
               bool same_addresses) {
        const ExpectedLaunch expected = expect_counters(scenario, scenario.info->defaults, device_);
        const auto judged = [&](std::string_view metric) -> std::optional<Judgement> {
            const auto place = std::size_t(std::ranges::find(metrics_, metric) - metrics_.begin());
            const ExpectedCounter* counter = expected.find(metric);
            if (counter == nullptr || place >= metrics_.size() || !reading.values.at(place))
                return std::nullopt;
            const double counted = *reading.values[place];
            const Judgement judgement = judge_counter(expected, *counter, counted);
            if (same_addresses && may_be_arbitration(expected, *counter, counted, judgement))
                return Judgement{Verdict::within, kArbitrationProven};
            return judgement;
        };
        for (std::size_t i = 0; i < metrics_.size(); ++i) {
            const ExpectedCounter* counter = expected.find(metrics_[i]);
            std::optional<Judgement> found = judged(metrics_[i]);
            if (!found) continue;
            Judgement& judgement = *found;
            const double counted = *reading.values[i];
            // More executions are those without an active lane if nothing more was moved, however many they
            // are: where no lane of a warp takes a branch, the model does not see it. Otherwise they are not.
            if (metrics_[i].find("inst_executed") != std::string::npos && counted > counter->expected) {
                const std::optional<Judgement> moved = judged(moved_by(metrics_[i]));
                const bool explained = same_addresses && moved && moved->verdict != Verdict::off;
                if (explained && moved->verdict == Verdict::equal)
                    judgement = {Verdict::within, kWithoutActiveLane};
                if (!explained)
                    judgement = {Verdict::off,
                                 "more executions, and the model is not right about what they move"};
            }
            AgreementRow& row = agreement_.row("kernel", counter->words);
            ++row.by_verdict[int(judgement.verdict)];
            if (judgement.verdict == Verdict::equal) continue;
            agreement_.differences.push_back({"kernel", fmt::format("seed={}", seed), counter->words,
                                              counter->expected, counted, judgement, counter->kind, false});
        }
    }

    /// The counter of what the instructions of another counter move.
    static std::string_view moved_by(std::string_view executed) {
        const bool load = executed.find("_ld") != std::string_view::npos;
        if (executed.find("shared") != std::string_view::npos)
            return load ? "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"
                        : "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
        if (executed.find("local") != std::string_view::npos)
            return load ? "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"
                        : "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum";
        return load ? "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
                    : "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
    }

    Agreement& agreement_;
    const DeviceFacts& device_;
    typed::GpuKernels gpu_;
    std::vector<std::string> metrics_;
};

std::vector<const Scenario*> comparable(const std::vector<const Scenario*>& scenarios,
                                        const DeviceFacts& device) {
    std::vector<const Scenario*> left;
    for (const Scenario* scenario : scenarios) {
        const bool any = !expect_counters(*scenario, scenario->info->defaults, device).counters.empty();
        if (any && scenario->info->least_cc <= device.cc.major * 10 + device.cc.minor)
            left.push_back(scenario);
    }
    return left;
}

/// In a process of its own, because CUPTI counts the addresses of the first kernel of a process only.
bool launch_is_as_predicted(std::string_view scenario, const std::string& settings) {
    constexpr std::chrono::seconds kLongest{60};
    std::vector<std::string> arguments{"/proc/self/exe", "measure", std::string(scenario), "--addresses"};
    if (!settings.empty()) arguments.insert(arguments.end(), {"--set", settings});
    return run_program(arguments, "/dev/null", kLongest) == 0;
}

/// Errors: Failure when counters cannot be read at all, with what to do about it.
void require_counters(const ReadCounters& count) {
    const Scenario& scenario = all_scenarios().front();
    Params params = scenario.info->defaults;
    params.elements_log2 = 10;
    const auto outcome =
        count({{std::string(scenario.info->id), params}, {std::string(counter_words().front().metric)}});
    if (const auto* why = std::get_if<Unavailable>(&outcome)) throw Failure(why->reason);
}

}  // namespace

AgreementRow& Agreement::row(std::string_view scenario, const CounterWords* words) {
    const std::pair key(scenario, words);
    const auto found = std::ranges::find(rows, key, &decltype(rows)::value_type::first);
    return found != rows.end() ? found->second : rows.emplace_back(key, AgreementRow{}).second;
}

std::int64_t Agreement::off_exact() const {
    return std::count_if(differences.begin(), differences.end(), [](const Disagreement& difference) {
        return difference.kind == Provenance::exact && difference.judgement.verdict == Verdict::off;
    });
}

Agreement compare_with_counters(const std::vector<const Scenario*>& scenarios, int settings, unsigned seed,
                                const DeviceFacts& device, const ReadCounters& count,
                                const std::function<void(int)>& progress) {
    Agreement agreement;
    const std::vector<const Scenario*> chosen = comparable(scenarios, device);
    std::mt19937 random(seed);
    int left = settings, done = 0;
    for (std::size_t s = 0; s < chosen.size(); ++s) {
        const int mine = left / int(chosen.size() - s);
        left -= mine;
        std::vector<Candidate> candidates;
        for (int n = 0; n < mine; ++n) {
            const Params params = random_launch(*chosen[s], random);
            candidates.push_back({params, expect_counters(*chosen[s], params, device)});
        }
        Comparison comparison{agreement, *chosen[s], device, count, metrics_of_all(candidates)};
        for (const Candidate& candidate : candidates) {
            comparison.compare(candidate);
            progress(++done);
        }
    }
    return agreement;
}

void prove_arbitration(Agreement& agreement, const AskAddresses& ask) {
    std::map<std::pair<std::string, std::string>, bool> answers;
    for (Disagreement& one : agreement.differences) {
        if (!one.may_be_arbitration) continue;
        const auto [answer, is_new] = answers.try_emplace({one.scenario, one.settings}, false);
        if (is_new) answer->second = ask(one.scenario, one.settings);
        if (!answer->second) continue;
        AgreementRow& row = agreement.row(find_scenario(one.scenario)->info->id, one.counter);
        --row.by_verdict[int(one.judgement.verdict)];
        one.judgement = {Verdict::within, kArbitrationProven};
        ++row.by_verdict[int(one.judgement.verdict)];
    }
}

void run_agree(const AgreeCommand& command, std::ostream& out) {
    std::vector<const Scenario*> scenarios;
    if (command.scenario.empty()) {
        for (const Scenario& scenario : all_scenarios()) scenarios.push_back(&scenario);
    } else {
        scenarios.push_back(&require_scenario(command.scenario));
    }
    const GpuInfo gpu = require_gpu("agree", command.cpu);
    if (!command.json_path.empty()) check_output(command.json_path);
    auto devices = device_table();
    const DeviceFacts device = devices[add_gpu_here(devices, gpu)];
    const auto progress = [&](int done) {
        if (done % 100 == 0)
            std::fprintf(stderr, "%d of %d\n", done, command.typed > 0 ? command.typed : command.settings);
    };
    Agreement agreement;
    if (command.typed > 0) {
        TypedComparison comparison(agreement, device);
        for (int i = 0; i < command.typed; ++i) {
            comparison.compare(std::uint64_t{command.seed} * 1'000'000 + std::uint64_t(i));
            progress(i + 1);
        }
    } else {
        const MeasureBench bench = gpu_bench();
        require_counters(bench.count);
        agreement =
            compare_with_counters(scenarios, command.settings, command.seed, device, bench.count, progress);
    }  // The counters are free again, which the other processes need.
    prove_arbitration(agreement, launch_is_as_predicted);
    if (!command.json_path.empty())
        write_output(command.json_path, agreement_to_json(agreement, gpu, command.seed).dump(2) + '\n');
    out << agreement_text(agreement, gpu, command.seed);
    if (agreement.settings == 0) throw Failure("nothing was compared");
    if (!agreement.typed_off.empty())
        throw Failure(fmt::format("{} kernels access something else", agreement.typed_off.size()));
    if (agreement.off_exact() > 0)
        throw Failure(fmt::format("{} counters that should be exact are off", agreement.off_exact()));
}

CommandEntry agree_command() {
    const auto declare = [](CLI::App& app, AgreeCommand& command) {
        add_value(app, "--scenario", command.scenario, "Only this one (default all)", "ID");
        add_value(app, "--settings", command.settings, "How many settings in all (default 200)", "N");
        add_value(app, "--typed", command.typed,
                  "Instead, so many kernels made by chance, as a person could type them", "N");
        add_value(app, "--seed", command.seed, "Of the random settings or kernels (default 1)", "S");
        add_value(app, "--json", command.json_path, "Write the results there, too", "FILE");
        add_cpu(app, command.cpu);
    };
    const auto check = [](AgreeCommand& command) {
        check_range("--settings", command.settings, 1, 1000000);
        check_range("--typed", command.typed, 0, 1000000);
        if (command.typed > 0 && !command.scenario.empty())
            throw UsageError("--typed makes its own kernels: leave out --scenario");
    };
    return {"agree", "Compare the model with this GPU's hardware counters, at random settings", "",
            options_of<AgreeCommand>(declare, run_agree, check)};
}

}  // namespace warplens
