// What a person types or pastes: links, settings, options, whole command lines. And the Markdown of lessons.

#include "app/base/parse_number.h"
#include "app/cli/run.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/experiment/settings.h"
#include "app/figures/export_options.h"
#include "app/figures/figure_command.h"
#include "app/figures/figure_form.h"
#include "app/learn/markdown.h"
#include "tests/fuzzing/targets.h"

namespace warplens::fuzz {

void link(std::string_view bytes) {
    static const std::vector<DeviceFacts>& devices = device_table();
    const State start = initial_state(all_scenarios().front(), 0);
    describe_link(bytes);
    try_to([&] {
        const State there = follow_link(bytes, start, devices).state;
        const std::string whole = link_to(there, devices);
        require(follow_link(whole, start, devices).state == there, "the link to a state leads to it");
    });
    try_to([&] { compared_state(bytes, start, devices); });
    try_to([&] { read_items({start, {}, {}, {}}, split_items(bytes, ',', "--set"), devices); });
    try_to([&] {
        apply_settings(all_scenarios()[bytes.size() % all_scenarios().size()], {std::string(bytes)});
    });
}

void markdown(std::string_view bytes) {
    for (const Block& block : parse_markdown(bytes))
        require(block.kind == BlockKind::rule || !plain_text(block).empty(), "no block is empty");
}

void options(std::string_view bytes) {
    try_to([&] { parse_figure_size(std::string(bytes)); });
    const auto words = split_command(bytes);
    if (words) try_to([&] { read_export(*words); });
    figure_arguments(bytes);
    names_a_file(std::string(bytes));
}

void command_line(std::string_view bytes) {
    if (const auto words = split_command(bytes)) try_to([&] { parse_command_line(*words); });
}

}  // namespace warplens::fuzz
