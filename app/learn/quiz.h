#pragma once

#include "app/answers/store.h"
#include "app/experiment/evidence.h"
#include "app/model/quantity.h"
#include "kernels/warp_access.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

enum class QuestionKind {
    count,    ///< sectors, wavefronts or requests: a number is typed
    share,    ///< bytes used as a share of the bytes moved: one of four percentages
    fewer,    ///< which of two settings accesses fewer 128-byte lines
    faster,   ///< which of two recorded launches took less time, by more than a tenth
    excess,   ///< wavefronts beyond those without bank conflicts: a number is typed
    change,   ///< whether a request costs fewer, as many or more when one parameter moves from A to B
    machine,  ///< occupancy, scope and lifetime, latency, or the hazard that a barrier prevents
    mistake,  ///< which line of a published figure is wrong (app/learn/mistakes.h)
};

/// A question with one right answer, which is a number of the report (or of a recording) of its settings. The
/// situation and the text contain all that is needed to answer it with pencil and paper.
struct Question {
    QuestionKind kind = QuestionKind::count;
    std::vector<State> settings;  ///< one setting, or two to compare, A and B
    int instruction = 0;          ///< the instruction that the question is about
    /// what each lane does, for example "Stride and offset (global memory), load in, strided. Lane i loads 8
    /// bytes: in[3 + i * 5]. All lanes take part."
    std::string situation;
    std::string code;       ///< lines of CUDA C++ that it is about, with their numbers; may be empty
    std::string text;       ///< what is asked
    std::string rule = {};  ///< of that memory, by which the answer is found; may be empty
    std::vector<std::string> choices;  ///< empty if a number is to be typed
    std::string right;                 ///< one of the choices, or the number
    Provenance right_kind = Provenance::exact;
    /// the times that decide, and where they were recorded; of a mistake or the machine the whole reason;
    /// empty if a count decides
    std::string recorded;

    /// The question and the rule.
    std::string asked() const { return rule.empty() ? text : text + " " + rule; }
    /// The knobs as --set takes them: "stride=5,op=load". For two settings "A: … | B: …".
    std::string settings_text() const;
};

/// The subject of a quiz.
struct QuizAbout {
    std::optional<Space> space = {};  ///< a memory; empty for any
    /// a scenario, whose parameters the questions choose, or a typed kernel, of which they move one at a
    /// time; empty for any scenario
    std::optional<State> here = {};

    friend bool operator==(const QuizAbout&, const QuizAbout&) = default;
};

struct Quiz {
    std::uint32_t seed = 0;
    std::vector<Question> questions;
    /// The program that all questions are about, with the numbers of its lines; may be empty.
    std::string code = {};
    QuizAbout about = {};
    std::string figure = {};  ///< the id of the figure whose mistakes it is about (mistakes.h); may be empty
};

inline constexpr int kMostQuestions = 50;

/// Questions that a person can answer by thinking, drawn from a list of scenarios and of values of their
/// knobs. The same seed, number and space give the same questions with every compiler and on every machine:
/// counts are integers, and recorded times come with the program. Of the first n questions at most 15 % have
/// an answer that is right too often to be worth asking: 1 or 100 %. If it is about any memory and scenario,
/// every fourth is about the machine.
///
/// A typed kernel gets as many questions as its requests give, none of them twice and none with such
/// an answer: about the first time that the first warp executes each load and store.
///
/// @param count  1 to kMostQuestions; questions do not repeat unless the list is exhausted
/// @param device  the device whose rules apply: an index into devices
/// @param stop    gives it up between two questions, or two settings of a typed kernel: there are no
///                questions then
/// Errors: UsageError if there is no question about it; it lists what has some.
Quiz make_quiz(std::uint32_t seed, int count, const QuizAbout& about, std::size_t device,
               const std::vector<DeviceFacts>& devices, const std::stop_token& stop = {});
/// The same in steps: a question, or a setting of a typed kernel. The devices must exist meanwhile.
InSteps<Quiz> quiz_in_steps(std::uint32_t seed, int count, const QuizAbout& about, std::size_t device,
                            const std::vector<DeviceFacts>& devices);

/// The memories that questions can be about.
const std::vector<Space>& quiz_spaces();

/// Whether there are questions about a scenario. Of a typed kernel only make_quiz can tell.
inline bool has_quiz(const Scenario& scenario) { return !scenario.facts->quiz.empty(); }

/// Whether an answer as a person types it is the right one: "1 024" is "1024", "b" is "B".
bool is_right(const Question& question, std::string_view answer);

/// Why the answer is right: the explanation beside the picture of each setting.
std::string why_right(const Question& question, const std::vector<DeviceFacts>& devices);

/// "2026". Errors: UsageError unless it is a whole number from 0 to 4294967295.
std::uint32_t parse_seed(std::string_view text);

/// Questions and answers as a table with the columns
///     seed,number,scenario,settings,question,answer,right_answer,correct,points
/// number counts from 1; correct is yes or no; points are 1 or 0. Fields with commas, quotes or line breaks
/// are quoted (RFC 4180).
/// @param answers      one for each question, or fewer. Missing and empty ones count as not answered: correct
/// and points are empty then.
/// @param with_right   whether to write right_answer
std::string quiz_csv(const Quiz& quiz, const std::vector<std::string>& answers, bool with_right);

/// A source of questions, and its scenario.
struct ScenarioSource : QuizSource {
    const Scenario* scenario;
};

/// All sources, by their places.
const std::vector<ScenarioSource>& quiz_sources();

/// The parts of "walk,block_x".
std::vector<std::string_view> quiz_parts(std::string_view list);

/// Whether conditions such as "matrices=4,width=8" are met.
bool quiz_holds(const State& state, std::string_view only);

/// The facts about the memory of an instruction that a person needs to count.
/// @param arrays  where arrays in shared memory begin
std::string quiz_rule(const InstructionReport& row, const BankRules& banks,
                      std::string_view arrays = "the array begins in bank 0");

/// "All lanes take part." or "Only lanes 0-7, 16 take part."
std::string quiz_lanes(std::uint32_t active);

/// "load in, strided. Lane i loads 8 bytes: in[3 + i * 5]. All lanes take part." Empty if nothing tells it.
std::string quiz_access(const State& state, const InstructionReport& row, std::span<const QuizTell> tells);

/// Says two launches of which one knob differs: all knobs as the window names them, and what that one means.
void tell_launches(Question& question, const Scenario& scenario, const Params& a, const Params& b);

}  // namespace warplens
