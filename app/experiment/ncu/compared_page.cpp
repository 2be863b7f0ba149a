#include "app/experiment/ncu/compared_page.h"

#include "app/base/errors.h"
#include "app/experiment/ncu/ncu_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warplens {
namespace {

/// Why a launch is not compared with the scenario of a basis, in whole sentences. Empty if it is.
std::string why_not(const NcuLaunch& launch, const NcuBasis& basis) {
    if (basis.scenario == nullptr) return {};
    const std::string_view id = basis.scenario->info->id;
    if (const std::string_view why = not_comparable(*basis.scenario, basis.params); !why.empty())
        return fmt::format("Not compared: {} has no counters to compare: {}.", id, why);
    if (has_shape_of(launch, basis)) return {};
    const LaunchShape shape = basis.scenario->launch(basis.params);
    return fmt::format(
        "Not compared: {} launches {} x {} blocks of {} x {} threads, this kernel does not. Set a scenario up "
        "like the kernel, or drop a file of the kernel's accesses on the window as well.",
        id, shape.grid.x, shape.grid.y, shape.block.x, shape.block.y);
}

/// Nothing is predicted of the launches, for the given reason.
std::vector<ComparedLaunch> only_counted(const std::vector<const NcuLaunch*>& launches,
                                         const std::string& name, const std::string& why,
                                         const std::stop_token& stop) {
    std::vector<ComparedLaunch> compared = compare_launches(launches, {}, name, stop);
    for (ComparedLaunch& one : compared) one.remarks.push_back(why);
    return compared;
}

std::vector<ComparedLaunch> compare_each(const NcuFile& file, const std::string& name, const NcuBasis& basis,
                                         const std::stop_token& stop) {
    std::vector<ComparedLaunch> compared;
    std::vector<const NcuLaunch*> alike;
    for (const NcuLaunch& launch : file.launches) {
        if (const std::string why = why_not(launch, basis); why.empty())
            alike.push_back(&launch);
        else
            std::ranges::move(only_counted({&launch}, name, why, stop), std::back_inserter(compared));
        if (stop.stop_requested()) return compared;
    }
    std::vector<ComparedLaunch> predicted;
    try {
        predicted = compare_launches(alike, basis, name, stop);
    } catch (const UsageError& problem) {
        predicted = only_counted(alike, name, fmt::format("Not compared: {}.", problem.what()), stop);
    }
    std::ranges::move(predicted, std::back_inserter(compared));
    return compared;
}

}  // namespace

ComparedPage compare_page(std::shared_ptr<const NcuFile> file, const std::string& name, const NcuBasis& basis,
                          const std::stop_token& stop) {
    ComparedPage page{name, file, basis, compare_each(*file, name, basis, stop)};
    // Pointers into one vector, so that launches that cost the same keep the file's order.
    std::ranges::sort(page.launches, {}, &ComparedLaunch::launch);
    sort_by_loss(page.launches);
    return page;
}

}  // namespace warplens
