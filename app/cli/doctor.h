#pragma once

#include "app/cli/command.h"

#include <ostream>
#include <string>
#include <vector>

namespace warplens {

struct DoctorCommand {
    bool json = false;
    bool cpu = false;
};

enum class Health {
    good,     ///< here and working
    missing,  ///< not here; the program does without
    problem,  ///< here, but not working as it should
};

/// One thing that the doctor looked at.
struct Finding {
    std::string what;  ///< "OpenGL"
    Health health = Health::good;
    std::string found;   ///< what is here, or why it is not
    std::string advice;  ///< what to do about it; empty if nothing
};

/// Look at everything: the build, CUDA, GPUs, OpenGL without a window, interop, the display, counters, fonts.
/// @param cpu  never touch CUDA.
std::vector<Finding> examine(bool cpu);

/// Whether this person may read hardware counters, from the NVIDIA driver's own file.
/// @param params  the text of /proc/driver/nvidia/params; empty if there is no driver.
/// @param root    whether this is the superuser.
Finding examine_counters(const std::string& params, bool root);

std::string findings_text(const std::vector<Finding>& findings);
std::string findings_json(const std::vector<Finding>& findings);

/// "warplens 0.1.0 (1a2b3c4, CUDA 13.0)" or "(…, without CUDA)".
std::string version_line();

/// `warplens doctor`.
void run_doctor(const DoctorCommand& command, std::ostream& out);

}  // namespace warplens
