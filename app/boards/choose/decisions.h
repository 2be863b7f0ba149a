#pragma once

#include "app/experiment/state.h"
#include "app/model/device/device.h"
#include "app/model/device/spaces.h"
#include "app/model/quantity.h"
#include "app/pictures/kit/canvas.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

inline constexpr const char* kOtherRungs = "*";  ///< in the reasons of an answer

/// One answer to a question about a piece of data.
struct DecisionAnswer {
    std::string text;                        ///< on its button: "all threads of a block"
    std::string said;                        ///< after it was given: "one block"
    std::string go;                          ///< id of the next question, or of an end
    std::map<std::string, std::string> out;  ///< by rung, why it is ruled out; kOtherRungs for all others
};

struct DecisionQuestion {
    std::string id, ask, help;
    std::vector<DecisionAnswer> answers;
};

/// The place where a piece of data should live.
struct DecisionEnd {
    std::string id, rung, title, reason;
    std::string watch;                ///< what to mind, one sentence
    std::string code;                 ///< a line of CUDA C++
    std::vector<std::string> limits;  ///< names of facts (decision_facts)
    std::string link;                 ///< a scenario that shows it, with its knobs set
    std::string since;                ///< the first compute capability that has it. Empty if all have it.
    std::string otherwise;            ///< id of the end for older GPUs
    bool warning = false;             ///< whether it is an end that nobody would choose
};

/// One memory, as a rung of the ladder.
struct DecisionRung {
    std::string key, name, who, more, link;
    std::string space;  ///< key of its row in the table of memory spaces. Empty if it has none.
    std::string since;  ///< the first compute capability that has it. Empty if all have it.
};

/// The questions, and where they lead to: assets/decisions.json. A test walks every path: there are no
/// circles, and an answer says why it rules a rung out, but gives no reason for one that stays.
struct Decisions {
    std::vector<DecisionRung> rungs;  ///< from near to far
    std::vector<DecisionQuestion> questions;
    std::vector<DecisionEnd> ends;
    std::string first, source;

    const DecisionQuestion* find_question(std::string_view id) const;
    const DecisionEnd* find_end(std::string_view id) const;
};

/// Those that are part of the program, read once.
const Decisions& decisions();

/// A path is a number. Its decimal digits are the answers, counted from 1, the first answer first. 0 if none
/// was given.
inline constexpr int kMostAnswers = 9;
inline constexpr int kLargestPath = 999'999'999;

/// How far the answers have led.
struct DecisionPlace {
    struct Step {
        const DecisionQuestion* question;
        int answer;  ///< from 0
        const DecisionAnswer& given() const { return question->answers[answer]; }
    };
    std::vector<Step> steps;
    const DecisionQuestion* question = nullptr;  ///< the next question. Null if an end was reached.
    const DecisionEnd* end = nullptr;            ///< the end for this GPU. Null before an end is reached.
    const DecisionEnd* wished = nullptr;  ///< the end that the GPU is too old for. Null if there is none.

    /// The path of this many first answers.
    int path(std::size_t answers) const;
    /// The path of all answers and one more, from 0.
    int path_with(int answer) const;
};

/// The place that a path leads to on a GPU. Digits from the first invalid one on are ignored.
DecisionPlace follow_path(const Decisions& decisions, int path, const DeviceFacts& device);

/// All limits of the GPU that ends may name, by name; values that are not known say so.
std::map<std::string, Quantity> decision_facts(const DeviceFacts& device);

enum class RungState {
    open,    ///< a piece of data may still live there
    chosen,  ///< it should live there
    out,     ///< an answer rules it out
    absent,  ///< this GPU has none
};

/// One memory.
struct LadderRung {
    std::string name;
    std::string who;  ///< who can reach it
    /// Sizes and cycles with the marks of their kinds, one behind the other; may be empty.
    std::vector<std::string> facts;
    std::string why;      ///< the reason, if it is out or absent
    std::string tooltip;  ///< all about it
    std::string link;     ///< where a click leads. Empty if nowhere.
    Closeness closeness = Closeness::board;
    RungState state = RungState::open;
};

/// The memories as rungs, nearest to the arithmetic at the top, and how high a piece of data can live.
struct LadderView {
    std::string gpu;                ///< "NVIDIA H200, compute capability 9.0"
    std::vector<std::string> said;  ///< the answers so far
    std::string question;           ///< the next one, or where the data should live
    std::vector<LadderRung> rungs;
};

/// The facts that the ladder is drawn from.
LadderView ladder_of(const Decisions& decisions, const DecisionPlace& place, const DeviceFacts& device);

/// Rungs that are still possible are lit in the colour of their distance, the one that was chosen is filled;
/// those that are ruled out are outlines with the reason beside them.
Picture draw_ladder(const LadderView& view, const Style& style);

/// "?board=choose&choose.path=23"
std::string decision_link(int path);

/// The answers that were given (app/boards/choose/decisions.h).
inline constexpr BoardKnob kChoosePath{
    .key = "choose.path",
    .label = "Answers",
    .tooltip = "The answers that were given, a decimal digit each, the first one first. 0: none.",
    .min = 0,
    .max = 999999999,
    .on_board = true};
inline constexpr const BoardKnob* kChooseKnobs[] = {&kChoosePath};

}  // namespace warplens
