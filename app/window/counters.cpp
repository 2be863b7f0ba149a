#include "app/window/counters.h"

#include "app/base/format.h"
#include "app/base/input.h"
#include "app/base/text.h"
#include "app/figures/figure_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warplens {

void CounterDesk::open(const std::string& path, const NcuBasis& basis) {
    read_path_ = path;
    read_with_ = basis;
    const bool same_file = page_ != nullptr && path == path_;
    reading_.start(path,
                   [path, basis, file = same_file ? page_->file : nullptr](
                       const ReadProgress& progress) -> std::optional<ComparedPage> {
                       const std::string name = printable(std::filesystem::path(path).filename().string());
                       std::shared_ptr<const NcuFile> launches = file;
                       if (launches == nullptr) {
                           std::ifstream input = open_input(path);
                           std::optional<NcuFile> read = read_ncu_csv(input, name, progress);
                           if (!read) return std::nullopt;
                           launches = std::make_shared<const NcuFile>(std::move(*read));
                       }
                       ComparedPage page = compare_page(launches, name, basis, progress.stop);
                       if (progress.stop.stop_requested()) return std::nullopt;
                       return page;
                   });
}

void CounterDesk::compare_with(const NcuBasis& basis) {
    if (page_ == nullptr || reading_.is_running() || basis == basis_) return;
    open(path_, basis);
}

std::optional<FileOutcome> CounterDesk::advance() {
    auto done = reading_.take();
    if (!done) return std::nullopt;
    basis_ = read_with_;  // also if it fails, or it would be tried again and again
    try {
        std::optional<ComparedPage> page = done->get();
        if (!page) return std::nullopt;
        const bool again = page_ != nullptr && path_ == read_path_;
        picked_ = picked_ && again;
        const NcuLaunch* shown = picked_ ? page_->launches[chosen_].launch : nullptr;
        path_ = read_path_;
        page_ = std::make_unique<const ComparedPage>(std::move(*page));
        const auto found = std::ranges::find(page_->launches, shown, &ComparedLaunch::launch);
        chosen_ =
            found == page_->launches.end() ? 0 : static_cast<std::size_t>(found - page_->launches.begin());
        return FileOutcome{
            fmt::format("opened {}: {}", page_->name,
                        page_->launches.size() == 1
                            ? "1 launch"
                            : format_count(static_cast<std::int64_t>(page_->launches.size())) + " launches"),
            true, again};
    } catch (const std::exception& error) {  // also if there is no memory
        return FileOutcome{error.what(), false, false};
    }
}

std::string CounterDesk::cancel() {
    if (reading_.is_running()) basis_ = read_with_;
    return reading_.cancel();
}

void CounterDesk::close() {
    cancel();
    page_.reset();
    path_.clear();
}

void CounterDesk::choose(std::size_t index) {
    if (page_ == nullptr) return;
    chosen_ = std::min(index, page_->launches.size() - 1);
    picked_ = true;
}

std::string CounterDesk::command() const {
    std::string command = fmt::format("warplens import-ncu {}", shell_word(path_));
    if (!basis_.accesses_path.empty()) return command + " --analyze " + shell_word(basis_.accesses_path);
    if (basis_.scenario == nullptr || !not_comparable(*basis_.scenario).empty()) return command;
    const std::string settings = describe_settings(*basis_.scenario, basis_.params, ",");
    command += fmt::format(" --scenario {}", basis_.scenario->info->id);
    return settings.empty() ? command : command + " --set " + shell_word(settings);
}

}  // namespace warplens
