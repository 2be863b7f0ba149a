#include "app/window/requests.h"

#include "app/base/format.h"
#include "app/base/input.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warplens {
namespace {

/// The same rules of counting.
bool same_rules(const DeviceFacts& a, const DeviceFacts& b) {
    return a.name == b.name && a.bank_rules.wide_words == b.bank_rules.wide_words;
}

}  // namespace

void RequestDesk::open(const std::string& path, const DeviceFacts& device) {
    read_path_ = path;
    read_for_ = device;
    reading_.start(path, [path, device](const ReadProgress& progress) {
        std::ifstream file = open_input(path);
        return list_accesses(file, std::filesystem::path(path).filename().string(), device, progress);
    });
}

void RequestDesk::count_for(const DeviceFacts& device) {
    if (list_ == nullptr || reading_.is_running() || same_rules(device, device_)) return;
    open(path_, device);
}

std::optional<FileOutcome> RequestDesk::advance() {
    auto done = reading_.take();
    if (!done) return std::nullopt;
    device_ = read_for_;  // also if it fails, or it would be tried again and again
    try {
        std::optional<AccessList> list = done->get();
        if (!list) return std::nullopt;
        const bool again = list_ != nullptr && path_ == read_path_;
        path_ = read_path_;
        list_ = std::make_unique<const AccessList>(std::move(*list));
        choose(again ? chosen_ : 0);
        return FileOutcome{
            fmt::format("opened {}: {} of {}", printable(std::filesystem::path(path_).filename().string()),
                        counted(list_->rows, "request"),
                        counted(static_cast<std::int64_t>(list_->groups.size()), "instruction")),
            true, again};
    } catch (const std::exception& error) {  // also if there is no memory
        return FileOutcome{error.what(), false, false};
    }
}

std::string RequestDesk::cancel() {
    if (reading_.is_running()) device_ = read_for_;
    return reading_.cancel();
}

void RequestDesk::close() {
    cancel();
    list_.reset();
    path_.clear();
    ++generation_;
}

void RequestDesk::choose(std::size_t index) {
    if (list_ == nullptr || list_->groups.empty()) return;
    chosen_ = std::min(index, list_->groups.size() - 1);
    evidence_ = request_evidence(report_of(list_->groups[chosen_], device_), device_);
    ++generation_;
}

RequestsView RequestDesk::view() const {
    const bool any = list_ != nullptr && !list_->groups.empty();
    return {list_.get(), chosen_, any ? &evidence_ : nullptr, generation_};
}

}  // namespace warplens
