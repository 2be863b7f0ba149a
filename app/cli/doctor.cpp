#include "app/cli/doctor.h"

#include "app/base/version.h"
#include "app/cli/command_options.h"
#include "app/figures/formats/pdf.h"
#include "app/gl/context.h"
#include "app/gl/offscreen.h"
#include "app/gl/window.h"
#include "app/interop/textures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>

namespace warplens {
namespace {

/// The findings so far, one for each part that was examined.
struct Findings : std::vector<Finding> {
    void good(const char* what, std::string found) { push_back({what, Health::good, std::move(found), ""}); }
    void missing(const char* what, std::string found, std::string advice = "") {
        push_back({what, Health::missing, std::move(found), std::move(advice)});
    }
    void problem(const char* what, std::string found, std::string advice) {
        push_back({what, Health::problem, std::move(found), std::move(advice)});
    }
};

/// A part that breaks is what the doctor is there to report, so this is where its exception ends.
void attempt(Findings& findings, const char* what, const std::function<void()>& look) {
    try {
        look();
    } catch (const std::exception& error) {
        findings.problem(what, error.what(), "this is a bug or a broken driver: please report it");
    }
}

std::string describe_gpu(const GpuInfo& gpu) {
    return fmt::format("{}, compute capability {}.{}, {} SMs, {:.1f} GiB, peak {:.0f} GB/s", gpu.name,
                       gpu.cc_major, gpu.cc_minor, gpu.sm_count, double(gpu.memory_bytes) / (1 << 30),
                       gpu.peak_gb_per_s);
}

/// @return  the first CUDA device, or -1.
int examine_cuda(Findings& findings, bool cpu) {
    const CudaVersions versions = cpu ? CudaVersions{} : cuda_versions();
    if (!versions.built_with_cuda) {
        if (cpu)
            findings.missing("CUDA", "not looked at, because of --cpu");
        else
            findings.missing("CUDA", "not in this build: the model does everything, nothing is measured",
                             "install the CUDA toolkit (nvcc 12 or newer) and build again");
        return -1;
    }
    const std::string runtime = "runtime " + cuda_version_text(versions.runtime);
    const std::string both =
        fmt::format("{}, driver for CUDA up to {}", runtime, cuda_version_text(versions.driver));
    if (versions.driver == 0)
        findings.missing(
            "CUDA", runtime + ", but no NVIDIA driver",
            "install the NVIDIA driver if there is an NVIDIA GPU; without one the model does everything");
    else if (versions.driver / 1000 < versions.runtime / 1000)
        findings.problem("CUDA", both, "install a newer NVIDIA driver, or build with an older CUDA toolkit");
    else
        findings.good("CUDA", both);
    const auto gpus = list_gpus();
    if (const auto* none = std::get_if<Unavailable>(&gpus)) {
        findings.missing("GPU", none->reason);
        return -1;
    }
    const auto& list = std::get<std::vector<GpuInfo>>(gpus);
    for (const GpuInfo& gpu : list) findings.good("GPU", describe_gpu(gpu));
    return list.empty() ? -1 : list.front().index;
}

void examine_interop(Findings& findings, int cuda_device) {
    if (cuda_device < 0)
        return findings.missing("interop", "needs a CUDA GPU; the model fills the pictures instead");
    const TraceBuffer buffer(TraceMode::interop);
    if (buffer.mode() == TraceMode::interop)
        return findings.good("interop", "CUDA kernels write into OpenGL buffers");
    findings.problem("interop", buffer.why(),
                     "on a laptop with two GPUs start with __NV_PRIME_RENDER_OFFLOAD=1 "
                     "__GLX_VENDOR_LIBRARY_NAME=nvidia; the program works without");
}

void examine_gl(Findings& findings, int cuda_device) {
    const auto made = HeadlessContext::create(cuda_device);
    if (const auto* none = std::get_if<Unavailable>(&made))
        return findings.missing(
            "OpenGL", none->reason,
            "install Mesa's or the GPU's EGL (Debian: libegl1 libegl-mesa0 libgl1-mesa-dri)");
    const GlInfo& gl = std::get<std::unique_ptr<HeadlessContext>>(made)->info();
    findings.good("OpenGL", fmt::format("{} by {}, {} ({})", gl.renderer, gl.vendor, gl.version, gl.how));
    attempt(findings, "interop", [&] { examine_interop(findings, cuda_device); });
    attempt(findings, "fonts", [&] { findings.good("fonts", Offscreen(1).fonts().source()); });
}

void examine_display(Findings& findings) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
        return findings.missing("display", "neither DISPLAY nor WAYLAND_DISPLAY is set: no window",
                                "all commands work without one; warplens gallery writes pictures");
    const auto window = Window::open({.title = "Warplens doctor", .visible = false});
    if (const auto* none = std::get_if<Unavailable>(&window))
        return findings.problem("display", none->reason, "see DISPLAY, and whether this user may use it");
    const GlInfo& gl = std::get<std::unique_ptr<Window>>(window)->info();
    findings.good("display", fmt::format("a window opens with {} ({})", gl.renderer, gl.how));
}

void examine_pdf(Findings& findings) {
    if (const auto missing = pdf_unavailable())
        findings.missing("PDF", missing->reason);
    else
        findings.good("PDF", "figures can be PDF files");
}

std::string read_text(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

constexpr std::string_view kHealthNames[] = {"good", "missing", "problem"},
                           kHealthMarks[] = {"ok", "--", "!!"};

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
    Findings findings;
    findings.good("build", cpu ? fmt::format("warplens {}", version()) : version_line());
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
        std::string found = finding.found;
        constexpr std::string_view kIndent = "\n                ";
        for (std::size_t at = 0; (at = found.find('\n', at)) != std::string::npos; at += kIndent.size()) {
            found.replace(at, 1, kIndent);
        }
        text += fmt::format("{}  {:<12}{}\n", kHealthMarks[int(finding.health)], finding.what, found);
        if (!finding.advice.empty()) text += fmt::format("    {:<12}-> {}\n", "", finding.advice);
    }
    return text;
}

std::string findings_json(const std::vector<Finding>& findings) {
    nlohmann::ordered_json json{{"schema", 1}, {"findings", nlohmann::ordered_json::array()}};
    for (const Finding& finding : findings) {
        json["findings"].push_back({{"what", finding.what},
                                    {"health", kHealthNames[int(finding.health)]},
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
    return {"doctor", "Say what is here, what is missing and what to do about it",
            "doctor                                               what is here, what is missing",
            options_of<DoctorCommand>(declare, run_doctor)};
}

}  // namespace warplens
