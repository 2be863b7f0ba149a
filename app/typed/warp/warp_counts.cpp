#include "app/typed/warp/warp_counts.h"

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
        of.begin = launch.memories()[site.memory].begin;
        of.request = warp_access(launch, request);
        of.by_touched = of.request.space == Space::global && of.begin % kLineBytes == 0 &&
                        follows_from_touched(device.sector_rules);
    }
    sites_ = all_sites_;
}

void WarpCounter::fill(OfSite& site, const WarpRequest& request) const {
    need_lanes(request.offsets);
    site.request.active = request.active;
    add_to_lanes(site.request.byte_address.data(), request.offsets, site.begin);
}

void WarpCounter::visit(const WarpRequest& request) {
    OfSite& site = sites_[request.site];
    if (site.access < 0) {
        all_listed_ = false;
        return;
    }
    if (!request.offsets.even) return count_scattered(site, request);
    const std::int64_t base = in_period(site.begin + request.offsets.base), step = request.offsets.step;
    const auto place =
        static_cast<std::size_t>((base ^ base >> 2) + step + (request.active >> 13 ^ request.active));
    count_alike(site, request, place % kRemembered, base, step);
}

void WarpCounter::count_scattered(OfSite& site, const WarpRequest& request) {
    if (site.by_touched) {
        need_lanes(request.offsets);
        const Touched touched =
            count_touched(request.offsets.addresses(), request.active, site.request.bytes_per_lane);
        // Most often 32 addresses, and somewhat fewer sectors and lines.
        const auto place =
            static_cast<std::size_t>(touched.lines() + 11 * touched.sectors() + 29 * touched.addresses());
        return count_alike(site, request, place % kRemembered, touched.packed(), kScattered);
    }
    fill(site, request);
    if (sign_ > 0)
        site.sum += count_access(site.request, device_);
    else
        site.sum += count_access(site.request, device_) * sign_;
}

void WarpCounter::remember(OfSite& site, std::size_t place, const WarpRequest& request, const Alike& which) {
    site.sum += site.of_alike[place] * site.alike[place].times;
    fill(site, request);
    site.of_alike[place] = count_access(site.request, device_);
    site.alike[place] = which;
}

void WarpCounter::add_to(std::vector<Totals>& sums) const {
    for (const OfSite& site : all_sites_) {
        if (site.access < 0) continue;
        Totals& sum = sums[site.access];
        sum += site.sum;
        for (std::size_t i = 0; i < kRemembered; ++i) sum += site.of_alike[i] * site.alike[i].times;
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
