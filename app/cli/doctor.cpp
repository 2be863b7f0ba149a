#include "app/cli/doctor.h"

#include "app/base/version.h"
#include "app/cli/command_options.h"
#include "app/figures/formats/pdf.h"
#include "app/gl/context.h"
#include "app/gl/offscreen.h"
#include "app/gl/window.h"
#include "app/interop/trace_buffer.h"
#include "kernels/cuda/gpu.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>

namespace warplens {
namespace {

/// A part that breaks is what the doctor is there to report, so this is where its exception ends.
void attempt(std::vector<Finding>& findings, const std::string& what, const std::function<void()>& look) {
    try {
        look();
    } catch (const std::exception& error) {
        findings.push_back(
            {what, Health::problem, error.what(), "this is a bug or a broken driver: please report it"});
    }
}

std::string describe_gpu(const GpuInfo& gpu) {
    return fmt::format("{}, compute capability {}.{}, {} SMs, {:.1f} GiB, peak {:.0f} GB/s", gpu.name,
                       gpu.cc_major, gpu.cc_minor, gpu.sm_count,
                       static_cast<double>(gpu.memory_bytes) / (1 << 30), gpu.peak_gb_per_s);
}

/// @return  the first CUDA device, or -1.
int examine_cuda(std::vector<Finding>& findings, bool cpu) {
    if (cpu) {
        findings.push_back({"CUDA", Health::missing, "not looked at, because of --cpu", ""});
        return -1;
    }
    const CudaVersions versions = cuda_versions();
    if (!versions.built_with_cuda) {
        findings.push_back({"CUDA", Health::missing,
                            "not in this build: the model does everything, nothing is measured",
                            "install the CUDA toolkit (nvcc 12 or newer) and build again"});
        return -1;
    }
    const std::string runtime = "runtime " + cuda_version_text(versions.runtime);
    if (versions.driver == 0) {
        findings.push_back(
            {"CUDA", Health::missing, runtime + ", but no NVIDIA driver",
             "install the NVIDIA driver if there is an NVIDIA GPU; without one the model does everything"});
    } else {
        const bool old = versions.driver / 1000 < versions.runtime / 1000;
        findings.push_back(
            {"CUDA", old ? Health::problem : Health::good,
             fmt::format("{}, driver for CUDA up to {}", runtime, cuda_version_text(versions.driver)),
             old ? "install a newer NVIDIA driver, or build with an older CUDA toolkit" : ""});
    }
    const auto gpus = list_gpus();
    if (const auto* none = std::get_if<Unavailable>(&gpus)) {
        findings.push_back({"GPU", Health::missing, none->reason, ""});
        return -1;
    }
    const auto& list = std::get<std::vector<GpuInfo>>(gpus);
    for (const GpuInfo& gpu : list) findings.push_back({"GPU", Health::good, describe_gpu(gpu), ""});
    return list.empty() ? -1 : list.front().index;
}

void examine_interop(std::vector<Finding>& findings, int cuda_device) {
    if (cuda_device < 0) {
        findings.push_back(
            {"interop", Health::missing, "needs a CUDA GPU; the model fills the pictures instead", ""});
        return;
    }
    const TraceBuffer buffer(TraceMode::interop);
    if (buffer.mode() == TraceMode::interop) {
        findings.push_back({"interop", Health::good, "CUDA kernels write into OpenGL buffers", ""});
    } else {
        findings.push_back({"interop", Health::problem, buffer.why(),
                            "on a laptop with two GPUs start with __NV_PRIME_RENDER_OFFLOAD=1 "
                            "__GLX_VENDOR_LIBRARY_NAME=nvidia; the program works without"});
    }
}

void examine_gl(std::vector<Finding>& findings, int cuda_device) {
    const auto made = HeadlessContext::create(cuda_device);
    if (const auto* none = std::get_if<Unavailable>(&made)) {
        findings.push_back(
            {"OpenGL", Health::missing, none->reason,
             "install Mesa's or the GPU's EGL (Debian: libegl1 libegl-mesa0 libgl1-mesa-dri)"});
        return;
    }
    const GlInfo& gl = std::get<std::unique_ptr<HeadlessContext>>(made)->info();
    findings.push_back({"OpenGL", Health::good,
                        fmt::format("{} by {}, {} ({})", gl.renderer, gl.vendor, gl.version, gl.how), ""});
    attempt(findings, "interop", [&] { examine_interop(findings, cuda_device); });
    attempt(findings, "fonts", [&] {
        const Offscreen offscreen(1);
        findings.push_back({"fonts", Health::good, offscreen.fonts().source(), ""});
    });
}

void examine_display(std::vector<Finding>& findings) {
    const char* x11 = std::getenv("DISPLAY");
    const char* wayland = std::getenv("WAYLAND_DISPLAY");
    if (x11 == nullptr && wayland == nullptr) {
        findings.push_back({"display", Health::missing,
                            "neither DISPLAY nor WAYLAND_DISPLAY is set: no window",
                            "all commands work without one; warplens gallery writes pictures"});
        return;
    }
    const auto window = Window::open({.title = "Warplens doctor", .visible = false});
    if (const auto* none = std::get_if<Unavailable>(&window)) {
        findings.push_back(
            {"display", Health::problem, none->reason, "see DISPLAY, and whether this user may use it"});
        return;
    }
    const GlInfo& gl = std::get<std::unique_ptr<Window>>(window)->info();
    findings.push_back(
        {"display", Health::good, fmt::format("a window opens with {} ({})", gl.renderer, gl.how), ""});
}

void examine_pdf(std::vector<Finding>& findings) {
    if (const auto missing = pdf_unavailable())
        findings.push_back({"PDF", Health::missing, missing->reason, ""});
    else
        findings.push_back({"PDF", Health::good, "figures can be PDF files", ""});
}

std::string read_text(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string_view health_name(Health health) {
    return health == Health::good ? "good" : health == Health::missing ? "missing" : "problem";
}

}  // namespace

Finding examine_counters(const std::string& params, bool root) {
    constexpr std::string_view kKey = "RmProfilingAdminOnly:";
    if (params.empty()) return {"counters", Health::missing, "no NVIDIA driver, so no hardware counters", ""};
    const std::size_t at = params.find(kKey);
    if (at == std::string::npos) {
        return {"counters", Health::missing, "the driver does not say who may read hardware counters", ""};
    }
    const std::size_t value = params.find_first_not_of(' ', at + kKey.size());
    const bool everybody = value != std::string::npos && params[value] == '0';
    if (everybody) return {"counters", Health::good, "every user may read hardware counters", ""};
    if (root) return {"counters", Health::good, "only root may read hardware counters, and this is root", ""};
    return {
        "counters", Health::problem, "only root may read hardware counters (RmProfilingAdminOnly is 1)",
        "run as root, or set NVreg_RestrictProfilingToAdminUsers=0 for the nvidia kernel module and reboot"};
}

std::string version_line() {
    const CudaVersions versions = cuda_versions();
    const std::string cuda = versions.built_with_cuda
                                 ? fmt::format("CUDA {}", cuda_version_text(versions.runtime))
                                 : "without CUDA";
    return fmt::format("warplens {} ({}{}{})", version(), revision(), revision().empty() ? "" : ", ", cuda);
}

std::vector<Finding> examine(bool cpu) {
    std::vector<Finding> findings;
    findings.push_back(
        {"build", Health::good, cpu ? fmt::format("warplens {}", version()) : version_line(), ""});
    int cuda_device = -1;
    attempt(findings, "CUDA", [&] { cuda_device = examine_cuda(findings, cpu); });
    attempt(findings, "OpenGL", [&] { examine_gl(findings, cuda_device); });
    attempt(findings, "display", [&] { examine_display(findings); });
    examine_pdf(findings);
    findings.push_back(examine_counters(read_text("/proc/driver/nvidia/params"), ::geteuid() == 0));
    return findings;
}

std::string findings_text(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) {
        const char* mark = finding.health == Health::good      ? "ok"
                           : finding.health == Health::missing ? "--"
                                                               : "!!";
        std::string found = finding.found;
        constexpr std::string_view kIndent = "\n                ";
        for (std::size_t at = 0; (at = found.find('\n', at)) != std::string::npos; at += kIndent.size()) {
            found.replace(at, 1, kIndent);
        }
        text += fmt::format("{}  {:<12}{}\n", mark, finding.what, found);
        if (!finding.advice.empty()) text += fmt::format("    {:<12}-> {}\n", "", finding.advice);
    }
    return text;
}

std::string findings_json(const std::vector<Finding>& findings) {
    nlohmann::ordered_json json{{"schema", 1}, {"findings", nlohmann::ordered_json::array()}};
    for (const Finding& finding : findings) {
        json["findings"].push_back({{"what", finding.what},
                                    {"health", health_name(finding.health)},
                                    {"found", finding.found},
                                    {"advice", finding.advice}});
    }
    // A driver may hand out text that is not UTF-8.
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

void run_doctor(const DoctorCommand& command, std::ostream& out) {
    const std::vector<Finding> findings = examine(command.cpu);
    out << (command.json ? findings_json(findings) : findings_text(findings));
}

CommandEntry doctor_command() {
    const auto declare = [](CLI::App& app, DoctorCommand& command) {
        add_json(app, command.json);
        add_cpu(app, command.cpu);
    };
    return {"doctor", "Say what is here, what is missing and what to do about it", "",
            "doctor                                               what is here, what is missing",
            options_of<DoctorCommand>(declare, run_doctor)};
}

}  // namespace warplens
