#include "app/window/kernel_run.h"

#include "app/base/input.h"
#include "app/base/json_place.h"
#include "app/base/output.h"
#include "app/base/process.h"
#include "app/base/temporary_folder.h"
#include "app/base/text.h"
#include "app/experiment/kernel_table.h"
#include "app/experiment/typed_kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

constexpr std::chrono::seconds kLongestRun{60};
constexpr double kLargest = 1e18;

/// The last line that another program said, which tells why it failed.
std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return printable(text.substr(text.find_last_of('\n') + 1), kMostMessageBytes);
}

CountResult read_counters(const JsonPlace& place, const KernelRun::Job& job) {
    CountResult counts;
    counts.job.setting = {std::string(job.scenario->info->id), job.params};
    if (place.has("unavailable")) {
        counts.outcome = Unavailable{place.member("unavailable").text()};
        return counts;
    }
    CounterReading reading;
    reading.passes = place.member("passes").whole(0, 1'000'000);
    reading.elapsed_ms = place.member("elapsed_ms").number(0, kLargest);
    for (const JsonPlace& row : place.member("counters").elements()) {
        counts.job.metrics.push_back(row.member("metric").text());
        reading.values.push_back(row.member("counted").number(0, kLargest));
    }
    counts.outcome = std::move(reading);
    return counts;
}

}  // namespace

Work<KernelRun::Outcome> answer(const RunKey& key, Store&) {
    return in_one_piece<KernelRun::Outcome>(
        [key](const std::stop_token& unwanted) -> std::optional<KernelRun::Outcome> {
            return (*key.launch)(key.job, unwanted);
        });
}

void KernelRun::start(const Job& job) {
    if (running()) return;
    wanted_ = job;
    stopped_ = false;
    ++launches_;
}

void KernelRun::compile(const Job& job, const DeviceFacts& device) {
    if (running()) return;
    compiling_ = Compiling{job, {text_to_compile(*job.scenario, job.params), arch_of(device)}, device};
}

Work<CompiledKernel> answer(const CompiledCountKey& key, Store&) {
    return in_one_piece<CompiledKernel>([key](const std::stop_token&) {
        return std::optional(compiled_kernel(*key.job.scenario, key.job.params, *key.code, key.device));
    });
}

std::string KernelRun::advance_compiler(Store& store) {
    if (!compiling_) return {};
    const Answer<CompiledCode> answer = store.get(compiling_->key);
    if (is_pending(answer)) return {};
    const Ready<CompiledCode> code = known_of(answer);
    if (code == nullptr) {
        compiling_.reset();
        return fmt::format("not compiled: {}", std::get<Unavailable>(answer).reason);
    }
    const Answer<CompiledKernel> counted =
        store.get(CompiledCountKey{compiling_->job, code, compiling_->device});
    if (is_pending(counted)) return {};
    const Job job = std::exchange(compiling_, {})->job;
    const Ready<CompiledKernel> kernel = known_of(counted);
    if (kernel == nullptr) return fmt::format("not compiled: {}", std::get<Unavailable>(counted).reason);
    const CompiledKernel& made = compiled_.emplace(job, *kernel).second;
    const LaunchShape shape = job.scenario->launch(job.params);
    keep_compiled(*job.scenario, job.params,
                  {.role = "grid",
                   .name = job.scenario->typed->kernel(),
                   .threads = shape.block.x * shape.block.y,
                   .registers = code->registers,
                   .dynamic_shared = int(shape.shared_bytes)},
                  fmt::format("{} {}", provenance_mark(Provenance::exact), made.summary));
    return fmt::format("compiled: {}", made.summary);
}

const CompiledKernel* KernelRun::compiled(const Scenario& scenario, const Params& params) const {
    const bool same = compiled_ && compiled_->first.scenario == &scenario &&
                      same_work(scenario, compiled_->first.params, params);
    return same ? &compiled_->second : nullptr;
}

std::optional<std::pair<KernelRun::Job, KernelRun::Outcome>> KernelRun::advance(Store& store) {
    if (!wanted_) return std::nullopt;
    if (stopped_) return std::pair(*std::exchange(wanted_, {}), Outcome{Unavailable{"stopped"}, {}});
    const Answer<Outcome> answer = store.get(RunKey{launch_, *wanted_, launches_});
    if (is_pending(answer)) return std::nullopt;
    const Job job = *std::exchange(wanted_, {});
    if (const auto* why = std::get_if<Unavailable>(&answer)) return std::pair(job, Outcome{*why, {}});
    return std::pair(job, *known_of(answer));
}

KernelRun::Outcome KernelRun::launch_apart(const Job& job, const std::stop_token& stop) {
    const TemporaryFolder folder;
    const std::string kernel = folder.path() + "/kernel.cu", json = folder.path() + "/times.json",
                      said = folder.path() + "/said";
    write_output(kernel, job.scenario->typed->text());
    std::vector<std::string> command{"/proc/self/exe", "measure", kernel, "--counters", "--json", json};
    if (const std::string settings = describe_settings(*job.scenario, job.params, ","); !settings.empty())
        command.insert(command.end(), {"--set", settings});
    if (job.cold) command.emplace_back("--cold");
    const std::optional<int> code = run_program(command, said, kLongestRun, stop);
    if (stop.stop_requested()) return {Unavailable{"stopped"}, {}};
    if (!code)
        return {
            Unavailable{fmt::format(
                "the kernel did not come to its end within {} seconds, or ended the process that launched it",
                kLongestRun.count())},
            {}};
    if (*code != 0) return {Unavailable{last_line(contents_of(said))}, {}};
    return read_run(contents_of(json), job);
}

KernelRun::Outcome read_run(const std::string& json, const KernelRun::Job& job) {
    const nlohmann::json all = parse_json(json);
    const JsonPlace settings = JsonPlace(all, "times").member("settings");
    if (settings.size() == 0) settings.fail("expected a setting");
    const JsonPlace setting = settings.element(0);
    KernelRun::Outcome outcome;
    if (setting.has("counters")) outcome.counts = read_counters(setting.member("counters"), job);
    if (setting.has("kernel")) outcome.kernel = kernel_from_json(setting.member("kernel"));
    if (setting.has("unavailable")) {
        outcome.time = Unavailable{setting.member("unavailable").text()};
        return outcome;
    }
    Timing timing;
    timing.median_us = setting.member("median_us").number(0, kLargest);
    timing.lower_us = setting.member("lower_us").number(0, kLargest);
    timing.upper_us = setting.member("upper_us").number(0, kLargest);
    timing.repeats = setting.member("repeats").whole(0, 1'000'000'000);
    timing.useful_bytes = setting.number_or("useful_bytes", kLargest, 0);
    timing.sm_clock_mhz = setting.number_or("sm_clock_mhz", kLargest, 0);
    timing.fits_l2 = setting.flag_or("fits_l2", false);
    timing.cold = job.cold;
    timing.method = setting.text_or("method");
    timing.gpu = JsonPlace(all, "times").member("gpu").member("name").text();
    outcome.time = timing;
    return outcome;
}

}  // namespace warplens
