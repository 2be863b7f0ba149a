#include "app/window/requests.h"

#include "app/base/input.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The same rules of counting.
bool same_rules(const DeviceFacts& a, const DeviceFacts& b) {
    return a.name == b.name && a.bank_rules.wide_words == b.bank_rules.wide_words;
}

InSteps<AccessList> read_requests(RequestsKey key) {
    std::ifstream input = open_input(key.file.path);
    const std::string name = std::filesystem::path(key.file.path).filename().string();
    const double size = size_of_file(key.file.path);
    AccessFile file(input, name);
    AccessLister lister(file, name, key.device);
    while (lister.step()) co_yield size > 0 ? std::min(1.0, double(file.bytes()) / size) : 0;
    co_return lister.take();
}

}  // namespace

Work<AccessList> answer(const RequestsKey& key, Store&) { return in_steps(read_requests(key)); }

std::size_t bytes_of(const AccessList& list) {
    return sizeof(list) + list.groups.size() * sizeof(list.groups.front());
}

Evidence answer(const RequestKey& key, Store&) {
    return request_evidence(report_of(key.list->groups.at(key.group), key.device), key.device);
}

void RequestDesk::open(const std::string& path, const DeviceFacts& device) {
    wanted_ = RequestsKey{{path, ++asked_}, device};
    done_ = 0;
}

void RequestDesk::count_for(const DeviceFacts& device) {
    if (!is_open() || wanted_ || same_rules(device, counted_)) return;
    open(path(), device);
}

std::optional<FileOutcome> RequestDesk::advance(Store& store) {
    if (wanted_) {
        const Answer<AccessList> answer = store.get(*wanted_);
        if (const auto* pending = std::get_if<Pending<AccessList>>(&answer)) {
            done_ = pending->done;
        } else {
            RequestsKey read = std::move(*wanted_);
            wanted_.reset();
            counted_ = read.device;  // also if it fails, or it would be tried again and again
            if (const auto* why = std::get_if<Unavailable>(&answer))
                return FileOutcome{why->reason, false, false};
            const bool again = is_open() && path() == read.file.path;
            read_ = std::move(read);
            shown_.list = known_of(answer);
            choose(again ? shown_.chosen : 0);
            const std::string name = std::filesystem::path(path()).filename().string();
            advance(store);
            return FileOutcome{
                fmt::format("opened {}: {} of {}", printable(name), counted(shown_.list->rows, "request"),
                            counted(std::int64_t(shown_.list->groups.size()), "instruction")),
                true, again};
        }
    }
    const bool any = is_open() && !shown_.list->groups.empty();
    shown_.evidence = any ? store.get(RequestKey{shown_.list, shown_.chosen, read_.device}) : nullptr;
    return std::nullopt;
}

std::string RequestDesk::cancel() {
    if (!wanted_) return {};
    counted_ = wanted_->device;
    const std::string message = fmt::format("did not open '{}': cancelled", printable(wanted_->file.path));
    wanted_.reset();
    return message;
}

void RequestDesk::close() {
    cancel();
    shown_ = {};
    read_ = {};
}

void RequestDesk::choose(std::size_t index) {
    if (is_open() && !shown_.list->groups.empty())
        shown_.chosen = std::min(index, shown_.list->groups.size() - 1);
}

}  // namespace warplens
