#pragma once

#include "app/model/time/flow.h"
#include "app/pictures/kit/canvas.h"

#include <cstdint>
#include <string>

namespace warplens {

/// The facts that the picture of a launch's traffic is drawn from.
struct TrafficView {
    const FlowReport* flows = nullptr;
    const DeviceFacts* device = nullptr;
    bool cold = false;
    /// Whether every request has its least possible cost, and the launch is not slow all the same.
    bool least = false;
    Tone tone = Tone::plain;  ///< of the verdict, and of the memory that sets the pace
    /// Wavefronts of all shared-memory requests together, and how many there would be without bank conflicts.
    std::int64_t wavefronts = 0, ideal_wavefronts = 0;
    std::string does_not_fit;  ///< why the device cannot run this. Empty if it can.
};

/// The memories of a GPU as boxes, arranged as on the chip, and the bytes of one launch between them as
/// arrows.
///
/// A box's area grows with the logarithm of its capacity: every doubling adds the same. An arrow's width
/// grows with its bytes. The memory that sets the predicted speed is outlined.
Picture draw_traffic(const TrafficView& view, const Style& style);

/// Which memory carries most, and which one sets the pace.
Explanation explain_traffic(const TrafficView& view);

/// "281 cycles", "not known".
std::string cycles_text(double cycles);
/// "4.80 TB/s", "not known".
std::string speed_text(double gb_per_s);
/// "60 MiB", "at most 248 KiB of the 256 KiB it shares", "not known".
std::string capacity_text(const MemoryInfo& info);
/// "L1", "shared": in narrow boxes and tables.
std::string short_name(Memory memory);
/// Capacity, latency and bandwidth with their sources, and what the launch does there.
std::string memory_tooltip(Memory memory, const TrafficView& view);
/// How much goes one way between two memories, and how each part of it was counted.
std::string flow_tooltip(Memory from, Memory to, const TrafficView& view);
/// How the bytes of one flow were counted.
std::string_view rule_text(FlowRule rule);
/// "global loads"
std::string flow_name(const Flow& flow);

}  // namespace warplens
