// Reads hardware counters with CUPTI's range profiler, in user replay mode: a range around one launch, which
// is launched again for each pass. Unlike the profiler's own replay this needs no copies of memory, so a
// reading takes a few milliseconds.
#include "kernels/timing/timed.h"

#if __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_sass_metrics.h>)

#include "kernels/cuda/check.h"

#include <cuda.h>
#include <cuda_runtime.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <dlfcn.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>

namespace warplens {
namespace {

/// A CUPTI call failed. The public functions of this file turn it into a reason.
struct CuptiFailed : std::runtime_error {
    CuptiFailed(const char* function, CUptiResult result, const std::string& text)
        : std::runtime_error(std::string(function) + ": " + text), status(result) {}
    CUptiResult status;
};

/// The library. It is loaded once and never unloaded, because it installs hooks in the driver.
void* cupti_library() {
    static void* const library = [] {
        void* found = nullptr;
        for (const char* name : {"libcupti.so.13", "libcupti.so.12"}) {
            for (const char* folder : {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/extras/CUPTI/lib64/"}) {
                if (found == nullptr) found = dlopen((std::string(folder) + name).c_str(), RTLD_NOW);
            }
        }
        return found;
    }();
    return library;
}

std::string text_of(CUptiResult result) {
    using GetText = CUptiResult (*)(CUptiResult, const char**);
    const auto get_text = reinterpret_cast<GetText>(dlsym(cupti_library(), "cuptiGetResultString"));
    const char* text = nullptr;
    if (get_text == nullptr || get_text(result, &text) != CUPTI_SUCCESS || text == nullptr)
        return "CUPTI error " + std::to_string(int(result));
    return text;
}

template <class Parameters>
void call(CUptiResult (*declared)(Parameters*), const char* name, Parameters& parameters) {
    static_cast<void>(declared);  // Only its type is used: linking to the function would make CUPTI a
                                  // condition for starting the program.
    const auto function = reinterpret_cast<CUptiResult (*)(Parameters*)>(dlsym(cupti_library(), name));
    if (function == nullptr)
        throw CuptiFailed(name, CUPTI_ERROR_NOT_SUPPORTED, "this CUPTI is too old: CUDA 12.6 brings it");
    const CUptiResult result = must_fail() ? CUPTI_ERROR_UNKNOWN : function(&parameters);
    if (result != CUPTI_SUCCESS) throw CuptiFailed(name, result, text_of(result));
}

// Passes the name as text, and the type of the declaration without a reference that the linker would have to
// resolve.
#define CUPTI_CALL(function, parameters) \
    call(static_cast<decltype(&function)>(nullptr), #function, parameters)
#define CUPTI_PARAMETERS(type, name) \
    type name{};                     \
    name.structSize = type##_STRUCT_SIZE

CUcontext current_context() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    CUDA_CHECK(
        cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &function, 12000, cudaEnableDefault, &found));
    CUcontext context = nullptr;
    if (function != nullptr) reinterpret_cast<CUresult (*)(CUcontext*)>(function)(&context);
    return context;
}

/// The needs of a set of metrics: which of them exist, and how the counters are programmed for them.
struct Config {
    /// The index of each metric among `names`, or -1 if the metric does not exist.
    std::vector<int> place;
    std::vector<const char*> names;
    CUpti_Profiler_Host_Object* host = nullptr;
    std::vector<std::uint8_t> image, data;
};

void add_metrics(CUpti_Profiler_Host_Object* host, std::vector<const char*>& names) {
    CUPTI_PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params, parameters);
    parameters.pHostObject = host;
    parameters.ppMetricNames = names.data();
    parameters.numMetrics = names.size();
    CUPTI_CALL(cuptiProfilerHostConfigAddMetrics, parameters);
}

}  // namespace

struct HardwareCounters::State {
    std::optional<Unavailable> why;  ///< Why counters are unavailable; known after the first attempt.
    bool started = false;
    std::string chip;
    std::vector<std::uint8_t> availability;
    CUpti_RangeProfiler_Object* profiler = nullptr;
    std::map<std::string, bool> known;  ///< The metrics that were asked for, and whether they exist.
    std::map<std::vector<std::string>, Config> configs;
    const Config* set_up = nullptr;  ///< the one that the profiler counts now

    ~State() {
        try {
            for (auto& [names, config] : configs) close_host(config.host);
            disable();
        } catch (const std::exception&) {  // the process or the context is shutting down
        }
    }

    void start() {
        CUDA_CHECK(cudaFree(nullptr));  // creates a context if there is none
        CUPTI_PARAMETERS(CUpti_Profiler_Initialize_Params, initialize);
        CUPTI_CALL(cuptiProfilerInitialize, initialize);
        CUPTI_PARAMETERS(CUpti_Device_GetChipName_Params, name);
        int device = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        name.deviceIndex = static_cast<std::size_t>(device);
        CUPTI_CALL(cuptiDeviceGetChipName, name);
        chip = name.pChipName;
        CUPTI_PARAMETERS(CUpti_Profiler_GetCounterAvailability_Params, available);
        available.ctx = current_context();
        CUPTI_CALL(cuptiProfilerGetCounterAvailability, available);
        availability.resize(available.counterAvailabilityImageSize);
        available.pCounterAvailabilityImage = availability.data();
        CUPTI_CALL(cuptiProfilerGetCounterAvailability, available);
        started = true;
    }

    /// A profiler that was enabled for some counters goes on counting those, whatever it is told later. For
    /// other counters it must be enabled anew, which takes 0.2 s.
    void set_up_for(Config& config) {
        if (set_up == &config) return;
        disable();
        CUPTI_PARAMETERS(CUpti_RangeProfiler_Enable_Params, enable);
        enable.ctx = current_context();
        CUPTI_CALL(cuptiRangeProfilerEnable, enable);
        profiler = enable.pRangeProfilerObject;
        CUPTI_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params, data);
        data.pRangeProfilerObject = profiler;
        data.pMetricNames = config.names.data();
        data.numMetrics = config.names.size();
        data.maxNumOfRanges = 1;
        data.maxNumRangeTreeNodes = 1;
        CUPTI_CALL(cuptiRangeProfilerGetCounterDataSize, data);
        config.data.resize(data.counterDataSize);
        set_up = &config;
    }

    void disable() {
        if (profiler == nullptr) return;
        set_up = nullptr;
        CUPTI_PARAMETERS(CUpti_RangeProfiler_Disable_Params, parameters);
        parameters.pRangeProfilerObject = std::exchange(profiler, nullptr);
        CUPTI_CALL(cuptiRangeProfilerDisable, parameters);
    }

    CUpti_Profiler_Host_Object* open_host() const {
        CUPTI_PARAMETERS(CUpti_Profiler_Host_Initialize_Params, parameters);
        parameters.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
        parameters.pChipName = chip.c_str();
        parameters.pCounterAvailabilityImage = availability.data();
        CUPTI_CALL(cuptiProfilerHostInitialize, parameters);
        return parameters.pHostObject;
    }

    static void close_host(CUpti_Profiler_Host_Object* host) {
        if (host == nullptr) return;
        CUPTI_PARAMETERS(CUpti_Profiler_Host_Deinitialize_Params, parameters);
        parameters.pHostObject = host;
        CUPTI_CALL(cuptiProfilerHostDeinitialize, parameters);
    }

    /// One unknown name would make the whole set fail, so each is tried alone first.
    bool knows(const std::string& metric) {
        const auto [found, is_new] = known.try_emplace(metric, false);
        if (!is_new) return found->second;
        CUpti_Profiler_Host_Object* const host = open_host();
        std::vector<const char*> name{metric.c_str()};
        try {
            add_metrics(host, name);
            found->second = true;
        } catch (const CuptiFailed&) {
        }
        close_host(host);
        return found->second;
    }

    Config& config_of(const std::vector<std::string>& metrics) {
        const auto [found, is_new] = configs.try_emplace(metrics);
        Config& config = found->second;
        if (!is_new) return config;
        for (const std::string& metric : found->first) {
            config.place.push_back(knows(metric) ? int(config.names.size()) : -1);
            if (config.place.back() >= 0) config.names.push_back(metric.c_str());
        }
        if (config.names.empty()) return config;
        config.host = open_host();
        add_metrics(config.host, config.names);

        CUPTI_PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
        size.pHostObject = config.host;
        CUPTI_CALL(cuptiProfilerHostGetConfigImageSize, size);
        config.image.resize(size.configImageSize);
        CUPTI_PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params, image);
        image.pHostObject = config.host;
        image.configImageSize = config.image.size();
        image.pConfigImage = config.image.data();
        CUPTI_CALL(cuptiProfilerHostGetConfigImage, image);
        return config;
    }

    CounterReading read(Config& config, const std::function<void()>& before,
                        const std::function<void()>& launch) {
        set_up_for(config);
        CUPTI_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, clear);
        clear.pRangeProfilerObject = profiler;
        clear.counterDataSize = config.data.size();
        clear.pCounterData = config.data.data();
        CUPTI_CALL(cuptiRangeProfilerCounterDataImageInitialize, clear);
        CUPTI_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params, set);
        set.pRangeProfilerObject = profiler;
        set.configSize = config.image.size();
        set.pConfig = config.image.data();
        set.counterDataImageSize = config.data.size();
        set.pCounterDataImage = config.data.data();
        set.range = CUPTI_UserRange;
        set.replayMode = CUPTI_UserReplay;
        set.maxRangesPerPass = 1;
        set.numNestingLevels = 1;
        set.minNestingLevel = 1;
        set.passIndex = 0;
        set.targetNestingLevel = 1;
        CUPTI_CALL(cuptiRangeProfilerSetConfig, set);

        CounterReading reading;
        for (bool done = false; !done; ++reading.passes) {
            before();
            CUPTI_PARAMETERS(CUpti_RangeProfiler_Start_Params, start);
            start.pRangeProfilerObject = profiler;
            CUPTI_CALL(cuptiRangeProfilerStart, start);
            CUPTI_PARAMETERS(CUpti_RangeProfiler_PushRange_Params, push);
            push.pRangeProfilerObject = profiler;
            push.pRangeName = "launch";
            CUPTI_CALL(cuptiRangeProfilerPushRange, push);
            launch();
            CUPTI_PARAMETERS(CUpti_RangeProfiler_PopRange_Params, pop);
            pop.pRangeProfilerObject = profiler;
            CUPTI_CALL(cuptiRangeProfilerPopRange, pop);
            CUPTI_PARAMETERS(CUpti_RangeProfiler_Stop_Params, stop);
            stop.pRangeProfilerObject = profiler;
            CUPTI_CALL(cuptiRangeProfilerStop, stop);
            done = stop.isAllPassSubmitted != 0;
        }
        CUPTI_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params, decode);
        decode.pRangeProfilerObject = profiler;
        CUPTI_CALL(cuptiRangeProfilerDecodeData, decode);

        std::vector<double> values(config.names.size());
        CUPTI_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
        evaluate.pHostObject = config.host;
        evaluate.pCounterDataImage = config.data.data();
        evaluate.counterDataImageSize = config.data.size();
        evaluate.rangeIndex = 0;
        evaluate.ppMetricNames = config.names.data();
        evaluate.numMetrics = config.names.size();
        evaluate.pMetricValues = values.data();
        CUPTI_CALL(cuptiProfilerHostEvaluateToGpuValues, evaluate);
        for (const int place : config.place) {
            // NAN means that the hardware could not count it in this session.
            const double value = place < 0 ? NAN : values[place];
            reading.values.push_back(std::isnan(value) ? std::nullopt : std::optional(value));
        }
        return reading;
    }
};

HardwareCounters::HardwareCounters() : state_(std::make_unique<State>()) {}
HardwareCounters::~HardwareCounters() = default;

void HardwareCounters::release() {
    try {
        state_->disable();
    } catch (const std::exception&) {  // then the context is lost, and with it the counters
    }
}

namespace {

/// The reason as a sentence that says what can be done about it.
Unavailable reason_of(const CuptiFailed& error) {
    switch (error.status) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
            return {
                "the driver keeps hardware counters for administrators: run as root, or have them load the driver with "
                "NVreg_RestrictProfilingToAdminUsers=0 (in a container: --cap-add=SYS_ADMIN)"};
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
        case CUPTI_ERROR_HARDWARE_BUSY:
            return {"another profiler uses the hardware counters: run Warplens without it"};
        case CUPTI_ERROR_NOT_SUPPORTED:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED:
            return {std::string("this GPU or its driver has no hardware counters for programs (") +
                    error.what() + ")"};
        default:
            return {std::string("hardware counters cannot be read: ") + error.what()};
    }
}

}  // namespace

namespace {

/// Begins and ends the counting of addresses; it also ends when what is counted throws.
class AddressCounting {
public:
    AddressCounting(const std::string& chip, const std::vector<std::string>& metrics) {
        for (const std::string& metric : metrics) {
            CUPTI_PARAMETERS(CUpti_SassMetrics_GetProperties_Params, properties);
            properties.pChipName = chip.c_str();
            properties.pMetricName = metric.c_str();
            CUPTI_CALL(cuptiSassMetricsGetProperties, properties);
            configs_.push_back({properties.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
        }
        CUPTI_PARAMETERS(CUpti_SassMetricsSetConfig_Params, set);
        int device = 0;
        CUDA_CHECK(cudaGetDevice(&device));
        set.deviceIndex = static_cast<std::uint32_t>(device);
        set.pConfigs = configs_.data();
        set.numOfMetricConfig = configs_.size();
        CUPTI_CALL(cuptiSassMetricsSetConfig, set);
        CUPTI_PARAMETERS(CUpti_SassMetricsEnable_Params, enable);
        enable.ctx = context_;
        enable.enableLazyPatching = 1;
        CUPTI_CALL(cuptiSassMetricsEnable, enable);
    }
    ~AddressCounting() {
        try {
            CUPTI_PARAMETERS(CUpti_SassMetricsDisable_Params, disable);
            disable.ctx = context_;
            CUPTI_CALL(cuptiSassMetricsDisable, disable);
        } catch (const std::exception&) {  // The process ends soon, or the context is lost.
        }
    }
    AddressCounting(const AddressCounting&) = delete;
    AddressCounting& operator=(const AddressCounting&) = delete;

    /// Sums in the order of the metrics. Empty if no kernel was counted.
    std::vector<std::optional<double>> sums() const {
        CUPTI_PARAMETERS(CUpti_SassMetricsGetDataProperties_Params, found);
        found.ctx = context_;
        CUPTI_CALL(cuptiSassMetricsGetDataProperties, found);
        if (found.numOfPatchedInstructionRecords == 0) return {};
        std::vector<CUpti_SassMetrics_Data> records(found.numOfPatchedInstructionRecords);
        std::vector<CUpti_SassMetrics_InstanceValue> values(records.size() * found.numOfInstances);
        for (std::size_t i = 0; i < records.size(); ++i) {
            records[i].structSize = sizeof(CUpti_SassMetrics_Data);
            records[i].pInstanceValues = &values[i * found.numOfInstances];
        }
        CUPTI_PARAMETERS(CUpti_SassMetricsFlushData_Params, flush);
        flush.ctx = context_;
        flush.numOfPatchedInstructionRecords = records.size();
        flush.numOfInstances = found.numOfInstances;
        flush.pMetricsData = records.data();
        CUPTI_CALL(cuptiSassMetricsFlushData, flush);
        std::vector<std::optional<double>> sums(configs_.size(), 0.0);
        for (const CUpti_SassMetrics_InstanceValue& value : values) {
            for (std::size_t i = 0; i < configs_.size(); ++i) {
                if (configs_[i].metricId == value.metricId) *sums[i] += double(value.value);
            }
        }
        return sums;
    }

private:
    CUcontext context_ = current_context();
    std::vector<CUpti_SassMetrics_Config> configs_;
};

}  // namespace

std::variant<CounterReading, Unavailable> HardwareCounters::attempt(
    const std::function<std::variant<CounterReading, Unavailable>()>& read) {
    State& state = *state_;
    if (state.why) return *state.why;
    if (cupti_library() == nullptr) {
        state.why.emplace(Unavailable{
            "CUPTI is not on this machine: neither libcupti.so.13 nor libcupti.so.12 was found; it comes with the CUDA "
            "Toolkit; set LD_LIBRARY_PATH to its folder"});
        return *state.why;
    }
    const auto begin = std::chrono::steady_clock::now();
    try {
        if (!state.started) state.start();
        auto outcome = read();
        if (auto* const reading = std::get_if<CounterReading>(&outcome)) {
            const std::chrono::duration<double, std::milli> elapsed =
                std::chrono::steady_clock::now() - begin;
            reading->elapsed_ms = elapsed.count();
        }
        return outcome;
    } catch (const CuptiFailed& error) {
        state.why.emplace(reason_of(error));  // A second attempt would only cost the same time again.
        return *state.why;
    }
}

std::variant<CounterReading, Unavailable> HardwareCounters::count(const std::vector<std::string>& metrics,
                                                                  const std::function<void()>& before,
                                                                  const std::function<void()>& launch) {
    return attempt([&]() -> std::variant<CounterReading, Unavailable> {
        Config& config = state_->config_of(metrics);
        if (config.names.empty()) return Unavailable{"this GPU has none of the counters that were asked for"};
        return state_->read(config, before, launch);
    });
}

std::variant<CounterReading, Unavailable> HardwareCounters::count_addresses(
    const std::vector<std::string>& metrics, const std::function<void()>& launch) {
    return attempt([&]() -> std::variant<CounterReading, Unavailable> {
        const AddressCounting counting(state_->chip, metrics);
        launch();
        std::vector<std::optional<double>> sums = counting.sums();
        if (sums.empty()) return Unavailable{"CUPTI counted no kernel: it was not the first of this process"};
        return CounterReading{.values = std::move(sums), .passes = 1};
    });
}

}  // namespace warplens

#else

namespace warplens {

struct HardwareCounters::State {};
HardwareCounters::HardwareCounters() = default;
HardwareCounters::~HardwareCounters() = default;
void HardwareCounters::release() {}

std::variant<CounterReading, Unavailable> HardwareCounters::count(const std::vector<std::string>&,
                                                                  const std::function<void()>&,
                                                                  const std::function<void()>&) {
    return Unavailable{"this build has no hardware counters: it was made without CUDA 12.6 or later"};
}

std::variant<CounterReading, Unavailable> HardwareCounters::count_addresses(const std::vector<std::string>&,
                                                                            const std::function<void()>&) {
    return Unavailable{"this build has no hardware counters: it was made without CUDA 12.6 or later"};
}

}  // namespace warplens

#endif
