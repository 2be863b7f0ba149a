#include "app/typed/warp/warp_run.h"

#include "kernels/typed/code_step.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warplens::typed {

WarpMachine::WarpMachine(const Bound& bound, WarpCode code)
    : bound_(bound),
      code_(std::move(code)),
      first_of_lanes_(static_cast<std::size_t>(code_.of_each_block)),
      all_registers_(first_of_lanes_ + static_cast<std::size_t>(code_.registers) + 1),
      of_all_warps_(static_cast<std::size_t>(code_.of_warp) * static_cast<std::size_t>(bound.launch.warps())),
      registers_(all_registers_),
      instructions_(code_.instructions) {
    for (int warp = 0; warp < bound.launch.warps(); ++warp) {
        choose_warp(warp);
        prepare(code_.of_thread);
    }
}

void WarpMachine::choose_warp(int warp) {
    warp_ = warp;
    const std::size_t count = code_.of_warp;
    of_warp_ = std::span(of_all_warps_).subspan(static_cast<std::size_t>(warp) * count, count);
    const int threads = bound_.launch.threads() - warp * kWarpLanes;
    live_ = threads >= kWarpLanes ? kAllLanes : (1u << threads) - 1;
}

bool WarpMachine::run_block(int x, int y, WarpVisitor& visitor) {
    block_x_ = x;
    block_y_ = y;
    visitor_ = &visitor;
    requests_ = steps_ = 0;
    choose_warp(0);
    prepare(code_.of_block);
    int barriers = -1;
    for (int warp = 0; warp < bound_.launch.warps(); ++warp) {
        choose_warp(warp);
        visitor.begin_warp();
        if (!run_warp()) return false;
        if (live_ == 0) continue;  // threads that have ended are not waited for
        if (barriers >= 0 && barriers != interval_) return false;
        barriers = interval_;
    }
    return true;
}

void WarpMachine::special(const WarpInstr& instr, WarpValue& out) const {
    const auto which = static_cast<CodeSpecial>(instr.value);
    out.known = kAllLanes;
    if (which == CodeSpecial::block_x || which == CodeSpecial::block_y)
        return set_even(out, which == CodeSpecial::block_x ? block_x_ : block_y_, 0);
    const Launch& launch = bound_.launch;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const int thread = warp_ * kWarpLanes + lane, row = thread / launch.block_x;
        out.at[lane] = which == CodeSpecial::thread_x   ? thread % launch.block_x
                       : which == CodeSpecial::thread_y ? row % launch.block_y
                                                        : row / launch.block_y;
    }
    out.even = false;
    out.has_lanes = true;
}

void WarpMachine::prepare(const std::vector<WarpInstr>& instructions) {
    for (const WarpInstr& instr : instructions) {
        WarpValue& out = value(instr.to);
        if (instr.op == CodeOp::special)
            special(instr, out);
        else
            compute(instr, out, kAllLanes);
        find_even(out);
    }
}

void WarpMachine::wait(int at, std::uint32_t lanes) {
    const auto place = std::ranges::find_if(waiting_, [&](const Waiting& one) { return one.at <= at; });
    if (place != waiting_.end() && place->at == at)
        place->lanes |= lanes;
    else
        waiting_.insert(place, {at, lanes});
}

bool WarpMachine::run_warp() {
    for (std::size_t i = first_of_lanes_; i < registers_.size(); ++i) registers_[i].known = 0;
    prepare(code_.of_block_and_thread);
    interval_ = warp_interval_ = 0;
    waiting_.clear();
    std::uint32_t lanes = live_;
    int next = 0;
    // The lanes at the least instruction go on, so that all others meet them as soon as their ways do.
    const auto go_on = [&](int at) {
        next = at;
        if (waiting_.empty() || (lanes != 0 && waiting_.back().at >= at)) return;
        if (lanes != 0) wait(at, lanes);
        next = waiting_.back().at;
        lanes = waiting_.back().lanes;
        waiting_.pop_back();
    };
    while (lanes != 0) {
        const WarpInstr& instr = instructions_[next];
        switch (instr.op) {
            case CodeOp::meet:
                while (!waiting_.empty() && waiting_.back().at == next) {
                    lanes |= waiting_.back().lanes;
                    waiting_.pop_back();
                }
                steps_ += instr.steps;
                if (steps_ > bound_.most_steps) return false;
                ++next;
                break;
            case CodeOp::jump:
                go_on(instr.to);
                break;
            case CodeOp::jump_if_zero: {
                const WarpValue& truth = value(instr.a);
                if ((truth.known & lanes) != lanes) return false;
                const std::uint32_t no = lanes & ~truth.bits;
                if (no == lanes) {
                    go_on(instr.to);
                    break;
                }
                if (no != 0) wait(instr.to, no);
                lanes &= ~no;
                ++next;
                break;
            }
            case CodeOp::finish:
                if (instr.value == 0) live_ &= ~lanes;
                lanes = 0;
                go_on(0);
                break;
            case CodeOp::barrier:
                if (lanes != live_) return false;
                ++interval_;
                ++warp_interval_;
                ++next;
                break;
            case CodeOp::warp_barrier:
                ++warp_interval_;
                ++next;
                break;
            default:
                if (!execute(instr, lanes)) return false;
                ++next;
        }
    }
    return true;
}

bool WarpMachine::execute(const WarpInstr& instr, std::uint32_t lanes) {
    const bool accesses = instr.op == CodeOp::load || instr.op == CodeOp::store;
    if (accesses && !access(instr, lanes)) return false;
    if (instr.to == kNoRegister) return true;
    WarpValue& into = value(instr.to);
    // Other lanes keep their numbers, if anybody may read them.
    const bool all = instr.whole || (into.known & live_ & ~lanes) == 0;
    WarpValue& out = all ? into : room_;
    bool allowed = true;
    if (accesses)
        content(instr, value(instr.a), out, lanes);
    else if (instr.op == CodeOp::shuffle)
        allowed = shuffle(instr, out, lanes);
    else
        allowed = compute(instr, out, lanes);
    if (!all) merge(instr, into, out, lanes);
    return allowed;
}

bool WarpMachine::compute(const WarpInstr& instr, WarpValue& out, std::uint32_t lanes) {
    WarpValue &a = value(instr.a), &b = value(instr.b);
    return compute_even(instr, out, a, b, lanes) || compute_.compute(instr, out, a, b, value(instr.c), lanes);
}

void WarpMachine::merge(const WarpInstr& instr, WarpValue& into, WarpValue& from, std::uint32_t lanes) {
    into.known = (into.known & ~lanes) | (from.known & lanes);
    into.bits = (into.bits & ~lanes) | (from.bits & lanes);
    if (instr.type.type == CodeType::boolean) return;
    if (into.even && from.even && into.base == from.base && into.step == from.step) return;
    need_lanes(into);
    need_lanes(from);
    choose_lanes(into, from, into, lanes);
}

bool WarpMachine::access(const WarpInstr& instr, std::uint32_t lanes) {
    WarpValue& offsets = value(instr.a);
    if ((offsets.known & lanes) != lanes) return false;
    const auto is_inside = [&] {
        if (!offsets.even) return false;
        const std::int64_t first = offsets.base + std::countr_zero(lanes) * offsets.step,
                           last = offsets.base + (kWarpLanes - 1 - std::countl_zero(lanes)) * offsets.step;
        return std::min(first, last) >= 0 && std::max(first, last) <= instr.most &&
               ((first | offsets.step) & (instr.bytes - 1)) == 0;
    };
    if (!is_inside()) {
        need_lanes(offsets);
        if (any_outside(offsets, lanes, instr.most, instr.bytes)) return false;
    }
    if (!instr.counted) return true;
    if (++requests_ > kMostRequests) return false;
    visitor_->visit({int(instr.value), lanes, offsets, interval_, warp_interval_});
    return true;
}

void WarpMachine::content(const WarpInstr& instr, WarpValue& offsets, WarpValue& out, std::uint32_t lanes) {
    const Memory& memory = bound_.memories[instr.memory];
    const int bytes = bytes_of(memory.scalar);
    const std::int64_t count = memory.bytes / bytes;
    out.known = lanes;
    const bool even = offsets.even && divide_even(true, out, offsets, bytes);
    if (even && out.step == 0) {
        set_uniform(out, code_content(memory.content, out.base, count));
    } else if (!even || memory.content != Content::sequential) {
        if (even) {
            fill_lanes(out);
        } else {
            need_lanes(offsets);
            set_even(room_of_shift_, std::countr_zero(static_cast<unsigned>(bytes)), 0);
            need_lanes(room_of_shift_);
            compute_lanes(CodeOp::shift_right, out, offsets, room_of_shift_, WarpType(CodeType::s64));
        }
        if (memory.content != Content::sequential) content_of_lanes(out, out, memory.content, count, lanes);
    }
    // Numbers of the array beyond the type of its elements wrap round.
    if (count - 1 <= instr.type.most) return;
    need_lanes(out);
    compute_lanes(CodeOp::convert, out, out, out, instr.type);
}

bool WarpMachine::shuffle(const WarpInstr& instr, WarpValue& out, std::uint32_t lanes) {
    WarpValue &of = value(instr.a), &by = value(instr.b);
    need_lanes(of);
    need_lanes(by);
    const std::uint32_t asks = by.known & lanes;
    if (any_outside(by, asks, kWarpLanes - 1, 1)) return false;
    const CodeInstr which{.op = CodeOp::shuffle, .value = instr.value};
    std::uint32_t known = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if ((asks >> lane & 1u) == 0) continue;
        const int source = code_shuffle_source(which, lane, by.at[lane]);
        out.at[lane] = of.at[source];
        known |= (of.known & lanes) >> source << lane & 1u << lane;
    }
    out.even = false;
    out.has_lanes = true;
    out.known = known;
    return true;
}

}  // namespace warplens::typed
