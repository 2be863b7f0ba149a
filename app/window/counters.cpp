#include "app/window/counters.h"

#include "app/base/input.h"
#include "app/base/text.h"
#include "app/figures/figure_command.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

std::string name_of(const std::string& path) {
    return printable(std::filesystem::path(path).filename().string());
}

}  // namespace

Work<NcuFile> answer(const NcuFileKey& key, Store&) {
    return read_file<NcuFile>(key.file.path, [path = key.file.path](const ReadProgress& progress) {
        std::ifstream input = open_input(path);
        return read_ncu_csv(input, name_of(path), progress);
    });
}

std::size_t bytes_of(const NcuFile& file) {
    constexpr std::size_t kLaunch = 10'000;  // its names and counters
    return sizeof(file) + file.launches.size() * kLaunch;
}

Work<ComparedPage> answer(const ComparedKey& key, Store&) {
    return in_one_piece<ComparedPage>([key](const std::stop_token& unwanted) -> std::optional<ComparedPage> {
        ComparedPage page = compare_page(key.file, key.name, key.basis, unwanted);
        if (unwanted.stop_requested()) return std::nullopt;
        return page;
    });
}

void CounterDesk::open(const std::string& path, const NcuBasis& basis) {
    wanted_ = NcuFileKey{{path, ++asked_}};
    basis_ = basis;
    done_ = 0;
}

void CounterDesk::compare_with(const NcuBasis& basis) {
    if (!is_open() || wanted_ || basis == basis_) return;
    wanted_ = read_;
    basis_ = basis;
}

std::optional<FileOutcome> CounterDesk::advance(Store& store) {
    if (!wanted_) return std::nullopt;
    const Answer<NcuFile> file = store.get(*wanted_);
    if (const auto* pending = std::get_if<Pending<NcuFile>>(&file)) done_ = pending->done;
    if (is_pending(file)) return std::nullopt;
    const auto* problem = std::get_if<Unavailable>(&file);
    if (problem == nullptr) {
        const Answer<ComparedPage> page =
            store.get(ComparedKey{known_of(file), name_of(wanted_->file.path), basis_});
        if (is_pending(page)) return std::nullopt;
        problem = std::get_if<Unavailable>(&page);
        if (problem == nullptr) return show(known_of(page));
        wanted_.reset();
        return FileOutcome{problem->reason, false, false};
    }
    wanted_.reset();
    return FileOutcome{problem->reason, false, false};
}

FileOutcome CounterDesk::show(Ready<ComparedPage> page) {
    const bool again = is_open() && read_.file.path == wanted_->file.path;
    picked_ = picked_ && again;
    const NcuLaunch* launch = picked_ ? shown_.page->launches[shown_.chosen].launch : nullptr;
    read_ = *wanted_;
    wanted_.reset();
    shown_.page = std::move(page);
    const std::vector<ComparedLaunch>& launches = shown_.page->launches;
    const auto found = std::ranges::find(launches, launch, &ComparedLaunch::launch);
    shown_.chosen = found == launches.end() ? 0 : std::size_t(found - launches.begin());
    return {fmt::format("opened {}: {}", shown_.page->name,
                        launches.size() == 1 ? "1 launch"
                                             : format_count(std::int64_t(launches.size())) + " launches"),
            true, again};
}

std::string CounterDesk::cancel() {
    if (!wanted_) return {};
    const std::string message = fmt::format("did not open '{}': cancelled", printable(wanted_->file.path));
    wanted_.reset();
    return message;
}

void CounterDesk::close() {
    cancel();
    shown_ = {};
    read_ = {};
}

void CounterDesk::choose(std::size_t index) {
    if (!is_open()) return;
    shown_.chosen = std::min(index, shown_.page->launches.size() - 1);
    picked_ = true;
}

std::string CounterDesk::command() const {
    std::string command = fmt::format("warplens import-ncu {}", shell_word(read_.file.path));
    if (!basis_.accesses_path.empty()) return command + " --analyze " + shell_word(basis_.accesses_path);
    if (basis_.scenario == nullptr || !not_comparable(*basis_.scenario, basis_.params).empty())
        return command;
    const std::string settings = describe_settings(*basis_.scenario, basis_.params, ",");
    command += fmt::format(" --scenario {}", basis_.scenario->info->id);
    return settings.empty() ? command : command + " --set " + shell_word(settings);
}

}  // namespace warplens
