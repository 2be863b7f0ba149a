#pragma once

#include "app/typed/warp/warp_code.h"
#include "app/typed/warp/warp_compute.h"

#include <cstdint>
#include <span>
#include <vector>

namespace warplens::typed {

/// One load or store of a warp.
struct WarpRequest {
    int site = 0;                         ///< in WarpCode::sites
    std::uint32_t active = 0;             ///< the lanes that make it: one or more
    WarpValue& offsets;                   ///< in its memory [bytes]
    int interval = 0, warp_interval = 0;  ///< see Request
};

class WarpVisitor {
public:
    virtual ~WarpVisitor() = default;
    virtual void begin_warp() {}
    virtual void visit(const WarpRequest& request) = 0;
};

/// Executes blocks as run_blocks does, but several times as fast, as long as nothing is wrong with them. It
/// never says what is: it gives up, and run_blocks says it.
class WarpMachine {
public:
    WarpMachine(const Bound& bound, WarpCode code);
    WarpMachine(const WarpMachine&) = delete;
    WarpMachine& operator=(const WarpMachine&) = delete;

    /// @return  false if it gave up, after some requests were visited: the same ones each time
    bool run_block(int x, int y, WarpVisitor& visitor);
    std::int64_t requests() const { return requests_; }  ///< of the last block
    std::int64_t steps() const { return steps_; }        ///< likewise; not fewer than BlockTrace::steps
    const std::vector<ModelCode::Site>& sites() const { return code_.sites; }

private:
    /// Lanes that wait at an instruction for those that have not come so far.
    struct Waiting {
        int at = 0;
        std::uint32_t lanes = 0;
    };

    WarpValue& value(std::int32_t number) { return number >= 0 ? registers_[number] : of_warp_[~number]; }
    void choose_warp(int warp);
    bool run_warp();
    /// Computes what all lanes need.
    void prepare(const std::vector<WarpInstr>& instructions);
    void special(const WarpInstr& instr, WarpValue& out) const;
    bool compute(const WarpInstr& instr, WarpValue& out, std::uint32_t lanes);
    bool execute(const WarpInstr& instr, std::uint32_t lanes);
    bool access(const WarpInstr& instr, std::uint32_t lanes);
    void content(const WarpInstr& instr, WarpValue& offsets, WarpValue& out, std::uint32_t lanes);
    bool shuffle(const WarpInstr& instr, WarpValue& out, std::uint32_t lanes);
    static void merge(const WarpInstr& instr, WarpValue& into, WarpValue& from, std::uint32_t lanes);
    void wait(int at, std::uint32_t lanes);

    const Bound& bound_;
    WarpCode code_;
    WarpCompute compute_;
    std::size_t first_of_lanes_ = 0;  ///< the registers before it are written once for each block
    /// One more than there are: operands that an instruction does not have are register 0.
    std::vector<WarpValue> all_registers_, of_all_warps_;
    // Checked without a division, as access to elements of a vector is.
    std::span<WarpValue> registers_, of_warp_;
    std::span<const WarpInstr> instructions_;
    WarpValue room_, room_of_shift_;
    std::vector<Waiting> waiting_;  ///< the least instruction last
    WarpVisitor* visitor_ = nullptr;
    int block_x_ = 0, block_y_ = 0, warp_ = 0;
    std::uint32_t live_ = 0;  ///< lanes that have not returned from the kernel
    int interval_ = 0, warp_interval_ = 0;
    std::int64_t requests_ = 0, steps_ = 0;
};

}  // namespace warplens::typed
