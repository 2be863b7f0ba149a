// The table of memory spaces: what is there, where it is kept and how large it is, for GPUs of every
// generation.
#include "app/model/device/spaces.h"
#include "app/base/assets.h"
#include "app/experiment/devices.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace warplens::test::spaces_tests {

namespace {

const std::vector<CapabilityFacts>& capabilities() {
    static const std::vector<CapabilityFacts> rows = load_capabilities(asset("assets/gpus.json"));
    return rows;
}

SpacesTable table_of(const DeviceFacts& device) {
    return make_spaces(asset("assets/spaces.json"), device, find_capability(capabilities(), device.cc));
}

SpacesTable table_of(std::string_view gpu) {
    static const std::vector<DeviceFacts> devices = device_table();
    return table_of(devices.at(find_device(devices, gpu).value()));
}

/// A GPU of which nothing but the compute capability is known.
SpacesTable table_of(ComputeCapability cc) {
    DeviceFacts device;
    device.name = "CC " + cc.text();
    device.cc = cc;
    return table_of(device);
}

const SpaceRow& row(const SpacesTable& table, std::string_view key) {
    return *std::ranges::find(table.rows, key, &SpaceRow::key);
}

}  // namespace

TEST(Spaces, EveryCapabilityHasARowForEachSpaceAndWordsForThoseThatItHas) {
    const std::vector<std::string> order{"registers", "shared", "distributed", "tensor", "constant",
                                         "texture",   "local",  "global",      "l1",     "l2"};
    for (const CapabilityFacts& facts : capabilities()) {
        const SpacesTable table = table_of(facts.cc);
        std::vector<std::string> keys;
        for (const SpaceRow& space : table.rows) {
            keys.push_back(space.key);
            for (const std::string* text :
                 {&space.lives, &space.scope, &space.lifetime, &space.cached, &space.kernel, &space.host,
                  &space.qualifier, &space.use, &space.more, &space.link})
                EXPECT_EQ(text->empty(), !space.exists) << facts.cc.text() << " " << space.key;
            EXPECT_EQ(space.size().empty(), !space.exists) << facts.cc.text() << " " << space.key;
        }
        EXPECT_EQ(keys, order);
        EXPECT_EQ(row(table, "l1").exists, facts.cc.major >= 2) << facts.cc.text();
        EXPECT_EQ(row(table, "l2").exists, facts.cc.major >= 2) << facts.cc.text();
        EXPECT_EQ(row(table, "distributed").exists, facts.clusters) << facts.cc.text();
        EXPECT_EQ(row(table, "tensor").exists, facts.cc.major == 10 || facts.cc.major == 11)
            << facts.cc.text();
    }
}

// CUDA C Programming Guide 4.2, tables 10 and appendix F; the tuning guides of Maxwell (local loads in the L2
// only) and Pascal (GP104: global loads in the L2 only).
TEST(Spaces, WhatIsCachedWhereFollowsTheGeneration) {
    struct Case {
        ComputeCapability cc;
        const char *local, *global;
    };
    for (const Case& c : {Case{{1, 0}, "no", "no"},
                          {{1, 3}, "no", "no"},
                          {{2, 0}, "L1, L2", "L1, L2"},
                          {{3, 0}, "L1, L2", "L2"},
                          {{5, 2}, "L2", "L2; L1 if read-only"},
                          {{6, 0}, "L1, L2", "L1, L2"},
                          {{6, 1}, "L1, L2", "L2; L1 if read-only"},
                          {{7, 0}, "L1, L2", "L1, L2"},
                          {{12, 0}, "L1, L2", "L1, L2"}}) {
        const SpacesTable table = table_of(c.cc);
        EXPECT_EQ(row(table, "local").cached, c.local) << c.cc.text();
        EXPECT_EQ(row(table, "global").cached, c.global) << c.cc.text();
    }
    EXPECT_EQ(row(table_of({1, 3}), "shared").lives, "SM: a memory of its own");
    EXPECT_EQ(row(table_of({2, 0}), "shared").lives, "SM: one memory with the L1");
    EXPECT_EQ(row(table_of({6, 1}), "shared").lives, "SM: a memory of its own");
    EXPECT_EQ(row(table_of({9, 0}), "shared").lives, "SM: one memory with the L1");
}

TEST(Spaces, SizesAreThoseOfTheTable) {
    const SpacesTable h100 = table_of("H100 SXM5");
    EXPECT_EQ(row(h100, "registers").size(), "255 per thread, 256 KiB per SM");
    EXPECT_EQ(row(h100, "shared").size(), "228 KiB per SM; 48 KiB per block, 227 KiB if asked for");
    EXPECT_EQ(row(h100, "distributed").size(), "up to 227 KiB in each block");
    EXPECT_EQ(row(h100, "local").size(), "512 KiB per thread");
    EXPECT_EQ(row(h100, "constant").size(), "64 KiB");
    EXPECT_EQ(row(h100, "global").size(), "79.2 GiB");
    EXPECT_EQ(row(h100, "l1").size(), "up to 248 KiB per SM");
    EXPECT_EQ(row(h100, "l2").size(), "50 MiB");
    const SpacesTable g80 = table_of("8800 GTX");
    EXPECT_EQ(row(g80, "registers").size(), "124 per thread, 32 KiB per SM");
    EXPECT_EQ(row(g80, "shared").size(), "16 KiB per SM; 16 KiB per block");
    EXPECT_EQ(row(g80, "local").size(), "16 KiB per thread");
    EXPECT_EQ(row(g80, "global").size(), "768 MiB");
}

// The table of GPUs lists shared memory's peak by itself, to a tenth of a GB/s.
TEST(Spaces, SharedMemorysBandwidthIsThatOfTheTableForEveryGpu) {
    const nlohmann::json gpus = nlohmann::json::parse(asset("assets/gpus.json"));
    for (const auto& gpu : gpus.at("gpus")) {
        const SpacesTable table = table_of(gpu.at("name").get<std::string>());
        EXPECT_NEAR(row(table, "shared").gb_per_s, gpu.at("shared_peak_bandwidth_gb_per_s").get<double>(),
                    0.06)
            << table.gpu;
        EXPECT_EQ(row(table, "global").gb_per_s, gpu.at("memory_bandwidth_gb_per_s").get<double>());
    }
}

TEST(Spaces, ABandwidthOfTheL2ThatNobodyMeasuredIsSaidToBeAssumed) {
    const SpaceRow assumed = row(table_of("GTX 1080"), "l2"), known = row(table_of("B300"), "l2");
    EXPECT_NEAR(assumed.gb_per_s, 20 * 1.733 * 32, 1);
    EXPECT_NE(assumed.bandwidth_of.find("assumed"), std::string::npos) << assumed.bandwidth_of;
    EXPECT_EQ(known.bandwidth_of.find("assumed"), std::string::npos) << known.bandwidth_of;
}

TEST(Spaces, LatenciesSayWhereTheyComeFromOrThatTheyAreNotKnown) {
    for (const DeviceFacts& device : device_table()) {
        for (const SpaceRow& space : table_of(device).rows) {
            const SpaceLatency& latency = space.latency;
            EXPECT_LE(latency.nearest, latency.farthest) << device.name << " " << space.key;
            EXPECT_EQ(latency.source.empty(), latency.farthest <= 0 && latency.next <= 0)
                << device.name << " " << space.key;
        }
    }
    const SpacesTable h200 = table_of("H200");
    EXPECT_EQ(latency_text(row(h200, "shared")), "29.9 cycles");
    EXPECT_NE(latency_source(row(h200, "shared")).find("H100"), std::string::npos)
        << "another GPU's is named";
    EXPECT_EQ(latency_text(row(h200, "l2")), "287 to 513 cycles");
    EXPECT_EQ(latency_text(row(h200, "registers")), "no latency of its own");
    EXPECT_EQ(latency_text(row(table_of("B200"), "registers")), "none; next result after 4");
    const SpacesTable gt200 = table_of("GTX 280");
    EXPECT_EQ(latency_text(row(gt200, "global")), "440 cycles") << "no cache can answer sooner";
    EXPECT_NE(latency_source(row(gt200, "global")).find("confidence low"), std::string::npos);
    EXPECT_EQ(latency_text(row(gt200, "texture")), "up to 440 cycles");
    EXPECT_EQ(latency_text(row(table_of("8800 GTX"), "global")), "444 cycles");
    EXPECT_EQ(latency_text(row(table_of("8800 GTX"), "shared")), "not known");
}

// PTX ISA 9.0: which targets know which operator of ld; tcgen05.
TEST(Spaces, WhatAProgramCanAskOfTheCachesFollowsTheGeneration) {
    const auto hints = [](ComputeCapability cc) {
        std::string names;
        for (const CacheHint& hint : table_of(cc).hints) {
            EXPECT_FALSE(hint.code.empty() || hint.does.empty() || hint.more.empty()) << hint.name;
            names += hint.name + " ";
        }
        return names;
    };
    EXPECT_EQ(hints({1, 3}), "");
    EXPECT_EQ(hints({2, 0}), "ld.global.ca ld.global.cg ld.global.cs ld.global.lu ld.global.cv ");
    EXPECT_NE(hints({3, 5}).find(".nc"), std::string::npos);
    EXPECT_EQ(hints({7, 5}).find("cache_hint"), std::string::npos);
    EXPECT_NE(hints({8, 0}).find("L2 set-aside"), std::string::npos);
    const SpacesTable b200 = table_of("B200");
    EXPECT_EQ(row(b200, "tensor").size(), "256 KiB per SM");
    EXPECT_EQ(latency_text(row(b200, "tensor")), "not known");
    EXPECT_EQ(absent_words(row(table_of("RTX 5090"), "tensor")),
              "not on this GPU; from compute capability 10.0 to 11.0");
}

TEST(Spaces, AMistakeInTheWordsIsNamed) {
    const auto mistake = [](const char* words) {
        try {
            make_spaces(words, DeviceFacts{}, nullptr);
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string("no mistake");
    };
    EXPECT_NE(mistake("{").find("cannot be read"), std::string::npos);
    EXPECT_NE(mistake(R"({"rows":[{"key":"x","name":"X","closeness":"here","link":""}]})").find("'here'"),
              std::string::npos);
    EXPECT_NE(mistake(R"({"rows":[{"key":"x","name":"X","closeness":"sm","link":"","answers":"l9"}]})")
                  .find("'l9'"),
              std::string::npos);
}

// The share of the datasheet's bandwidth is that which predictions go by.
TEST(Spaces, CopiesReachTheShareThatIsKnownOfTheGpu) {
    const auto said = [](const char* gpu) { return row(table_of(gpu), "global").bandwidth_of; };
    EXPECT_NE(said("GTX 980").find("copies reach about 76 % of it"), std::string::npos) << said("GTX 980");
    EXPECT_NE(said("K40").find("about 76 %"), std::string::npos) << said("K40");
    EXPECT_NE(said("GTX 480").find("about 87 %"), std::string::npos) << said("GTX 480");
    EXPECT_NE(said("GTX 680").find("about 82 %"), std::string::npos) << said("GTX 680");
    EXPECT_NE(said("H200").find("about 91 %"), std::string::npos) << said("H200");
}

}  // namespace warplens::test::spaces_tests
