// Thousands of damaged files through the reader, always the same ones: each is read, or refused with one
// line. Under AddressSanitizer (preset ci) this also shows that nothing is read or written that should not
// be.
#include "app/measure/recording.h"

#include "tests/recordings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace warplens::test::recording_fuzz_tests {
namespace {

/// Reads it. @return  whether it was refused; what is wrong with the answer is a failure of the test.
bool refused(const std::string& text) {
    try {
        const ReadRecording read = read_recording(text);
        for (const RecordedSeries& series : read.recording.series) {
            EXPECT_LT(series.session, read.recording.sessions.size());
            for (const RecordedPoint& point : series.points) {
                Params legal = point.params;
                clamp_knobs(*series.scenario, legal);
                EXPECT_EQ(legal, point.params);
                EXPECT_GT(point.timing.median_us, 0);
                EXPECT_LE(point.timing.upper_us, 1e12);
            }
        }
        EXPECT_EQ(read.skipped.find('\n'), std::string::npos);
        read_recording(write_recording(read.recording));  // what was read can be written and read again
        return false;
    } catch (const RecordingError& error) {
        const std::string what = error.what();
        EXPECT_FALSE(what.empty());
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        EXPECT_LT(what.size(), 400u) << what;
        return true;
    }
}

/// Short, so that every byte is hit often.
std::string seed_text() {
    Recording recording = test::sample_recording();
    for (RecordedSeries& series : recording.series) series.points.resize(4);
    recording.series[0].points[0].counters["l1tex__t_sectors.sum"] = 17;
    recording.series[0].points[1].timing.cold = true;
    return write_recording(recording);
}

struct Span {
    std::size_t begin, size;
};

/// Numbers, texts, words and brackets: whatever JSON is made of.
std::vector<Span> tokens_of(const std::string& text) {
    std::vector<Span> tokens;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        const auto in_word = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+';
        };
        if (text[i] == '"')
            end = std::min(text.find('"', i + 1), text.size() - 1) + 1;
        else if (in_word(text[i]))
            while (end < text.size() && in_word(text[end])) ++end;
        tokens.push_back({i, end - i});
        i = end;
    }
    return tokens;
}

std::string with_token(const std::string& text, Span token, const std::string& other) {
    return text.substr(0, token.begin) + other + text.substr(token.begin + token.size);
}

class RecordingFuzz : public testing::Test {
protected:
    std::size_t below(std::size_t end) {
        return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
    }
    std::mt19937 random_{20261121};
    const std::string text_ = seed_text();
    const std::vector<Span> tokens_ = tokens_of(text_);
    int refused_ = 0;
};

TEST_F(RecordingFuzz, TheSeedItselfIsRead) { EXPECT_FALSE(refused(text_)); }

TEST_F(RecordingFuzz, FlippedBits) {
    constexpr int kFiles = 4000;
    for (int i = 0; i < kFiles; ++i) {
        std::string text = text_;
        for (std::size_t flips = 1 + below(3); flips > 0; --flips) {
            char& byte = text[below(text.size())];
            byte = static_cast<char>(byte ^ (1 << below(8)));
        }
        refused_ += refused(text);
    }
    EXPECT_GT(refused_, kFiles / 4) << "most of this is damage that shows";
    EXPECT_LT(refused_, kFiles) << "some only changes a digit";
}

TEST_F(RecordingFuzz, EveryTruncation) {
    for (std::size_t size = 0; size + 2 < text_.size(); ++size)
        EXPECT_TRUE(refused(text_.substr(0, size))) << size;
}

TEST_F(RecordingFuzz, SwappedTokens) {
    for (int i = 0; i < 4000; ++i) {
        Span a = tokens_[below(tokens_.size())], b = tokens_[below(tokens_.size())];
        if (a.begin > b.begin) std::swap(a, b);
        if (a.begin == b.begin) continue;
        const std::string first = text_.substr(a.begin, a.size), second = text_.substr(b.begin, b.size);
        refused_ += refused(with_token(with_token(text_, b, first), a, second));
    }
    EXPECT_GT(refused_, 1000);
}

TEST_F(RecordingFuzz, OtherTokens) {
    const std::string others[] = {"null",
                                  "true",
                                  "-1",
                                  "0",
                                  "1e308",
                                  "1e999",
                                  "-0.0",
                                  "NaN",
                                  "18446744073709551615",
                                  "9223372036854775808",
                                  "0.1",
                                  "\"\"",
                                  "\"stride\"",
                                  "[]",
                                  "{}",
                                  "[[[[[[[[[[[[]]]]]]]]]]]]",
                                  "\"\\u0000\"",
                                  "\"\\ud800\"",
                                  "\"2^40\"",
                                  "{\"a\":{\"b\":1}}",
                                  "\"stride=8,stride\"",
                                  "2147483648",
                                  "-2147483649",
                                  ",",
                                  ":",
                                  "\"=\"",
                                  "\"stride=,,=\""};
    for (const Span token : tokens_) {
        const std::string& other = others[below(std::size(others))];
        refused_ += refused(with_token(text_, token, other));
    }
    for (int i = 0; i < 3000; ++i)
        refused_ +=
            refused(with_token(text_, tokens_[below(tokens_.size())], others[below(std::size(others))]));
    EXPECT_GT(refused_, 1000);
}

TEST_F(RecordingFuzz, DoubledAndMissingPieces) {
    for (int i = 0; i < 2000; ++i) {
        const std::size_t begin = below(text_.size()), size = below(60);
        refused_ += refused(text_.substr(0, begin) + text_.substr(std::min(begin + size, text_.size())));
        refused_ += refused(text_.substr(0, begin) + text_.substr(begin, size) + text_.substr(begin));
    }
    EXPECT_GT(refused_, 1000);
}

}  // namespace
}  // namespace warplens::test::recording_fuzz_tests
