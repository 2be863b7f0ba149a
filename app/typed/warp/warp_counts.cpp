#include "app/typed/warp/warp_counts.h"

#include "app/model/access/period_shifts.h"

namespace warplens::typed {

WarpCounter::OfSite& WarpCounter::site_of_request(const WarpRequest& request) {
    const Expr* element = site_of(request.element);
    // Requests of a loop follow each other as they did in the round before.
    for (std::size_t tried = 0; tried < sites_.size(); ++tried) {
        const std::size_t index =
            next_ + tried < sites_.size() ? next_ + tried : next_ + tried - sites_.size();
        OfSite& site = sites_[index];
        if (site.site != element || site.memory != request.memory || site.store != request.store) continue;
        next_ = index + 1;
        return site;
    }
    OfSite& site = sites_.emplace_back();
    next_ = sites_.size();
    site.site = element;
    site.memory = request.memory;
    site.store = request.store;
    const Request of{.site = element,
                     .memory = request.memory,
                     .store = request.store,
                     .bytes = static_cast<std::int16_t>(request.element.type.bytes()),
                     .atomic = request.atomic};
    site.access = launch_.access_of(of);
    site.begin = launch_.memories()[request.memory].begin;
    site.request = warp_access(launch_, of);
    site.by_touched = site.request.space == Space::global && !request.atomic &&
                      site.begin % kLineBytes == 0 && follows_from_touched(device_.sector_rules);
    return site;
}

void WarpCounter::fill(OfSite& site, const WarpRequest& request) const {
    site.request.active = request.active;
    const LaneValues offsets(request.offsets);
    for (std::size_t l = 0; l < kWarpLanes; ++l)
        site.request.byte_address[l] =
            (request.active >> l & 1u) != 0 ? static_cast<std::uint64_t>(site.begin + offsets[l]) : 0;
}

void WarpCounter::visit_rounds(const WarpRounds& rounds) {
    for (const WarpRounds::One& one : rounds.requests)
        visit(one.request(), one.offsets.per_round, rounds.count);
}

/// Counts repeat with the period of addresses, so blocks and rounds whose addresses are as far in it cost the
/// same.
void WarpCounter::visit(const WarpRequest& request, std::int64_t per_round, std::int64_t rounds) {
    OfSite& site = site_of_request(request);
    if (site.access < 0) {
        all_listed_ = false;
        return;
    }
    if (rounds == 1 && range_.is_single()) return count(site, request, 1);
    PeriodShifts shifts;
    shifts.repeat(request.offsets.per_x, range_.width);
    shifts.repeat(request.offsets.per_y, range_.height);
    shifts.repeat(per_round, rounds);
    for (const auto& [shift, count_of] : shifts.times()) {
        Lanes moved = request.offsets;
        moved.advance(shift);
        count(site, {request.element, request.memory, request.store, request.atomic, request.active, moved},
              count_of);
    }
}

void WarpCounter::count(OfSite& site, const WarpRequest& request, std::int64_t times) {
    if (!request.offsets.even) return count_scattered(site, request, times);
    const std::int64_t base = in_period(site.begin + request.offsets.base), step = request.offsets.step;
    const auto place =
        static_cast<std::size_t>((base ^ base >> 2) + step + (request.active >> 13 ^ request.active));
    count_alike(site, request, place % kRemembered, base, step, times);
}

void WarpCounter::count_scattered(OfSite& site, const WarpRequest& request, std::int64_t times) {
    fill(site, request);
    if (site.by_touched) {
        const Touched touched =
            count_touched(site.request.byte_address, request.active, site.request.bytes_per_lane);
        // Most often 32 addresses, and somewhat fewer sectors and lines.
        const auto place =
            static_cast<std::size_t>(touched.lines() + 11 * touched.sectors() + 29 * touched.addresses());
        return count_alike(site, request, place % kRemembered, touched.packed(), kScattered, times);
    }
    site.sum += count_access(site.request, device_) * times;
}

void WarpCounter::remember(OfSite& site, std::size_t place, const WarpRequest& request, const Alike& which) {
    site.sum += site.of_alike[place] * site.alike[place].times;
    fill(site, request);
    site.of_alike[place] = count_access(site.request, device_);
    site.alike[place] = which;
}

void WarpCounter::add_to(std::vector<Totals>& sums) const {
    for (const OfSite& site : sites_) {
        if (site.access < 0) continue;
        Totals& sum = sums[site.access];
        sum += site.sum;
        for (std::size_t i = 0; i < kRemembered; ++i) sum += site.of_alike[i] * site.alike[i].times;
    }
}

}  // namespace warplens::typed
