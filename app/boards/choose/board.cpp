#include "app/boards/choose/decisions.h"
#include "app/boards/choose/knobs.h"
#include "app/boards/list.h"

#include <fmt/format.h>

namespace warplens {
namespace {

DecisionPlace place_of(const BoardInput& input) {
    return follow_path(decisions(), input.state.boards[kChoosePath], input.device());
}

std::vector<std::string> choose_caption(const BoardInput& input) {
    const DecisionPlace place = place_of(input);
    std::vector<std::string> caption;
    if (place.end != nullptr) {
        caption.push_back(place.end->reason);
        caption.push_back(place.end->watch);
    }
    caption.push_back(fmt::format("{}, compute capability {}; {} sizes as documented, {} cycles recorded.",
                                  input.device().name, input.device().cc.text(),
                                  provenance_mark(Provenance::exact), provenance_mark(Provenance::recorded)));
    return caption;
}

/// The limits of the GPU that matter for the answer; before there is one, those of all that are possible.
std::vector<Quantity> choose_numbers(const BoardInput& input) {
    const DecisionPlace place = place_of(input);
    const auto facts = decision_facts(input.device());
    std::vector<Quantity> numbers;
    const auto add = [&](Quantity fact) {
        fact.source = fact.source.empty()
                          ? "Nobody's measurement of this is in the table."
                          : fmt::format("{}: {}", provenance_name(fact.provenance), fact.source);
        numbers.push_back(std::move(fact));
    };
    if (place.end != nullptr) {
        for (const std::string& limit : place.end->limits) add(facts.at(limit));
        return numbers;
    }
    for (const char* name :
         {"registers_per_thread", "shared_per_block", "shared_most", "constant", "l2", "dram"})
        add(facts.at(name));
    return numbers;
}

Explanation choose_explanation(const BoardInput& input) {
    const DecisionPlace place = place_of(input);
    if (place.end == nullptr)
        return {
            place.steps.empty() ? "Answer the questions: each answer takes rungs of the ladder away."
                                : place.question->ask,
            "The higher on the ladder, the nearer to the arithmetic, the smaller, and the fewer threads can reach "
            "it. A piece of data should live as high as those who need it allow.",
            true};
    Explanation explanation{place.end->title + ".", fmt::format("{} {}", place.end->reason, place.end->watch),
                            !place.end->warning};
    if (place.wished != nullptr)
        explanation.why += fmt::format(" From compute capability {} on there is better: {}.",
                                       place.wished->since, place.wished->title);
    return explanation;
}

}  // namespace

constinit const Board kChooseBoard{
    {.key = "choose",
     .label = "Which memory?",
     .tooltip = "Which memory should a piece of data be in? Answer questions to find it.",
     .knobs = kChooseKnobs,
     .lesson = "board-choose"},
    [](const BoardInput& input, const Style& style) {
        return draw_ladder(ladder_of(decisions(), place_of(input), input.device()), style);
    },
    choose_numbers,
    choose_explanation,
    choose_caption};

}  // namespace warplens
