// The kernels that are timed and counted do what their scenarios say: what they write is right, and nothing
// else changes.
#include "tests/kernels/scenarios/kernel_output.h"

#include "app/model/catalogue.h"
#include "kernels/cuda/device_buffer.cuh"
#include "kernels/cuda/device_texture.cuh"
#include "kernels/cuda/gpu.h"
#include "kernels/scenarios/cuda/scenario_kernel.cuh"
#include "kernels/scenarios/dispatch.h"
#include "kernels/timing/timing.cuh"
#include "tests/random_params.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace warplens::test {

std::variant<KernelOutput, Unavailable> launch_to_host(std::string_view scenario, const Params& params) {
    const auto setting = describe_setting(scenario, params);
    if (!setting) return no_such_scenario(scenario);
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) return *why;
    if (auto why = refuse_gpu(*setting->info, std::get<0>(gpus).front())) return *why;
    ScenarioKernel kernel;
    with_scenario(scenario, [&]<class S>() { kernel = kernel_of<S>(); });
    try {
        const LaunchShape& shape = setting->shape;
        Stopwatch watch;
        DeviceBuffer buffers[kMaxBuffers], sink, clocks;
        DeviceTexture texture;
        sink.reserve(sizeof(std::uint32_t), watch.stream());
        clocks.reserve(sizeof(ClockPair), watch.stream());
        for (int b = 0; b < kMaxBuffers; ++b) {
            buffers[b].start_at(first_word_of(b));
            buffers[b].reserve(shape.buffer_bytes[b], watch.stream());
        }
        texture.reserve(shape.texture, static_cast<Border>(shape.border), watch.stream());
        const KernelMemory memory{{buffers[0].data(), buffers[1].data(), buffers[2].data()},
                                  reinterpret_cast<std::uint32_t*>(sink.data()),
                                  reinterpret_cast<ClockPair*>(clocks.data()),
                                  texture.object()};
        const auto fetch = [&](int b) {
            watch.wait();
            std::vector<unsigned char> bytes(static_cast<std::size_t>(shape.buffer_bytes[b]));
            CUDA_CHECK(cudaMemcpy(bytes.data(), buffers[b].data(), bytes.size(), cudaMemcpyDeviceToHost));
            return bytes;
        };
        std::optional<Unavailable> why;
        if (kernel.prepare != nullptr) why = kernel.prepare(params, memory, watch.stream());
        KernelOutput output{fetch(0), fetch(1), {}, fetch(2)};
        if (!why) why = kernel.launch(params, memory, watch.stream());
        if (why) return *why;
        output.after = fetch(1);
        return output;
    } catch (const std::runtime_error& error) {  // CudaError, GpuStuck
        return Unavailable{error.what()};
    }
}

namespace {

class KernelOutputGpu : public testing::Test {
protected:
    void SetUp() override {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus)) GTEST_SKIP() << why->reason;
        gpu_ = std::get<0>(gpus).front();
    }

    static KernelOutput launch(std::string_view scenario, const Params& p) {
        auto output = launch_to_host(scenario, p);
        if (const auto* why = std::get_if<Unavailable>(&output)) {
            ADD_FAILURE() << why->reason;
            return {};
        }
        return std::get<KernelOutput>(std::move(output));
    }

    GpuInfo gpu_;
};

/// What `global-stride` should leave in its second buffer.
std::vector<unsigned char> expected_output(const Params& p, const KernelOutput& output) {
    std::vector<unsigned char> expected = output.before;
    const LaunchShape shape = GlobalStride::launch(p);
    const bool copies = GlobalStride::is_copy(p);
    const auto bytes = static_cast<std::size_t>(p.element_bytes);
    for (int block = 0; block < shape.grid.x; ++block) {
        for (int x = 0; x < shape.block.x; ++x) {
            const ThreadId thread{block, 0, x, 0, 0};
            const LaneAccess store = GlobalStride::access(p, copies ? 1 : 0, thread);
            if (!store.active) continue;
            // Without a load, each element is made from the low half of its own address.
            const auto word = static_cast<std::uint32_t>(store.byte_address);
            const std::uint32_t unloaded[4] = {word, ~word, word + 1, word + 2};
            const void* source =
                copies
                    ? static_cast<const void*>(&output.in.at(GlobalStride::access(p, 0, thread).byte_address))
                    : unloaded;
            std::memcpy(&expected.at(store.byte_address), source, bytes);
        }
    }
    return expected;
}

TEST_F(KernelOutputGpu, CopiesAndStoresWriteWhatTheFormulaSays) {
    for (const Operation operation : {Operation::store, Operation::copy, Operation::copy_both}) {
        for (const int element : {1, 2, 4, 8, 16}) {
            for (const int stride : {0, 1, 2, 3, 32, 33}) {
                for (const int mask : {-1, 0x0000'ffff, 0x5555'5555, 1}) {
                    Params p = GlobalStride::info.defaults;
                    p.operation = static_cast<int>(operation);
                    p.element_bytes = element;
                    p.stride = stride;
                    p.offset = stride % 5;
                    p.mask = mask;
                    p.elements_log2 = 11;
                    const KernelOutput output = launch("global-stride", p);
                    ASSERT_EQ(output.after, expected_output(p, output))
                        << "operation " << p.operation << " element " << element << " stride " << stride
                        << " mask " << mask;
                }
            }
        }
    }
}

TEST_F(KernelOutputGpu, LoadsWriteNothing) {
    Params p = GlobalStride::info.defaults;
    p.operation = static_cast<int>(Operation::load);
    p.elements_log2 = 12;
    const KernelOutput output = launch("global-stride", p);
    EXPECT_EQ(output.after, output.before);
    EXPECT_FALSE(output.in.empty());
}

std::uint32_t word_at(const std::vector<unsigned char>& bytes, std::size_t index) {
    std::uint32_t word = 0;
    std::memcpy(&word, &bytes.at(index * sizeof word), sizeof word);
    return word;
}

/// The first element that is not where it belongs; -1: none.
long first_wrong(const KernelOutput& output, std::size_t n) {
    for (std::size_t y = 0; y < n; ++y) {
        for (std::size_t x = 0; x < n; ++x) {
            if (word_at(output.after, x * n + y) != word_at(output.in, y * n + x))
                return static_cast<long>(y * n + x);
        }
    }
    return -1;
}

TEST_F(KernelOutputGpu, EveryTransposeTurnsTheMatrix) {
    for (const Variant variant : {Variant::naive, Variant::tile, Variant::padded, Variant::swizzled}) {
        for (const int tile : {8, 16, 32}) {
            for (const int block_rows : {1, 2, 8, 32}) {
                for (const int matrix : {32, 33, 64, 100, 257}) {
                    Params p = Transpose::info.defaults;
                    p.variant = static_cast<int>(variant);
                    p.tile = tile;
                    p.block_rows = block_rows < tile ? block_rows : tile;
                    p.matrix = matrix;
                    p.padding = 1 + matrix % 3;
                    const KernelOutput output = launch("transpose", p);
                    ASSERT_EQ(first_wrong(output, static_cast<std::size_t>(matrix)), -1)
                        << "variant " << p.variant << " tile " << tile << " rows " << block_rows << " n "
                        << matrix;
                }
            }
        }
    }
}

template <class... S, class Check>
void for_each_scenario(ScenarioList<S...>, Check&& check) {
    (check.template operator()<S>(), ...);
}

TEST_F(KernelOutputGpu, WhatAScenarioExpectsIsWrittenForAnySetting) {
    std::mt19937 random(11);
    int compared = 0;
    for_each_scenario(AllScenarios{}, [&]<class S>() {
        const ScenarioKernel kernel = kernel_of<S>();
        if (kernel.expected == nullptr || refuse_gpu(S::info, gpu_)) return;
        const Scenario& scenario = *find_scenario(S::info.id);
        for (int i = 0; i < 40; ++i) {
            const Params p = small_random_params(scenario, random);
            if (scenario.launch(p).shared_bytes > gpu_.shared_per_block_optin_bytes) continue;
            const ExpectedBytes expected = kernel.expected(p);
            if (expected.bytes.empty()) continue;
            std::string settings;
            for (const Knob& knob : S::info.knobs)
                settings += " " + std::string(knob.key) + "=" + format_knob(knob, p);
            const KernelOutput output = launch(S::info.id, p);
            for (std::size_t at = 0; at < expected.bytes.size(); ++at)
                ASSERT_EQ(output.after.at(expected.addresses[at]), expected.bytes[at])
                    << S::info.id << settings << " byte " << expected.addresses[at];
            ++compared;
        }
    });
    EXPECT_GT(compared, 150);
}

TEST_F(KernelOutputGpu, EveryReductionAddsUp) {
    for (const Choice& variant : SharedReduction::kVariants) {
        for (const int block : {64, 128, 256, 512, 1024}) {
            Params p = SharedReduction::info.defaults;
            p.variant = variant.value;
            p.block_x = block;
            p.blocks_log2 = 3;
            const KernelOutput output = launch("shared-reduction", p);
            for (std::size_t b = 0; b < std::size_t{1} << p.blocks_log2; ++b) {
                std::uint32_t sum = 0;
                for (std::size_t x = 0; x < static_cast<std::size_t>(block); ++x)
                    sum += word_at(output.in, b * static_cast<std::size_t>(block) + x);
                ASSERT_EQ(word_at(output.after, b), sum) << variant.name << " block of " << block;
            }
        }
    }
}

}  // namespace
}  // namespace warplens::test
