#pragma once

#include "app/model/access/sectors.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// One row of a picture whose rows are lines of 32 words: word `index` of all lanes' private arrays, or the
/// words of all banks at one depth.
struct ArrayRow {
    enum class Kind { line, gap, fold } kind = Kind::line;
    int index = 0;          ///< address / 128; gap and fold: of the first one that is not shown
    int line = -1;          ///< index into SectorReport::lines; -1: no lane uses it
    std::string text = {};  ///< gap and fold: what stands there; may be empty
    float y = 0, h = 0;     ///< of the row's cells [points]
};

struct ArrayRows {
    std::vector<ArrayRow> rows;
    float bottom = 0;  ///< below the last one [points]

    /// The row of a line, or the fold that hides it; null where there is neither.
    const ArrayRow* find(int index) const;
};

/// How rows may be laid out.
struct RowSpace {
    float top = 0, bottom = 0;  ///< [points]
    float least_pitch = 18, most_pitch = 36;
    std::string_view noun = "word";  ///< "… 4 more words"
};

/// The rows that say most among those that fit: the whole array where it is small, else the lines that are
/// used with their gaps, else some of them with the middle folded.
/// @param lines  of the whole array.
ArrayRows lay_out_rows(const SectorReport& report, int lines, const RowSpace& space);

}  // namespace warplens
