#pragma once

#include <string_view>

namespace warplens {

/// Which mark a profiler's locale puts before decimals. The other one, a blank or an apostrophe then parts
/// thousands: 65,536.5 or 65.536,5.
enum class DecimalMark { unknown, point, comma };

/// What one number tells about it: "65,536.5" and "0.25" say point, "27.595.520" says comma; "65,536" could
/// be either, and so could what is no number.
DecimalMark decimal_mark_of(std::string_view text);

/// A metric's value in the unit without a prefix: sectors, bytes.
struct NcuNumber {
    enum class State {
        number,
        none,       ///< the profiler has no value: empty, n/a, nan, inf, or marked by (!)
        unreadable  ///< anything else
    };
    State state = State::none;
    double value = 0;
    double rounding = 0;  ///< the true value differs by so much at most; 0 if all digits are printed
};

/// Read a value as Nsight Compute prints it. What stands behind it in brackets (instances) is left out.
///
/// @param mark   of the file; `unknown` is read as `point`.
/// @param unit   "sector", "Ksector", "Mbyte": prefixes K, M, G, T scale by 1000. Others are taken as they
/// are.
/// @param whole  it counts things: one mark before three digits parts thousands, whatever the locale.
NcuNumber read_ncu_number(std::string_view text, std::string_view unit, DecimalMark mark, bool whole);

/// How many of the base unit are one of this: 1000 for "Ksector", 1 for "sector" and for what is not known.
double unit_scale(std::string_view unit);

}  // namespace warplens
