#pragma once

#include "app/base/in_steps.h"
#include "app/experiment/state.h"
#include "app/model/device/device.h"
#include "app/model/fix/find_fixes.h"
#include "app/model/quantity.h"
#include "app/pictures/access/access_picture.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The remedies that a person lets change, and what else the kernel does to the same data.
struct FixChoice {
    std::vector<const Knob*> kept;             ///< remedies that must stay as they are
    std::vector<std::vector<KnobValue>> also;  ///< as in FixQuestion
    friend bool operator==(const FixChoice&, const FixChoice&) = default;
};

/// One fix in words and numbers.
struct FixAnswer {
    Params params;
    std::string change;  ///< "Padding 1, Block width 8"
    /// Instead of params, the changed text of a typed kernel, and the lines that are other ones. Empty if it
    /// is not the text that changes.
    std::string text = {};
    struct Line {
        int number;  ///< from 1
        std::string before, after;
    };
    std::vector<Line> lines = {};
    /// As it is (a) and with the change (b): what the whole grid costs, and on average a request, each with
    /// its ideal; the predicted time; shared memory and occupancy, which are what the change costs.
    struct Number : QuantityPair {
        bool on_average = false;  ///< for a request
    };
    std::vector<Number> numbers;
    std::string gain;     ///< "32 to 1 wavefronts a request"
    bool ideal = false;   ///< nothing is left beyond the ideal
    bool slower = false;  ///< it is predicted to take more time all the same

    /// The number with this key. Null if there is none.
    const Number* number(std::string_view key) const;
};

/// The fixes of a setting.
struct Fixes {
    Explanation words;               ///< what is found or why nothing is; `good` if nothing needs a fix
    std::vector<FixAnswer> answers;  ///< the smallest change first, see FixSearch::fixes
    /// The first answer that is not predicted to be slower. -1 if there is none.
    int next = -1;
    std::vector<const Knob*> knobs;              ///< that might change
    std::int64_t combinations = 0, counted = 0;  ///< as in FixSearch
};

/// Searches for what makes the accesses of a setting ideal, and says what it costs. Of a typed kernel also
/// its text may change (app/typed/text_fixes.h). It takes up to some tens of milliseconds, and for each
/// change of a text as long as its counts. Counts are exact where those of the model are; times are
/// predictions.
/// @param choice  as check_fix_choice allows it
InSteps<Fixes> find_fixes(Setting setting, std::vector<DeviceFacts> devices, FixChoice choice);

/// "Try Padding 1: 32 to 1 wavefronts a request": Fixes::next in words. Empty if there is none.
std::string next_text(const Fixes& fixes);

/// The choice for another setting of the same scenario: without an access that is the setting's own now.
FixChoice without_own(FixChoice choice, const Params& params);

/// "Padding 1, Swizzle bits 3": what these knobs are set to.
std::string knobs_text(const std::vector<const Knob*>& knobs, const Params& params);
/// "Walk row, Operation store": what an access sets.
std::string access_text(const std::vector<KnobValue>& access);

}  // namespace warplens
