#include "app/typed/warp/warp_counts.h"

#include <bit>

namespace warplens::typed {
namespace {

/// Also of addresses below 0.
std::int64_t in_period(std::int64_t address) {
    static_assert(std::has_single_bit(static_cast<std::uint64_t>(kCountPeriod)));
    return address & (kCountPeriod - 1);
}

}  // namespace

WarpCounter::WarpCounter(const TypedLaunch& launch, const std::vector<ModelCode::Site>& sites,
                         const DeviceFacts& device)
    : device_(device) {
    for (const ModelCode::Site& site : sites) {
        const Request request{.site = site.element,
                              .memory = site.memory,
                              .store = site.store,
                              .bytes = static_cast<std::int16_t>(site.element->type.element_bytes())};
        OfSite& of = all_sites_.emplace_back();
        of.access = launch.access_of(request);
        of.begin = launch.memories()[static_cast<std::size_t>(site.memory)].begin;
        of.request = warp_access(launch, request);
    }
    sites_ = all_sites_;
}

void WarpCounter::fill(OfSite& site, const WarpRequest& request) const {
    need_lanes(request.offsets);
    site.request.active = request.active;
    add_to_lanes(site.request.byte_address.data(), request.offsets, site.begin);
}

void WarpCounter::visit(const WarpRequest& request) {
    OfSite& site = sites_[static_cast<std::size_t>(request.site)];
    if (site.access < 0) {
        all_listed_ = false;
        return;
    }
    if (!request.offsets.even) return count_uneven(site, request);
    const std::int64_t base = in_period(site.begin + request.offsets.base), step = request.offsets.step;
    const auto place =
        static_cast<std::size_t>((base ^ base >> 2) + step + (request.active >> 13 ^ request.active)) %
        kRemembered;
    Even& even = site.even[place];
    if (even.base != base || even.step != step || even.active != request.active)
        remember(site, place, request, base);
    even.times += sign_;
}

void WarpCounter::count_uneven(OfSite& site, const WarpRequest& request) {
    fill(site, request);
    if (sign_ > 0)
        site.sum += count_access(site.request, device_);
    else
        site.sum += count_access(site.request, device_) * sign_;
}

void WarpCounter::remember(OfSite& site, std::size_t place, const WarpRequest& request, std::int64_t base) {
    Even& even = site.even[place];
    site.sum += site.of_even[place] * even.times;
    fill(site, request);
    site.of_even[place] = count_access(site.request, device_);
    even = {base, request.offsets.step, 0, request.active};
}

void WarpCounter::add_to(std::vector<Totals>& sums) const {
    for (const OfSite& site : all_sites_) {
        if (site.access < 0) continue;
        Totals& sum = sums[static_cast<std::size_t>(site.access)];
        sum += site.sum;
        for (std::size_t i = 0; i < kRemembered; ++i) sum += site.of_even[i] * site.even[i].times;
    }
}

std::optional<Work> QuickBlocks::count(int x, int y) {
    // The instructions are made in the time of about a thousand steps, which are saved then.
    constexpr std::int64_t kFewSteps = 2'000;
    constexpr int kOften = 4;
    if (++asked_ * steps_ < kFewSteps || gave_up_ >= kOften) return std::nullopt;
    if (!machine_) {
        try {
            auto code = warp_code(launch_.bound());
            if (!code) return gave_up_ = kOften, std::nullopt;
            machine_.emplace(launch_.bound(), std::move(*code));
        } catch (const SourceError&) {
            return gave_up_ = kOften, std::nullopt;
        }
        counter_.emplace(launch_, machine_->sites(), device_);
    }
    if (machine_->run_block(x, y, *counter_)) return Work{machine_->requests(), machine_->steps()};
    ++gave_up_;
    counter_->take_back(true);
    machine_->run_block(x, y, *counter_);
    counter_->take_back(false);
    return std::nullopt;
}

void QuickBlocks::add_to(std::vector<Totals>& sums) const {
    if (counter_) counter_->add_to(sums);
}

}  // namespace warplens::typed
