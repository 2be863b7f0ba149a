#pragma once

#include "app/model/catalogue.h"

#include <cstddef>
#include <string>
#include <vector>

namespace warplens::typed {

/// Some bytes of a text, and what takes their place.
struct TextEdit {
    std::size_t at, bytes;
    std::string instead;
};

/// A change of a kernel's text that does the same work with other addresses or in other warps. Whether it
/// helps is for the counts to say.
struct TextFix {
    std::string what;  ///< "Pad tile to [32][33]"
    std::string part;  ///< what it changes, for which there may be several fixes: "tile"
    std::vector<TextEdit> edits;
    bool joins = false;  ///< fewer loads bring the same
};

/// The changes that mend the commonest faults: a longer row of an array in shared memory, also where its
/// index is computed as y * width + x; threadIdx.x and threadIdx.y exchanged, which renames the threads of a
/// square block; and one load of a vector for loads of neighbours by a thread. None where that would need
/// more than the text of the kernel itself.
std::vector<TextFix> text_fixes(const Scenario& scenario, const Params& params);

/// The text with edits that do not overlap. It has the same lines.
std::string edited(const std::string& text, std::vector<TextEdit> edits);

}  // namespace warplens::typed
