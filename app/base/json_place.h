#pragma once

#include "app/base/in_steps.h"

#include <nlohmann/json_fwd.hpp>

#include <initializer_list>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

/// JSON that is not what was expected. what() says where, what was expected and what was found; who knows the
/// file puts its name in front.
struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Parse JSON that may come from anywhere: no NaN, no key twice. Nesting and the number of values are limited
/// before memory is taken for them, so that no text needs much more of it than its own size.
/// @param stop  gives up parsing
/// Errors: JsonError with line and column, or with what is wrong.
nlohmann::json parse_json(std::string_view text, const std::stop_token& stop = {});
/// The same in pieces: an object's members, and the elements of lists among them, one after the other. The
/// text must live as long.
InSteps<nlohmann::json> parse_json_in_steps(std::string_view text, std::stop_token stop = {});

/// A value as a message shows it: short and printable.
std::string shown(const nlohmann::json& value);

/// A value with its place in the file, for messages: `gpu.name`, `sessions[2].stop_rule`. It refers to the
/// JSON that it was made of.
class JsonPlace {
public:
    JsonPlace(const nlohmann::json& value, std::string name) : value_(&value), name_(std::move(name)) {}

    const nlohmann::json& value() const { return *value_; }
    const std::string& name() const { return name_; }

    // All of them throw JsonError when the file has something else there.
    JsonPlace member(const char* key) const;                         ///< of an object, required
    bool has(const char* key) const;                                 ///< of an object; null counts as missing
    JsonPlace element(std::size_t index) const;                      ///< of an array
    std::size_t size() const;                                        ///< of an array
    std::vector<JsonPlace> elements() const;                         ///< of an array
    void allow(std::initializer_list<std::string_view> keys) const;  ///< an object has no others
    double number(double least, double most) const;
    int whole(int least, int most) const;
    bool flag() const;
    std::string text(std::size_t longest = kLongestText) const;  ///< control characters become spaces
    std::string lines() const;  ///< text as it stands, with its line ends; may be empty
    std::string prose() const;  ///< the same, not empty
    // As above, or nothing where the key is missing.
    double number_or(const char* key, double most, double otherwise) const {
        return has(key) ? member(key).number(0, most) : otherwise;
    }
    int whole_or(const char* key, int most, int otherwise) const {
        return has(key) ? member(key).whole(0, most) : otherwise;
    }
    bool flag_or(const char* key, bool otherwise) const { return has(key) ? member(key).flag() : otherwise; }
    std::string text_or(const char* key, std::size_t longest = kLongestText) const {
        return has(key) ? member(key).text(longest) : std::string();
    }

    [[noreturn]] void wrong(const std::string& expected) const;  ///< "gpu.name: expected …, found …"
    [[noreturn]] void fail(const std::string& problem) const;    ///< "gpu.name: …"

private:
    static constexpr std::size_t kLongestText = 1 << 16;  ///< [bytes]
    const nlohmann::json* value_;
    std::string name_;
};

}  // namespace warplens
