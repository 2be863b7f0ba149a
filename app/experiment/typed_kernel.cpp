#include "app/experiment/typed_kernel.h"

#include "app/base/assets.h"
#include "app/base/base64.h"
#include "app/base/errors.h"
#include "app/base/input.h"
#include "app/base/text.h"
#include "app/measure/recording.h"
#include "app/typed/cuda_text.h"
#include "app/typed/parse/source.h"
#include "app/typed/scenario.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace warplens {
namespace {

constexpr std::string_view kTextKey = "text", kNameKey = "name", kExampleKey = "example";
constexpr std::string_view kEnding = ".cu", kHeaderEnding = ".cuh";
bool is_kernel_name(std::string_view name) {
    return name.ends_with(kEnding) || name.ends_with(kHeaderEnding);
}
/// Names that a file may give a kernel.
constexpr std::size_t kMostName = 80;
static_assert(kMostRecordedKernelBytes == typed::kMostSourceBytes,
              "a recording contains any kernel that can be typed");

std::string pack(const std::string& text) {
    std::string packed(compressBound(static_cast<uLong>(text.size())), '\0');
    uLongf size = static_cast<uLongf>(packed.size());
    const int done =
        compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                  static_cast<uLong>(text.size()), Z_BEST_COMPRESSION);
    if (done != Z_OK) throw std::bad_alloc();  // there is no other reason
    packed.resize(size);
    return base64_of_link(packed);
}

std::string unpack(std::string_view letters) {
    const std::string packed = from_base64_of_link(letters);
    std::string text(typed::kMostSourceBytes, '\0');
    uLongf size = static_cast<uLongf>(text.size());
    const int done = packed.empty() ? Z_DATA_ERROR
                                    : uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                                                 reinterpret_cast<const Bytef*>(packed.data()),
                                                 static_cast<uLong>(packed.size()));
    if (done == Z_BUF_ERROR)
        throw UsageError(fmt::format("the kernel in this link is damaged, or has more than {} KiB of text",
                                     typed::kMostSourceBytes / 1024));
    if (done != Z_OK) throw UsageError("the kernel in this link is damaged: copy the whole link");
    text.resize(size);
    return text;
}

/// A kernel that comes with the program. Empty if there is none of this name.
std::string_view example(std::string_view name) { return asset(fmt::format("assets/typed/{}", name)); }

/// The value of an item, which is taken out. Empty if there is none.
std::string take_item(std::vector<Item>& items, std::string_view key) {
    std::string value;
    for (const Item& item : items)
        if (item.key == key) value = item.value;
    std::erase_if(items, [&](const Item& item) { return item.key == key; });
    return value;
}

void require_free_names(const Scenario& scenario) {
    for (const Knob& knob : scenario.info->knobs) {
        const bool pictured = knob.picture_only;
        const bool taken = find_field(knob.key) != nullptr || find_board_knob(knob.key) != nullptr ||
                           knob.key == kTextKey || knob.key == kNameKey || knob.key == kExampleKey ||
                           (!pictured && find_knob(scenario, knob.key)->picture_only) ||
                           (!pictured && (knob.key == "warp" || knob.key == "step"));
        if (taken)
            throw UsageError(fmt::format(
                "'// knob' cannot be called {}, which means something else in links: choose another name",
                in_quotes(knob.key)));
    }
}

}  // namespace

bool is_kernel_file(std::string_view name) {
    return is_kernel_name(name) && name.find('?') == std::string_view::npos;
}

InSteps<const Scenario*> open_kernel_in_steps(std::string text, std::string name) {
    auto reading = typed::typed_scenario(std::move(text), printable(name, kMostName));
    while (reading.step()) co_yield 0;
    const Scenario* scenario = reading.take();
    require_free_names(*scenario);
    co_return scenario;
}

const Scenario& open_kernel(const std::string& text, const std::string& name) {
    return *open_kernel_in_steps(text, name).done();
}

InSteps<std::shared_ptr<const Scenario>> try_kernel(std::string text, std::string name) {
    auto reading = typed::trial_scenario(std::move(text), std::move(name));
    while (reading.step()) co_yield 0;
    std::shared_ptr<const Scenario> scenario = reading.take();
    require_free_names(*scenario);
    co_return scenario;
}

std::string text_to_compile(const Scenario& scenario, const Params& params) {
    const auto launch = typed::typed_launch(scenario, params);
    const typed::CudaText made = typed::cuda_text(*launch, typed::TextKind::plain);
    // A template is compiled where somebody names it.
    return fmt::format("{}static const void* const warplens_kernel = (const void*)&{};\n", made.text,
                       made.name);
}

std::string text_with_kernel(const std::string& text, std::string_view kernel) {
    return typed::with_kernel(text, kernel);
}

const Scenario& open_kernel_file(const std::string& path, std::string_view kernel) {
    const std::string name = printable(std::filesystem::path(path).filename().string(), kMostName);
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
        throw UsageError(
            fmt::format("cannot read '{}': it is no regular file", printable(path, kMostMessageBytes)));
    std::ifstream input = open_input(path);
    std::string text(typed::kMostSourceBytes + 1, '\0');
    input.read(text.data(), std::streamsize(text.size()));
    if (input.bad()) throw UsageError(fmt::format("cannot read '{}'", printable(path, kMostMessageBytes)));
    text.resize(input.gcount());
    try {
        if (kernel.empty()) return open_kernel(text, name);
        const Scenario& scenario = open_kernel(typed::with_kernel(text, kernel), name);
        if (scenario.typed->kernel() != kernel)
            throw UsageError(fmt::format("there is no kernel {} in this text; it has {}", in_quotes(kernel),
                                         fmt::join(scenario.typed->kernels(), ", ")));
        return scenario;
    } catch (const typed::SourceError& problem) {
        if (problem.kind() == typed::SourceError::Kind::no_access) throw;
        throw UsageError(fmt::format("{}, {}", name, problem.what()));
    } catch (const UsageError& problem) {
        throw UsageError(fmt::format("{}, {}", name, problem.what()));
    }
}

std::string launch_words(const Scenario& scenario, const Params& params) {
    const LaunchShape shape = scenario.launch(params);
    typed::Launch launch{
        .grid_x = shape.grid.x, .grid_y = shape.grid.y, .block_x = shape.block.x, .block_y = shape.block.y};
    if (scenario.typed != nullptr && scenario.typed->problem(params).empty())
        launch = typed::typed_launch(scenario, params)->launch();
    const auto size = [](int x, int y, int z) {
        return z > 1 ? fmt::format("{} x {} x {}", x, y, z) : fmt::format("{} x {}", x, y);
    };
    return fmt::format("{} blocks of {} threads", size(launch.grid_x, launch.grid_y, launch.grid_z),
                       size(launch.block_x, launch.block_y, launch.block_z));
}

bool comes_with_program(const Scenario& scenario) {
    return scenario.typed != nullptr && std::ranges::any_of(asset_paths("assets/typed/"), [&](auto path) {
               return asset(path) == scenario.typed->text();
           });
}

Params params_after_typing(const Scenario& now, const Scenario& before, const Params& params) {
    Params kept = now.info->defaults;
    for (const Knob& knob : before.info->knobs) {
        const auto same = std::ranges::find_if(now.info->knobs, [&](const Knob& other) {
            return other.key == knob.key && other.kind == knob.kind;
        });
        const int value = params.*knob.field;
        if (same != now.info->knobs.end() && value != before.info->defaults.*knob.field)
            kept.*same->field = value;
    }
    clamp_knobs(now, kept);
    return kept;
}

std::vector<Item> kernel_items(const Scenario& scenario) {
    std::vector<Item> items;
    if (scenario.typed == nullptr) return items;
    if (example(scenario.info->title) == scenario.typed->text()) {
        const std::string_view title = scenario.info->title;
        items.push_back({std::string(kExampleKey), std::string(title.substr(0, title.rfind('.')))});
        return items;
    }
    items.push_back({std::string(kTextKey), pack(scenario.typed->text())});
    if (const std::string& file = scenario.typed->file(); is_kernel_name(file))
        items.push_back({std::string(kNameKey), file});
    return items;
}

const Scenario& take_kernel(std::vector<Item>& items) {
    if (const std::string chosen = take_item(items, kExampleKey); !chosen.empty()) {
        const std::string file = chosen + std::string(kEnding);
        const std::string_view text = example(file);
        if (text.empty())
            throw UsageError(
                fmt::format("there is no example {}; the editor of kernels lists them", in_quotes(chosen)));
        return open_kernel(std::string(text), file);
    }
    const std::string letters = take_item(items, kTextKey);
    std::string name = printable(take_item(items, kNameKey), kMostName);
    if (!is_kernel_name(name)) name.clear();
    if (letters.empty()) throw UsageError("a link to a kernel that was typed has to contain its text");
    try {
        return open_kernel(unpack(letters), name);
    } catch (const typed::SourceError& problem) {
        throw UsageError(
            fmt::format("{}, {}", name.empty() ? "the kernel in this link" : name, problem.what()));
    }
}

}  // namespace warplens
