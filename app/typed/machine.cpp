#include "app/typed/machine.h"

#include "app/typed/warp/warp_executor.h"

namespace warplens::typed {

namespace {

class Tracer final : public WarpVisitor {
public:
    explicit Tracer(BlockTrace& trace) : trace_(trace) {}

    void begin_warp() override {
        const std::size_t like_the_last = trace_.warps.empty() ? 0 : trace_.warps.back().size();
        trace_.warps.emplace_back().reserve(like_the_last);
    }
    void visit(const WarpRequest& one) override {
        Request& request = trace_.warps.back().emplace_back(
            Request{.site = site_of(one.element),
                    .memory = one.memory,
                    .store = one.store,
                    .bytes = static_cast<std::int16_t>(one.element.type.element_bytes()),
                    .interval = one.interval,
                    .warp_interval = one.warp_interval,
                    .atomic = one.atomic,
                    .active = one.active,
                    .per_x = one.offsets.per_x,
                    .per_y = one.offsets.per_y});
        const LaneValues offsets(one.offsets);
        for (std::size_t l = 0; l < kWarpLanes; ++l)
            request.address[l] = (one.active >> l & 1u) != 0 ? offsets[l] : 0;
    }

private:
    BlockTrace& trace_;
};

}  // namespace

BlockTrace run_blocks(const Bound& bound, const BlockRange& range) {
    BlockTrace trace;
    trace.range = range;
    Tracer tracer(trace);
    WarpExecutor executor(bound);
    executor.run(range, tracer);
    trace.work = executor.work();
    trace.assumed = executor.assumed();
    return trace;
}

std::string_view line_of(std::string_view text, Position at) {
    for (int line = 1; line < at.line; ++line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (const std::size_t comment = text.find("//"); comment != std::string_view::npos)
        text = text.substr(0, comment);
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

}  // namespace warplens::typed
