#pragma once

#include "app/experiment/pipeline.h"
#include "app/model/provenance.h"
#include "kernels/warp_access.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

enum class QuestionKind {
    count,   ///< sectors, wavefronts or requests: a number is typed
    share,   ///< bytes used as a share of the bytes moved: one of four percentages
    fewer,   ///< which of two settings accesses fewer 128-byte lines
    faster,  ///< which of two settings is predicted to be faster, by at least one half
};

/// A question with one right answer, which is a number of the report (or of the prediction) of its settings.
struct Question {
    QuestionKind kind = QuestionKind::count;
    std::vector<State> settings;  ///< one setting, or two to compare, A and B
    int instruction = 0;          ///< the instruction that the question is about
    std::string situation;        ///< for example "Strided access: stride 5, offset 3, element 8, op load."
    std::string text;             ///< for example "How many sectors does this load need?"
    std::vector<std::string> choices;  ///< empty if a number is to be typed
    std::string right;                 ///< one of the choices, or the number
    Provenance right_kind = Provenance::exact;

    /// The knobs as --set takes them: "stride=5,op=load". For two settings "A: … | B: …".
    std::string settings_text() const;
};

struct Quiz {
    std::uint32_t seed = 0;
    std::vector<Question> questions;
};

inline constexpr int kMostQuestions = 50;

/// Questions that a person can answer by thinking, drawn from a list of scenarios and of values of their
/// knobs. The same seed, number and space give the same questions with every compiler and on every machine:
/// counts are integers, and of two speeds one is at least 1.5 times the other.
///
/// @param count  1 to kMostQuestions; questions do not repeat unless the list is exhausted
/// @param space  the memory that all questions are about; empty for any
/// @param device  the device whose rules apply: an index into devices
/// Errors: UsageError if there is no question about this memory; it lists the memories that have some.
Quiz make_quiz(std::uint32_t seed, int count, std::optional<Space> space, std::size_t device,
               const std::vector<DeviceFacts>& devices);

/// The memories that questions can be about.
const std::vector<Space>& quiz_spaces();

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

/// A knob that questions change, and values that a person can think about, as --set takes them. A value that
/// is listed twice is drawn twice as often.
struct QuizTurn {
    std::string_view key;
    std::span<const std::string_view> values;
    /// a condition for it to matter, for example "variant=padded"; empty if it always does
    std::string_view only = {};
};

/// A scenario that questions are about. Knobs that are not named keep their defaults.
struct QuizSource {
    std::string_view scenario;
    Space space;  ///< the space of the requests that are counted
    std::span<const QuizTurn> turns;
    bool speed = false;  ///< whether two of its settings can be compared by speed
};

/// All sources. A seed depends on their order, so new ones must be added at the end.
std::span<const QuizSource> quiz_sources();

}  // namespace warplens
