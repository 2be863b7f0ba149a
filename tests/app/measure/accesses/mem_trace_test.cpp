#include "app/measure/accesses/mem_trace.h"

#include "app/base/errors.h"
#include "app/experiment/devices.h"
#include "app/measure/accesses/access_list.h"
#include "tests/devices.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace warplens::test::mem_trace_tests {
namespace {

std::string launch(int number, const std::string& kernel) {
    return fmt::format(
        "MEMTRACE: CTX 0x000055967fa50640 - LAUNCH - Kernel pc 0x00007faedadc0200 - Kernel name {} - grid launch id "
        "{} - grid size 98,1,1 - block size 1024,1,1 - nregs 16 - shmem 0 - cuda stream id 0\n",
        kernel, number);
}

/// Lane i at address_of(i).
std::string line(int number, const std::string& block, int warp, const std::string& opcode, auto address_of) {
    std::string text =
        fmt::format("MEMTRACE: CTX 0x000055967fa50640 - grid_launch_id {} - CTA {} - warp {} - {} - ", number,
                    block, warp, opcode);
    for (int lane = 0; lane < 32; ++lane) text += fmt::format("0x{:016x} ", std::uint64_t{address_of(lane)});
    return text + '\n';
}
std::string line(const std::string& opcode, auto address_of) {
    return line(0, "1,2,3", 4, opcode, address_of);
}

constexpr std::uint64_t kGlobal = 0x7ff412a00000;
auto strided(std::uint64_t first, std::uint64_t step) {
    return [=](int lane) { return first + step * static_cast<std::uint64_t>(lane); };
}

AccessList list(const std::string& text) {
    std::istringstream input(text);
    return list_accesses(input, "trace.txt", h200());
}

std::string complaint(const std::string& text) {
    try {
        list(text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
}

TEST(MemTrace, OpcodesSayMemoryDirectionAndWidth) {
    struct Case {
        const char* opcode;
        Space space;
        Op op;
        int bytes;
    };
    for (const Case& c :
         {Case{"LDG.E", Space::global, Op::load, 4}, Case{"LDG.E.64.STRONG.GPU", Space::global, Op::load, 8},
          Case{"LDG.E.LTC128B.128.CONSTANT", Space::global, Op::load, 16},
          Case{"LDG.E.U8", Space::global, Op::load, 1}, Case{"STG.E.U16", Space::global, Op::store, 2},
          Case{"ST.E.64", Space::global, Op::store, 8},
          Case{"RED.E.ADD.F64.RN.STRONG.GPU", Space::global, Op::reduction, 8},
          Case{"ATOMG.E.ADD.F16x2.RN", Space::global, Op::atomic, 4},
          Case{"LDS.U.128", Space::shared, Op::load, 16}, Case{"STS", Space::shared, Op::store, 4},
          Case{"ATOMS.ADD", Space::shared, Op::atomic, 4},
          Case{"ATOMS.POPC.INC.32", Space::shared, Op::increment, 4},
          Case{"LDSM.16.M88.4", Space::shared, Op::load_matrix, 16},
          Case{"LDL.LU", Space::local, Op::load, 4}, Case{"STL.64", Space::local, Op::store, 8},
          Case{"LDC.U8", Space::constant, Op::load, 1}}) {
        const auto access = access_of_opcode(c.opcode);
        ASSERT_TRUE(access) << c.opcode;
        EXPECT_EQ(access->space, c.space) << c.opcode;
        EXPECT_EQ(access->op, c.op) << c.opcode;
        EXPECT_EQ(access->bytes_per_lane, c.bytes) << c.opcode;
    }
    EXPECT_EQ(access_of_opcode("LDSM.16.M88")->lanes, 0xffu);
    EXPECT_EQ(access_of_opcode("LDSM.16.MT88.2")->lanes, 0xffffu);
    for (const char* other : {"SULD.D.2D", "TEX", "", ".", "IMAD.MOV.U32", "LDG.E.128x4"})
        EXPECT_FALSE(access_of_opcode(other)) << other;
}

TEST(MemTrace, GroupsByKernelAndOpcodeWorstFirst) {
    const AccessList all =
        list("------------- NVBit (NVidia Binary Instrumentation Tool v1.7.1) Loaded --------------\n" +
             launch(0, "copy(float*, float const*)") + line(0, "0,0,0", 0, "LDG.E", strided(kGlobal, 4)) +
             "the program says hello\n" + line(0, "5,0,0", 7, "LDG.E", strided(kGlobal, 32)) +
             line(0, "0,0,0", 1, "STG.E", strided(kGlobal, 8)) + launch(1, "copy(float*, float const*)") +
             line(1, "0,0,0", 0, "LDG.E", strided(kGlobal, 4)) + launch(2, "tile()") +
             line(2, "0,0,0", 0, "LDS", strided(0, 128)));
    ASSERT_EQ(all.groups.size(), 3u);
    EXPECT_TRUE(all.mem_trace);
    EXPECT_EQ(all.rows, 5);
    const AccessGroup& tile = all.groups[0];
    EXPECT_EQ(tile.kernel, "tile()");
    EXPECT_EQ(tile.totals.wavefronts, 32);
    EXPECT_EQ(excess_of(tile, h200().sector_rules), 31);
    const AccessGroup& load = all.groups[1];
    EXPECT_EQ(load.name, "LDG.E");
    EXPECT_EQ(load.kernel, "copy(float*, float const*)");
    EXPECT_EQ(load.rows, 3) << "of both launches";
    EXPECT_EQ(load.totals.sectors, 4 + 32 + 4);
    EXPECT_EQ(load.worst_totals.sectors, 32);
    EXPECT_EQ(load.line, 5);
    EXPECT_EQ(load.place.launch, 0);
    EXPECT_EQ(load.place.block[0], 5);
    EXPECT_EQ(load.place.warp, 7);
    EXPECT_EQ(all.groups[2].totals.sectors, 8);
}

TEST(MemTrace, AddressZeroIsALaneThatWasNotActive) {
    const AccessList all = list(
        line("LDG.E", [](int lane) { return lane < 16 ? kGlobal + 4u * static_cast<unsigned>(lane) : 0u; }) +
        line("LDS", [](int lane) { return lane < 8 ? 4u * static_cast<unsigned>(lane) : 0u; }) +
        line("LDS.64", [](int) { return 0u; }));
    for (const AccessGroup& group : all.groups) {
        if (group.name == "LDG.E") {
            EXPECT_EQ(group.worst.active, 0xffffu);
        }
        if (group.name == "LDS") {
            EXPECT_EQ(group.worst.active, 0xffu) << "lane 0 is at address 0";
        }
        if (group.name == "LDS.64") {
            EXPECT_EQ(group.worst.active, kAllLanes) << "all at address 0";
        }
    }
}

TEST(MemTrace, AnAsynchronousCopyIsALoadAndAStore) {
    const AccessList all =
        list(line("LDGSTS.E.BYPASS.128", strided(kGlobal, 16)) + line("LDGSTS.E.BYPASS.128", strided(0, 16)));
    ASSERT_EQ(all.groups.size(), 2u);
    EXPECT_EQ(all.groups[0].rows, 1);
    EXPECT_NE(all.groups[0].space(), all.groups[1].space());
}

TEST(MemTrace, WhatIsNotCountedIsSaid) {
    const AccessList all = list(line("LDG.E", strided(kGlobal, 4)) + line("SULD.D.2D", strided(kGlobal, 4)) +
                                line("LDG.E.64", strided(kGlobal + 4, 8)));
    EXPECT_EQ(all.rows, 1);
    EXPECT_EQ(all.skipped, 2) << "no such opcode; addresses that are no multiples of 8";
    EXPECT_EQ(all.skipped_opcode, "SULD.D.2D");
}

TEST(MemTrace, AMalformedLineNamesItsPlace) {
    const std::string good = line("LDG.E", strided(kGlobal, 4));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return good + text;
    };
    for (const std::string& text :
         {with("CTA 1,2,3", "CTA 1,2"), with("CTA 1,2,3", "CTA 1,x,3"), with("warp 4", "warp -4"),
          with("warp 4", "warp"), with("grid_launch_id 0", "grid_launch_id zero"),
          with("LDG.E - 0x0", "LDG.E - 0xg"), with("LDG.E - 0x0", "LDG.E - 0"),
          good + good.substr(0, good.size() - 30) + "\n"}) {
        const std::string said = complaint(text);
        EXPECT_NE(said.find("trace.txt, line 2: expected "), std::string::npos) << text << said;
        EXPECT_EQ(said.find('\n'), std::string::npos);
    }
    EXPECT_NE(complaint(launch(0, "k()")).find("found none"), std::string::npos);
    EXPECT_NE(complaint(line("SULD", strided(kGlobal, 4))).find("SULD"), std::string::npos);
}

}  // namespace
}  // namespace warplens::test::mem_trace_tests
