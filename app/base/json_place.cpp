#include "app/base/json_place.h"

#include "app/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <unordered_set>

namespace warplens {
using nlohmann::json;

std::string shown(const json& value) {
    constexpr std::size_t kLongest = 40;
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

namespace {

constexpr std::size_t kDeepest = 16;            // our files go 6 deep
constexpr std::size_t kMostValues = 4u << 20;   // a recording with all points it may have has fewer
constexpr std::size_t kMemoryOfList = 4;        // in values
constexpr std::size_t kLongestWord = 1u << 20;  // the parser keeps several copies of the one that it reads
constexpr std::size_t kMostKeys = std::size_t{200'000};  // a key takes more memory than a value

/// Reads a text without keeping it, and checks what is legal JSON but nothing of ours.
class Guard {
public:
    explicit Guard(const std::stop_token& stop) : stop_(stop) {}

    /// What is read from now on stands in so many lists and objects.
    void stands_in(std::size_t depth) { depth_ = depth; }

    bool null() { return count(); }
    bool boolean(bool) { return count(); }
    bool number_integer(json::number_integer_t) { return count(); }
    bool number_unsigned(json::number_unsigned_t) { return count(); }
    bool number_float(json::number_float_t, const json::string_t&) { return count(); }
    bool string(const json::string_t&) { return count(); }
    bool binary(const json::binary_t&) { return count(); }
    bool start_object(std::size_t) { return open(); }
    bool start_array(std::size_t) { return open(); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(const json::string_t& key) {
        if (++key_count_ > kMostKeys) throw JsonError(fmt::format("it has more than {} keys", kMostKeys));
        if (!keys_.back().insert(key).second)
            throw JsonError(fmt::format("the key {} stands twice in one object", shown(key)));
        return true;
    }
    bool parse_error(std::size_t byte, const std::string&, const json::exception& error) {
        constexpr int kNumberTooLarge = 406;
        if (error.id == kNumberTooLarge) throw JsonError("a number has more than 308 digits");
        byte_ = byte;
        what_ = error.what();
        return false;
    }

    std::size_t byte() const { return byte_; }         ///< of the error, counted from 1
    const std::string& what() const { return what_; }  ///< the parser's own words for it

private:
    bool count(std::size_t values = 1) {
        values_ += values;
        if (values_ > kMostValues) throw JsonError("it has more values than any of our files can have");
        if (++events_ % 1024 == 0 && stop_.stop_requested()) throw JsonError("cancelled");
        return true;
    }
    bool open() {
        if (depth_ + keys_.size() == kDeepest)
            throw JsonError(fmt::format("lists and objects are nested more than {} deep", kDeepest));
        keys_.emplace_back();
        return count(kMemoryOfList);
    }
    bool close() {
        keys_.pop_back();
        return true;
    }

    const std::stop_token& stop_;
    std::vector<std::unordered_set<std::string>> keys_;  ///< of the lists and objects that are open
    std::size_t depth_ = 0, values_ = 0, events_ = 0, key_count_ = 0, byte_ = 0;
    std::string what_;
};

void refuse_long_words(std::string_view text) {
    bool quoted = false;
    for (std::size_t i = 0, start = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool between = c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}';
        if (c == '"') quoted = !quoted;
        if (c == '"' || (between && !quoted)) start = i;
        if (i - start > kLongestWord)
            throw JsonError(fmt::format("a text or number has more than {} bytes", kLongestWord));
        if (c == '\\' && quoted) ++i;
    }
}

std::string line_and_column(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    return fmt::format("line {}, column {}", line, column);
}

std::string why_no_json(std::string_view text, const Guard& error) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    if (last == std::string_view::npos) return "it is empty";
    if (error.what().find("UTF-8") != std::string::npos && error.byte() <= text.size())
        return fmt::format("{}: the text is not UTF-8", line_and_column(text, error.byte()));
    if (error.byte() > last + 1)
        return fmt::format("it ends too early, after {} bytes: was it copied to its end?", text.size());
    return fmt::format("{}: this is not JSON", line_and_column(text, error.byte()));
}

}  // namespace

json parse_json(std::string_view text, const std::stop_token& stop) {
    refuse_long_words(text);
    Guard guard(stop);
    if (!json::sax_parse(text.begin(), text.end(), &guard)) throw JsonError(why_no_json(text, guard));
    return json::parse(text.begin(), text.end());
}

namespace {

/// Values of an object, one after the other.
class Values {
public:
    Values(std::string_view text, const std::stop_token& stop) : in_(std::string(text)), guard_(stop) {}

    char next() {
        in_ >> std::ws;
        return char(in_.peek());
    }
    bool ended() {
        next();
        return in_.eof();
    }
    bool take(char sign) {
        const bool stands = next() == sign;
        if (stands) in_.get();
        return stands;
    }
    /// @param depth  of the lists and objects around it
    /// @return  null if there is none, or if it is broken
    std::optional<json> value(std::size_t depth) {
        guard_.stands_in(depth);
        if (const char first = next(); first != '{' && first != '[' && first != '"') return word();
        const auto begin = in_.tellg();
        if (!json::sax_parse(in_, &guard_, json::input_format_t::json, false)) return std::nullopt;
        in_.seekg(begin);
        json read;
        in_ >> read;
        return read;
    }

private:
    /// The parser takes away the sign behind a number.
    std::optional<json> word() {
        std::string word;
        while (in_ && std::string_view(",]} \t\r\n").find(char(in_.peek())) == std::string_view::npos)
            word += char(in_.get());
        if (!json::sax_parse(word, &guard_)) return std::nullopt;
        return json::parse(word);
    }

    std::istringstream in_;
    Guard guard_;
};

}  // namespace

InSteps<json> parse_json_in_steps(std::string_view text, std::stop_token stop) {
    refuse_long_words(text);
    Values values(text, stop);
    StepClock clock;
    json all = json::object();
    bool good = values.take('{');
    for (bool more = good && values.next() != '}'; more; more = values.take(',')) {
        const auto key = values.value(1);
        good = key && key->is_string() && !all.contains(key->get<std::string>()) && values.take(':');
        if (!good) break;
        json& member = all[key->get<std::string>()];
        if (values.take('[')) {
            member = json::array();
            for (bool another = values.next() != ']'; another && good; another = values.take(',')) {
                auto element = values.value(2);
                good = element.has_value();
                if (good) member.push_back(std::move(*element));
                if (clock.is_up()) co_yield 0;
            }
            good = good && values.take(']');
        } else if (auto value = values.value(1)) {
            member = std::move(*value);
        } else {
            good = false;
        }
        if (!good) break;
        if (clock.is_up()) co_yield 0;
    }
    // What is no such object is read at once, or said to be wrong.
    if (good && values.take('}') && values.ended()) co_return all;
    co_return parse_json(text, stop);
}

void JsonPlace::wrong(const std::string& expected) const {
    fail(fmt::format("expected {}, found {}", expected, shown(*value_)));
}

void JsonPlace::fail(const std::string& problem) const {
    throw JsonError(name_.empty() ? problem : fmt::format("{}: {}", name_, problem));
}

bool JsonPlace::has(const char* key) const {
    if (!value_->is_object()) wrong("an object");
    const auto found = value_->find(key);
    return found != value_->end() && !found->is_null();
}

JsonPlace JsonPlace::member(const char* key) const {
    const std::string name = name_.empty() ? key : fmt::format("{}.{}", name_, key);
    if (!has(key)) throw JsonError(fmt::format("{} is missing", name));
    return {value_->at(key), name};
}

std::size_t JsonPlace::size() const {
    if (!value_->is_array()) wrong("a list");
    return value_->size();
}

JsonPlace JsonPlace::element(std::size_t index) const {
    return {value_->at(index), fmt::format("{}[{}]", name_, index)};
}

std::vector<JsonPlace> JsonPlace::elements() const {
    std::vector<JsonPlace> all;
    for (std::size_t i = 0; i < size(); ++i) all.push_back(element(i));
    return all;
}

void JsonPlace::allow(std::initializer_list<std::string_view> keys) const {
    if (!value_->is_object()) wrong("an object");
    for (const auto& [key, unused] : value_->items()) {
        if (std::ranges::find(keys, key) == keys.end()) fail(fmt::format("unknown field {}", in_quotes(key)));
    }
}

double JsonPlace::number(double least, double most) const {
    const double number = value_->is_number() ? value_->get<double>() : std::nan("");
    if (!(number >= least && number <= most)) wrong(fmt::format("a number from {} to {:g}", least, most));
    return number;
}

int JsonPlace::whole(int least, int most) const {
    const double value = number(least, most);
    if (value != std::floor(value)) wrong("a whole number");
    return int(value);
}

std::string JsonPlace::text(std::size_t longest) const {
    if (!value_->is_string()) wrong("a text");
    const auto& text = value_->get_ref<const std::string&>();
    if (text.size() > longest)
        fail(fmt::format("expected at most {} bytes of text, found {}", longest, text.size()));
    return printable(text, longest);
}

std::string JsonPlace::lines() const {
    if (!value_->is_string()) wrong("a text");
    return value_->get<std::string>();
}

std::string JsonPlace::prose() const {
    std::string text = lines();
    if (text.empty()) wrong("a text that is not empty");
    return text;
}

bool JsonPlace::flag() const {
    if (!value_->is_boolean()) wrong("true or false");
    return value_->get<bool>();
}

}  // namespace warplens
