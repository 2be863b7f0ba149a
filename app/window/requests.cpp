#include "app/window/requests.h"

#include "app/base/errors.h"
#include "app/base/format.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace warplens {
namespace {

std::string file_name(const std::string& path) {
    return printable(std::filesystem::path(path).filename().string());
}

/// The same rules of counting.
bool same_rules(const DeviceFacts& a, const DeviceFacts& b) {
    return a.name == b.name && a.bank_rules.wide_words == b.bank_rules.wide_words;
}

}  // namespace

RequestDesk::~RequestDesk() {  // which waits for the threads
    if (reading_) reading_->stop.request_stop();
}

void RequestDesk::open(const std::string& path, const DeviceFacts& device) {
    if (reading_) cancel();
    std::error_code ignored;
    const auto size = std::filesystem::file_size(path, ignored);
    Reading reading{path,
                    device,
                    {},
                    std::make_shared<std::atomic<std::int64_t>>(0),
                    ignored ? 0 : static_cast<std::int64_t>(size),
                    {}};
    reading.list = std::async(std::launch::async, [path, device, stop = reading.stop.get_token(),
                                                   bytes = reading.bytes, wake = wake_] {
        struct Wake {
            const std::function<void()>& wake;
            ~Wake() { wake(); }
        } at_the_end{wake};
        std::ifstream file(path, std::ios::binary);
        if (!file) throw UsageError(fmt::format("cannot open '{}': it cannot be read", printable(path)));
        return list_accesses(file, std::filesystem::path(path).filename().string(), device,
                             {stop, bytes.get()});
    });
    reading_ = std::move(reading);
}

void RequestDesk::count_for(const DeviceFacts& device) {
    if (list_ == nullptr || reading_ || same_rules(device, device_)) return;
    open(path_, device);
}

std::optional<RequestDesk::Outcome> RequestDesk::advance() {
    std::erase_if(abandoned_, [](auto& one) {
        return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
    constexpr std::chrono::milliseconds kShort{80};
    const bool first = reading_ && *reading_->bytes == 0;
    if (!reading_ ||
        reading_->list.wait_for(first ? kShort : std::chrono::milliseconds(0)) != std::future_status::ready)
        return std::nullopt;
    Reading done = std::move(*reading_);
    reading_.reset();
    try {
        std::optional<AccessList> list = done.list.get();
        if (!list) return std::nullopt;
        const bool again = list_ != nullptr && path_ == done.path;
        path_ = done.path;
        device_ = done.device;
        list_ = std::make_unique<const AccessList>(std::move(*list));
        choose(again ? chosen_ : 0);
        return Outcome{fmt::format("opened {}: {} of {}", file_name(path_), counted(list_->rows, "request"),
                                   counted(static_cast<std::int64_t>(list_->groups.size()), "instruction")),
                       true, again};
    } catch (const std::exception& error) {  // also if there is no memory
        device_ = done.device;               // or it would be tried again and again
        return Outcome{error.what(), false, false};
    }
}

std::string RequestDesk::busy() const {
    if (!reading_) return {};
    std::string text = "reading " + file_name(reading_->path);
    if (reading_->size > 0)
        text += fmt::format(", {} %", std::min<std::int64_t>(100, 100 * *reading_->bytes / reading_->size));
    return text;
}

std::string RequestDesk::cancel() {
    const std::string message = fmt::format("did not open '{}': cancelled", printable(reading_->path));
    reading_->stop.request_stop();
    device_ = reading_->device;
    abandoned_.push_back(std::move(reading_->list));
    reading_.reset();
    return message;
}

void RequestDesk::close() {
    if (reading_) cancel();
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
