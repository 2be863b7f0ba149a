#include "app/cli/options_occupancy.h"

#include "app/base/errors.h"
#include "app/model/device/occupancy.h"

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <charconv>

namespace warplens {
namespace {

constexpr const char* kFooter =
    R"(How many blocks and warps are resident on one SM, what limits them, and the smallest change that gets more.

A file's first line names the columns, in any order; further columns are ignored:
  cc,block,regs,smem_dyn
  cc  compute capability, such as 9.0     block     threads per block
  regs  registers per thread              smem_dyn  shared memory per block [bytes]
The answer repeats them, with the resident blocks and what limits them, joined by + where it is more than one:
  cc,block,regs,smem_dyn,blocks,limiter   limiter: warps, registers, shared, blocks, barriers

Examples:
  warplens occupancy --cc 9.0 --threads 256 --registers 33
  warplens occupancy --cc 8.0 --threads 128 --registers 64 --shared 49152 --json
  warplens occupancy --cc 9.0 --threads 256 --registers 32 --shared 16384 --carveout 50
  warplens occupancy --cc 1.3 --threads 256 --registers 16 --static 4096 --arguments 40
  warplens occupancy launches.csv --out blocks.csv
  warplens occupancy --kernels                      Warplens' own kernels on this GPU: driver against model
  warplens occupancy --kernels --json --out assets/kernels/h200.json     the same, to be built in)";

constexpr int kMostShared = 1 << 28;

void check_range(const char* option, int value, int least, int most) {
    if (value >= least && value <= most) return;
    throw UsageError(fmt::format("{} {}: expected {} to {}", option, value, least, most));
}

/// "40", or "none": neither they nor what the launch puts there are counted.
int parse_arguments(const std::string& text) {
    if (text == "none") return kNothingHidden;
    int value = -1;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value < 0)
        throw UsageError(fmt::format("--arguments {}: expected a number of bytes, or none", text));
    return value;
}

}  // namespace

void add_occupancy(CLI::App& app, OccupancyCommand& command) {
    CLI::App* sub =
        app.add_subcommand("occupancy", "Count the blocks that fit into an SM, and say what limits");
    sub->footer(kFooter);
    CLI::Option* file = sub->add_option("file", command.path, "A CSV file of launches; - is standard input")
                            ->type_name("FILE");
    CLI::Option* cc = sub->add_option("--cc", command.cc, "Compute capability, 1.0 to 12.1")
                          ->type_name("CC")
                          ->excludes(file);
    const auto number = [&](const char* name, auto& value, const char* meaning, const char* unit) {
        return sub->add_option(name, value, meaning)->type_name(unit)->needs(cc);
    };
    number("--threads", command.input.threads, "Threads per block (default 256)", "T");
    number("--registers", command.input.registers, "Registers per thread (default 32)", "R");
    number("--shared", command.input.dynamic_shared, "Dynamic shared memory per block (default 0)", "BYTES");
    number("--static", command.input.static_shared, "Static shared memory per block (default 0)", "BYTES");
    number("--carveout", command.carveout,
           "Share of the SM's memory asked for as shared memory, 0 to 100 (default: the driver chooses)",
           "PERCENT");
    sub->add_option(
           "--arguments", command.arguments,
           "Bytes of the kernel's arguments, which lie in shared memory on 1.x (default 0); none: count "
           "nothing that is hidden there")
        ->type_name("BYTES|none")
        ->needs(cc);
    sub->add_flag("--kernels", command.kernels,
                  "All kernels of Warplens on this GPU: what they take, by the driver and by the model")
        ->excludes(file)
        ->excludes(cc);
    sub->add_flag("--json", command.json, "As JSON")->excludes(file);
    sub->add_option("--out", command.output_path, "Write there instead of standard output")
        ->type_name("FILE");
    sub->add_flag("--cpu,--no-gpu", command.cpu, "Never touch CUDA");
}

void check_occupancy(OccupancyCommand& command) {
    if (command.path.empty() && command.cc.empty() && !command.kernels)
        throw UsageError(
            "occupancy: expected --cc with a launch, a FILE, or --kernels; see 'warplens occupancy --help'");
    check_range("--threads", command.input.threads, 1, 65536);
    check_range("--registers", command.input.registers, 0, 65535);
    check_range("--shared", command.input.dynamic_shared, 0, kMostShared);
    check_range("--static", command.input.static_shared, 0, kMostShared);
    if (command.carveout) check_range("--carveout", *command.carveout, 0, 100);
    command.input.carveout = command.carveout.value_or(-1);
    if (!command.arguments.empty()) command.input.arguments = parse_arguments(command.arguments);
}

}  // namespace warplens
