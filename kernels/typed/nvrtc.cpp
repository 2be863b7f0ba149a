#include "kernels/typed/nvrtc.h"

#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#if defined(__unix__)
#include <dlfcn.h>
#endif

namespace warplens {
namespace {

/// The functions of NVRTC, as its header declares them, which is not needed to build this program.
struct Nvrtc {
    using Program = void*;
    using Text = const char*;
    int (*create)(Program*, Text, Text, int, const Text*, const Text*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*add_name)(Program, Text) = nullptr;
    int (*compile)(Program, int, const Text*) = nullptr;
    int (*log_size)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*code_size)(Program, std::size_t*) = nullptr;
    int (*code)(Program, char*) = nullptr;
    int (*lowered_name)(Program, Text, Text*) = nullptr;
    std::string headers;  ///< of the toolkit; empty if there are none

    bool is_complete() const {
        return create && destroy && add_name && compile && log_size && log && code_size && code &&
               lowered_name;
    }
};

constexpr std::array kToolkits{"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda", "/usr"};

Nvrtc load_nvrtc() {
    Nvrtc nvrtc;
#if defined(__unix__)
    void* library = nullptr;
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
        if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        for (const char* toolkit : kToolkits)
            if (library == nullptr)
                library = dlopen((std::string(toolkit) + "/lib64/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    if (library == nullptr) return nvrtc;
    const auto find = [&](auto*& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    };
    find(nvrtc.create, "nvrtcCreateProgram");
    find(nvrtc.destroy, "nvrtcDestroyProgram");
    find(nvrtc.add_name, "nvrtcAddNameExpression");
    find(nvrtc.compile, "nvrtcCompileProgram");
    find(nvrtc.log_size, "nvrtcGetProgramLogSize");
    find(nvrtc.log, "nvrtcGetProgramLog");
    find(nvrtc.code_size, "nvrtcGetCUBINSize");
    find(nvrtc.code, "nvrtcGetCUBIN");
    find(nvrtc.lowered_name, "nvrtcGetLoweredName");
    std::error_code ignored;
    for (const char* toolkit : kToolkits) {
        const std::filesystem::path folder = std::filesystem::path(toolkit) / "include";
        if (nvrtc.headers.empty() && std::filesystem::exists(folder / "cooperative_groups.h", ignored))
            nvrtc.headers = folder.string();
    }
#endif
    return nvrtc;
}

/// The first error that a compiler names, without the place in a text that nobody sees.
std::string first_error(const std::string& log) {
    constexpr std::string_view kError = "error: ";
    const std::size_t at = log.find(kError);
    if (at == std::string::npos) return log.substr(0, log.find('\n'));
    const std::size_t begin = at + kError.size();
    return log.substr(begin, log.find('\n', begin) - begin);
}

}  // namespace

std::variant<CompiledKernel, Unavailable> compile_kernel(const std::string& text, const std::string& name,
                                                         int capability) {
    static const Nvrtc nvrtc = load_nvrtc();
    if (!nvrtc.is_complete())
        return Unavailable{"NVIDIA's compiler NVRTC is not on this machine; it comes with the CUDA Toolkit"};
    Nvrtc::Program program = nullptr;
    if (nvrtc.create(&program, text.c_str(), "kernel.cu", 0, nullptr, nullptr) != 0)
        return Unavailable{"NVRTC does not take this text"};
    const auto destroy = [&](Nvrtc::Program* one) { nvrtc.destroy(one); };
    const std::unique_ptr<Nvrtc::Program, decltype(destroy)> owner(&program, destroy);
    nvrtc.add_name(program, name.c_str());
    std::vector<std::string> options{"-arch=sm_" + std::to_string(capability), "-std=c++17",
                                     "-default-device", "-w"};
    if (!nvrtc.headers.empty()) {
        options.push_back("-I" + nvrtc.headers);
        options.push_back("-I" + nvrtc.headers + "/cccl");
    }

    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    const bool fails = nvrtc.compile(program, int(words.size()), words.data()) != 0;
    CompiledKernel compiled;
    std::string log;
    std::size_t size = 0;
    if (nvrtc.log_size(program, &size) == 0 && size > 1) {
        log.resize(size);
        nvrtc.log(program, log.data());
        log.resize(size - 1);  // ends with a zero
    }
    if (fails) return Unavailable{"NVIDIA's compiler does not take this kernel: " + first_error(log)};
    const char* lowered = nullptr;
    if (nvrtc.code_size(program, &size) != 0 || size == 0 ||
        nvrtc.lowered_name(program, name.c_str(), &lowered) != 0)
        return Unavailable{"NVIDIA's compiler here makes no machine code for this GPU"};
    compiled.machine_code.resize(size);
    if (nvrtc.code(program, compiled.machine_code.data()) != 0)
        return Unavailable{"NVIDIA's compiler made no machine code"};
    compiled.name = lowered;
    return compiled;
}

}  // namespace warplens
