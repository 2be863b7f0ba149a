#include "app/base/output.h"

#include "app/base/atomic_file.h"
#include "app/base/errors.h"

#include <stdexcept>

namespace warplens {

namespace {

/// Turns errors of app/base/atomic_file.h, which knows no exit codes, into usage errors.
template <class Act>
void as_usage_error(Act act) {
    try {
        act();
    } catch (const std::runtime_error& error) {
        throw UsageError(error.what());
    }
}

}  // namespace

void write_output(const std::string& path, std::string_view bytes) {
    as_usage_error([&] { write_file(path, bytes); });
}

void check_output(const std::string& path) {
    as_usage_error([&] { check_writable(path); });
}

}  // namespace warplens
