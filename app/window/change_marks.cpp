#include "app/window/change_marks.h"

#include <algorithm>

namespace warplens {

void ChangeMarks::begin(const std::string& place) {
    if (place == place_) return;
    place_ = place;
    seen_.clear();
    latest_ = -1e9;
}

float ChangeMarks::strength(std::string_view name, const std::string& value, double now) {
    const auto found = seen_.find(name);
    if (found == seen_.end()) {
        seen_.emplace(std::string(name), Seen{value});
        return 0;
    }
    Seen& seen = found->second;
    if (seen.value != value) {
        seen.value = value;
        seen.changed = latest_ = now;
    }
    return static_cast<float>(std::clamp(1 - (now - seen.changed) / kSeconds, 0.0, 1.0));
}

double ChangeMarks::due(double now) const { return now - latest_ < kSeconds ? kStep : 0; }

}  // namespace warplens
