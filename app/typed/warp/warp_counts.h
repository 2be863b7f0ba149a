#pragma once

#include "app/model/access/report.h"
#include "app/typed/counts.h"
#include "app/typed/warp/warp_executor.h"

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace warplens::typed {

/// Counts the requests of warps while they are made. Counts depend on addresses modulo kPeriodBytes only, so
/// requests of one site with the same step that begin at the same place in a period are counted once; and
/// those to scattered addresses once for all that touch as many pieces of memory, where that is enough.
class WarpCounter final : public WarpVisitor {
public:
    WarpCounter(const TypedLaunch& launch, const DeviceFacts& device) : launch_(launch), device_(device) {}

    WarpCounter(const WarpCounter&) = delete;
    WarpCounter& operator=(const WarpCounter&) = delete;

    /// What follows is made in all blocks of a range.
    void begin(const BlockRange& range) { range_ = range; }
    void visit(const WarpRequest& request) override { visit(request, 0, 1); }
    void visit_rounds(const WarpRounds& rounds) override;
    void add_to(std::vector<Totals>& sums) const;  ///< by access of the launch
    /// Whether each request was one of TypedLaunch::accesses.
    bool all_listed() const { return all_listed_; }

private:
    /// Requests that cost the same.
    struct Alike {
        std::int64_t base = 0, step = 0;  ///< of scattered ones what they touch, and kScattered
        std::uint32_t active = 0;
        std::int64_t times = 0;
    };
    static constexpr std::int64_t kScattered = std::numeric_limits<std::int64_t>::min();
    static constexpr std::size_t kRemembered = 64;
    struct OfSite {
        const Expr* site = nullptr;  ///< in the text, and what else tells accesses apart
        int memory = 0;
        bool store = false;
        int access = -1;
        std::int64_t begin = 0;   ///< of the memory in its space [bytes]
        bool by_touched = false;  ///< whether costs follow from what a request touches
        WarpAccess request;       ///< apart from lanes and addresses
        Totals sum;               ///< apart from `alike`
        std::array<Alike, kRemembered> alike;
        std::array<Totals, kRemembered> of_alike;  ///< of each of these once
    };
    OfSite& site_of_request(const WarpRequest& request);
    /// A request in so many rounds.
    void visit(const WarpRequest& request, std::int64_t per_round, std::int64_t rounds);
    void count(OfSite& site, const WarpRequest& request, std::int64_t times);
    void count_scattered(OfSite& site, const WarpRequest& request, std::int64_t times);
    /// @param place  where it is remembered, if it is
    void count_alike(OfSite& site, const WarpRequest& request, std::size_t place, std::int64_t base,
                     std::int64_t step, std::int64_t times) {
        Alike& alike = site.alike[place];
        if (alike.base != base || alike.step != step || alike.active != request.active)
            remember(site, place, request, {base, step, request.active});
        alike.times += times;
    }
    /// Instead of what was remembered at that place.
    void remember(OfSite& site, std::size_t place, const WarpRequest& request, const Alike& which);
    void fill(OfSite& site, const WarpRequest& request) const;

    const TypedLaunch& launch_;
    const DeviceFacts& device_;
    std::deque<OfSite> sites_;
    BlockRange range_;
    std::size_t next_ = 0;  ///< the site that follows the last one
    bool all_listed_ = true;
};

}  // namespace warplens::typed
