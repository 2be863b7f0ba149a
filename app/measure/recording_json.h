#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace warplens {

inline constexpr std::size_t kLongestName = 200;  ///< of a GPU, a driver, a knob in a recording [bytes]

/// Parse JSON that may come from anywhere: no NaN, no key twice, no deeper than a recording goes.
/// Errors: RecordingError with line and column, or with what is wrong.
nlohmann::json parse_untrusted(std::string_view text);

/// A value with its place in the file, for messages: `gpu.name`, `sessions[2].stop_rule`.
class JsonPlace {
public:
    JsonPlace(const nlohmann::json& value, std::string name) : value_(&value), name_(std::move(name)) {}

    const nlohmann::json& value() const { return *value_; }
    const std::string& name() const { return name_; }

    // All of them throw RecordingError when the file has something else there.
    JsonPlace member(const char* key) const;     ///< of an object, required
    bool has(const char* key) const;             ///< of an object
    JsonPlace element(std::size_t index) const;  ///< of an array
    std::size_t size() const;                    ///< of an array
    double number(double least, double most) const;
    int whole(int least, int most) const;
    std::string text(std::size_t longest) const;  ///< control characters become spaces
    // As above, or nothing where the key is missing.
    double number_or(const char* key, double most, double otherwise) const;
    int whole_or(const char* key, int most, int otherwise) const;
    bool flag_or(const char* key, bool otherwise) const;
    std::string text_or(const char* key, std::size_t longest) const;

    [[noreturn]] void wrong(const std::string& expected) const;  ///< "gpu.name: expected …, found …"

private:
    const nlohmann::json* value_;
    std::string name_;
};

/// By spaces: a text that is shown on one line.
void replace_control_characters(std::string& text);

/// What stands there, short and printable: for messages.
std::string shown(const nlohmann::json& value);

}  // namespace warplens
