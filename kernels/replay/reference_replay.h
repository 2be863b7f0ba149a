#pragma once

#include "kernels/replay/replay.h"
#include "kernels/scenario.h"
#include "kernels/texture_layout.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

/// Four words; an element uses the first bytes of them.
using Words = std::array<std::uint32_t, 4>;

/// Replays blocks of a scenario on the CPU, all threads side by side, one instruction after the other. It
/// does what kernels/replay/stream.cuh describes, implemented a second time and independently.
template <class S>
class ReferenceReplay {
public:
    /// Returns what a byte of global memory contained before the launch.
    using Before = std::function<unsigned char(int buffer, std::uint64_t byte_address)>;
    /// The bytes that were written, by buffer and address.
    using Written = std::map<std::pair<int, std::uint64_t>, unsigned char>;

    /// @param blocks  the numbers of the blocks to replay (x first): whole clusters, with the blocks of each
    /// in order
    /// @param texel   the contents of the texture
    ReferenceReplay(const Params& p, std::vector<int> blocks, Before before,
                    std::function<std::uint32_t(int, int)> texel)
        : p_(p),
          shape_(S::launch(p)),
          blocks_(std::move(blocks)),
          before_(std::move(before)),
          texel_(std::move(texel)) {
        threads_.resize(blocks_.size() * static_cast<std::size_t>(threads_per_block()));
        shared_.assign(blocks_.size(), filled(static_cast<std::size_t>(shape_.shared_bytes) + 16));
        for (std::size_t t = 0; t < threads_.size(); ++t) {
            threads_[t].lane_value = filled_word(static_cast<std::uint32_t>(t % threads_per_block()));
            threads_[t].local = filled(static_cast<std::size_t>(shape_.local_bytes));
        }
        for (int i = 0; i < S::instruction_count(p_); ++i)
            exchanges_ = exchanges_ || S::instruction(p_, i).space == Space::registers;
    }

    const Written& run() {
        int phases = 0;
        for (int i = 0; i < S::instruction_count(p_); ++i)
            phases = std::max(phases, S::instruction(p_, i).phase + 1);
        for (int phase = 0; phase < phases; ++phase) run_phase(phase);
        return written_;
    }

private:
    struct Thread {
        Words sum{};
        int sum_bytes = 0;  ///< 0 if nothing was loaded
        std::uint32_t lane_value = 0;
        std::vector<unsigned char> local;
    };

    int threads_per_block() const { return shape_.block.x * shape_.block.y; }

    static std::vector<unsigned char> filled(std::size_t bytes) {
        std::vector<unsigned char> memory(bytes / 4 * 4);
        for (std::size_t word = 0; word < memory.size() / 4; ++word) {
            const std::uint32_t value = filled_word(static_cast<std::uint32_t>(word));
            std::memcpy(&memory[4 * word], &value, 4);
        }
        return memory;
    }

    void run_phase(int phase) {
        for (int step = 0, steps = 1; step < steps; ++step) {
            for (Thread& thread : threads_) thread.sum_bytes = 0;
            for (int i = 0; i < S::instruction_count(p_); ++i) {
                const Instruction instruction = S::instruction(p_, i);
                if (instruction.phase != phase) continue;
                steps = steps_of(shape_, instruction);
                const std::vector<std::uint32_t> before = lane_values(instruction);
                for (std::size_t t = 0; t < threads_.size(); ++t) execute(instruction, i, t, step, before);
            }
        }
    }

    /// The values of all lanes before an exchange.
    std::vector<std::uint32_t> lane_values(const Instruction& instruction) const {
        std::vector<std::uint32_t> values;
        if (instruction.space != Space::registers) return values;
        for (const Thread& thread : threads_) values.push_back(thread.lane_value);
        return values;
    }

    LaneAccess access_of(int index, std::size_t t, int step) const {
        const int block = blocks_[t / static_cast<std::size_t>(threads_per_block())],
                  in_block = static_cast<int>(t) % threads_per_block();
        return S::access(p_, index,
                         {block % shape_.grid.x, block / shape_.grid.x, in_block % shape_.block.x,
                          in_block / shape_.block.x, step});
    }

    void execute(const Instruction& instruction, int index, std::size_t t, int step,
                 const std::vector<std::uint32_t>& before) {
        Thread& thread = threads_[t];
        const LaneAccess access = access_of(index, t, step);
        if (instruction.space == Space::registers) {
            exchange(instruction, access, t, before);
        } else if (is_load(instruction.op)) {
            Words value{};
            if (instruction.op == Op::load_matrix)
                value = load_matrices(index, t, step);
            else if (access.active)
                value = load(instruction, access, t);
            add(thread, value, instruction.bytes_per_lane);
        } else if (access.active) {
            const Words value = value_to_store(thread, instruction.bytes_per_lane, access.byte_address);
            store(instruction, access.byte_address, t, value);
        }
    }

    void exchange(const Instruction& instruction, const LaneAccess& access, std::size_t t,
                  const std::vector<std::uint32_t>& before) {
        Thread& thread = threads_[t];
        if (instruction.op == Op::load && access.active) {
            const std::size_t in_block = t % static_cast<std::size_t>(threads_per_block());
            const std::size_t source = t - in_block % kWarpLanes + access.byte_address / 4;
            const bool adds = instruction.code.find("+=") != std::string_view::npos;
            thread.lane_value = before.at(source) + (adds ? thread.lane_value : 0);
        }
        thread.sum = {thread.lane_value};
        thread.sum_bytes = 4;
    }

    static std::uint32_t fold(const Words& words, int bytes) {
        std::uint32_t all = words[0];
        for (int w = 1; w < bytes / 4; ++w) all ^= words[static_cast<std::size_t>(w)];
        return all;
    }
    static Words unfold(std::uint32_t seed) { return {seed, ~seed, seed + 1, seed + 2}; }
    static Words cast(const Words& words, int from, int to) {
        return from == to ? words : unfold(fold(words, from));
    }

    void add(Thread& thread, const Words& value, int bytes) {
        Words sum = value;
        if (thread.sum_bytes > 0) {
            const Words old = cast(thread.sum, thread.sum_bytes, bytes);
            for (std::size_t w = 0; w < sum.size(); ++w) sum[w] += old[w];
        }
        if (bytes < 4) sum[0] &= (1u << 8 * bytes) - 1;
        thread.sum = sum;
        thread.sum_bytes = bytes;
        if (exchanges_) thread.lane_value = sum[0];
    }

    Words value_to_store(const Thread& thread, int bytes, std::uint64_t byte_address) const {
        if (thread.sum_bytes > 0) return cast(thread.sum, thread.sum_bytes, bytes);
        return unfold(exchanges_ ? thread.lane_value : stored_word(byte_address));
    }

    /// The address on the CPU of a place in the memory of an SM.
    unsigned char* place(const Instruction& instruction, std::uint64_t at, std::size_t t) {
        const std::size_t block = t / static_cast<std::size_t>(threads_per_block());
        if (instruction.space == Space::local) return &threads_.at(t).local.at(at);
        if (instruction.space == Space::shared) return &shared_.at(block).at(at);
        const auto size = static_cast<std::size_t>(shape_.cluster), rank = block % size;
        const auto away = static_cast<std::size_t>(instruction.ranks_away);
        return &shared_.at(block - rank + (rank + away) % size).at(at);
    }

    void store(const Instruction& instruction, std::uint64_t at, std::size_t t, const Words& value) {
        const auto bytes = static_cast<std::size_t>(instruction.bytes_per_lane);
        if (instruction.space != Space::global) {
            std::memcpy(place(instruction, at, t), value.data(), bytes);
            return;
        }
        std::array<unsigned char, sizeof(Words)> raw{};
        std::memcpy(raw.data(), value.data(), bytes);
        for (std::size_t i = 0; i < bytes; ++i) written_[{instruction.buffer, at + i}] = raw[i];
    }

    Words load_global(const Instruction& instruction, std::uint64_t at) const {
        std::array<unsigned char, sizeof(Words)> raw{};
        for (std::size_t i = 0; i < static_cast<std::size_t>(instruction.bytes_per_lane); ++i) {
            const auto found = written_.find({instruction.buffer, at + i});
            raw[i] = found != written_.end() ? found->second : before_(instruction.buffer, at + i);
        }
        Words value{};
        std::memcpy(value.data(), raw.data(), raw.size());
        return value;
    }

    Words load(const Instruction& instruction, const LaneAccess& access, std::size_t t) {
        Words value{};
        if (instruction.space == Space::constant) {
            for (std::size_t w = 0; w < value.size(); ++w)
                value[w] = filled_word(static_cast<std::uint32_t>(access.byte_address / 4 + w));
        } else if (instruction.space == Space::texture) {
            const auto border = static_cast<Border>(shape_.border);
            const int x = inside_texture(access.x, shape_.texture.x, border),
                      y = inside_texture(access.y, shape_.texture.y, border);
            value[0] = x < 0 || y < 0 ? 0 : texel_(x, y);
        } else if (instruction.space == Space::global) {
            value = load_global(instruction, access.byte_address);
        } else {
            std::memcpy(value.data(), place(instruction, access.byte_address, t),
                        static_cast<std::size_t>(instruction.bytes_per_lane));
        }
        return value;
    }

    /// Lane l gets words l % 4 of row l / 4 of each matrix; lane 8 m + r supplies the address of row r of
    /// matrix m. Source: PTX ISA, ldmatrix.
    Words load_matrices(int index, std::size_t t, int step) {
        const std::size_t first = t - t % kWarpLanes, lane = t % kWarpLanes;
        Words value{};
        for (std::size_t m = 0; m < static_cast<std::size_t>(p_.matrices); ++m) {
            const LaneAccess row = access_of(index, first + 8 * m + lane / 4, step);
            const auto& shared = shared_.at(t / static_cast<std::size_t>(threads_per_block()));
            std::memcpy(&value[m], &shared.at(row.byte_address + lane % 4 * 4), 4);
        }
        return value;
    }

    Params p_;
    LaunchShape shape_;
    std::vector<int> blocks_;
    Before before_;
    Written written_;
    std::function<std::uint32_t(int, int)> texel_;
    std::vector<Thread> threads_;
    std::vector<std::vector<unsigned char>> shared_;  ///< by block, in the order of blocks_
    bool exchanges_ = false;
};

}  // namespace warplens
