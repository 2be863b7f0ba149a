// Uses NVIDIA's management library (NVML) if this machine has it. It is loaded with dlopen.
#include "kernels/cuda/gpu.h"

#include "kernels/cuda/check.h"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <array>
#include <map>

namespace warplens {
namespace {

/// The functions that are called, as nvml.h declares them; its statuses and enums are ints there.
struct Nvml {
    using Device = void*;
    int (*initialize)() = nullptr;
    int (*device_by_bus)(const char*, Device*) = nullptr;
    int (*clock)(Device, int type, unsigned*) = nullptr;
    int (*power_state)(Device, int*) = nullptr;
    int (*power_milliwatt)(Device, unsigned*) = nullptr;
    int (*temperature)(Device, int sensor, unsigned*) = nullptr;
    int (*driver_version)(char*, unsigned length) = nullptr;
    bool usable = false;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

const Nvml& nvml() {
    static const Nvml loaded = [] {
        Nvml nvml;
        void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        nvml.usable = library != nullptr && find(library, "nvmlInit_v2", nvml.initialize) &&
                      find(library, "nvmlDeviceGetHandleByPciBusId_v2", nvml.device_by_bus) &&
                      find(library, "nvmlDeviceGetClockInfo", nvml.clock) &&
                      find(library, "nvmlDeviceGetPerformanceState", nvml.power_state) &&
                      find(library, "nvmlDeviceGetPowerUsage", nvml.power_milliwatt) &&
                      find(library, "nvmlDeviceGetTemperature", nvml.temperature) &&
                      find(library, "nvmlSystemGetDriverVersion", nvml.driver_version) &&
                      nvml.initialize() == 0;
        return nvml;
    }();
    return loaded;
}

/// Null if there is no such library, or if it does not know the device.
Nvml::Device current_device() {
    static thread_local std::map<int, Nvml::Device> known;
    int device = 0;
    if (!nvml().usable || cudaGetDevice(&device) != cudaSuccess) return nullptr;
    const auto [found, is_new] = known.try_emplace(device, nullptr);
    std::array<char, 32> bus{};
    if (is_new && cudaDeviceGetPCIBusId(bus.data(), int(bus.size()), device) == cudaSuccess)
        nvml().device_by_bus(bus.data(), &found->second);
    return found->second;
}

double clock_mhz(Nvml::Device device, int type) {
    unsigned mhz = 0;
    return nvml().clock(device, type, &mhz) == 0 ? mhz : 0;
}
constexpr int kSmClock = 1, kMemoryClock = 2;  // NVML_CLOCK_SM, NVML_CLOCK_MEM

}  // namespace

double sm_clock_mhz() {
    const Nvml::Device device = current_device();
    return device == nullptr ? 0 : clock_mhz(device, kSmClock);
}

GpuConditions gpu_conditions() {
    GpuConditions now;
    const Nvml::Device device = current_device();
    if (device == nullptr) return now;
    now.sm_clock_mhz = clock_mhz(device, kSmClock);
    now.memory_clock_mhz = clock_mhz(device, kMemoryClock);
    int state = 0;
    if (nvml().power_state(device, &state) == 0) now.power_state = state;
    unsigned value = 0;
    if (nvml().power_milliwatt(device, &value) == 0) now.power_watt = value * 1e-3;
    constexpr int kGpuSensor = 0;  // NVML_TEMPERATURE_GPU
    if (nvml().temperature(device, kGpuSensor, &value) == 0) now.temperature_celsius = value;
    std::array<char, 80> version{};
    if (nvml().driver_version(version.data(), static_cast<unsigned>(version.size())) == 0)
        now.driver = version.data();
    return now;
}

}  // namespace warplens
