#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace warplens {

inline constexpr std::size_t kLongestName = 200;  ///< of a GPU, a driver or a knob in a recording [bytes]

/// Parse JSON that may come from anywhere: without NaN, duplicate keys, or more levels than a recording has.
/// Errors: RecordingError with line and column, or with what is wrong.
nlohmann::json parse_untrusted(std::string_view text);

/// A value with its position in the file, for messages: `gpu.name`, `sessions[2].stop_rule`.
class JsonPlace {
public:
    JsonPlace(const nlohmann::json& value, std::string name) : value_(&value), name_(std::move(name)) {}

    const nlohmann::json& value() const { return *value_; }
    const std::string& name() const { return name_; }

    // All of these throw RecordingError if the file contains something else.
    JsonPlace member(const char* key) const;     ///< a required member of an object
    bool has(const char* key) const;             ///< for an object
    JsonPlace element(std::size_t index) const;  ///< of an array
    std::size_t size() const;                    ///< for an array
    double number(double least, double most) const;
    int whole(int least, int most) const;
    std::string text(std::size_t longest) const;  ///< with control characters replaced by spaces
    // Like the above, but with a default if the key is missing.
    double number_or(const char* key, double most, double otherwise) const;
    int whole_or(const char* key, int most, int otherwise) const;
    bool flag_or(const char* key, bool otherwise) const;
    std::string text_or(const char* key, std::size_t longest) const;

    [[noreturn]] void wrong(const std::string& expected) const;  ///< throws "gpu.name: expected …, found …"

private:
    const nlohmann::json* value_;
    std::string name_;
};

/// Replaces control characters by spaces, for a text that is shown on one line.
void replace_control_characters(std::string& text);

/// The value as a short printable text, for messages.
std::string shown(const nlohmann::json& value);

}  // namespace warplens
