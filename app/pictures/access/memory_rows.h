#pragma once

#include "app/model/access/sectors.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// One row of a picture of memory, or what stands in the place of rows that are not shown.
struct MemoryRow {
    enum class Kind {
        line,  ///< a line of words
        gap,   ///< lines that no lane uses
        fold   ///< lines that are used, but for which there is no room
    } kind = Kind::line;
    std::int64_t index = 0;  ///< its address in units of a row; of a gap or fold that of its first line
    int line = -1;  ///< index into SectorReport::lines, of a fold that of its first line; -1 if unused
    int count = 1;  ///< how many lines of SectorReport::lines a fold stands for
    std::string text = {};  ///< what stands in a gap or fold; may be empty
    float y = 0, h = 0;     ///< of the row's cells [points]
};

/// Heights of what is no line, and the space above and below the cells of a line [points].
struct RowHeights {
    float bare = 6, text = 20;                     ///< of a gap or fold without and with a text
    float most_inset = 3, inset_of_pitch = 0.12f;  ///< the smaller one of both counts
    /// If rows are high enough for it. Gaps of less than a pixel would be drawn here and not there.
    float least_inset = 0;

    float inset(float pitch) const {
        return std::min(most_inset, std::max(pitch * inset_of_pitch, pitch < 4 ? 0 : least_inset));
    }
};

/// The height of all gaps and folds together [points].
float fixed_height(const std::vector<MemoryRow>& rows, const RowHeights& heights = {});
int count_lines(const std::vector<MemoryRow>& rows);
/// Place rows one below the other.
/// @param pitch  from one line to the next [points]
/// @return  the bottom of the last one [points]
float place_rows(std::vector<MemoryRow>& rows, float top, float pitch, const RowHeights& heights = {});

/// Rows of lines of 32 words: word `index` of all lanes' per-thread arrays, or the words of all banks at one
/// depth.
struct ArrayRows {
    std::vector<MemoryRow> rows;
    float bottom = 0;  ///< below the last one [points]

    /// The row of a line, or the fold that hides it; null where there is neither.
    const MemoryRow* find(int index) const;
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
