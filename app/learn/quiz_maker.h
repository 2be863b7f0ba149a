#pragma once

#include "app/learn/quiz.h"

#include <random>
#include <utility>

namespace warplens {

/// Integers from a seed. The standard defines the results of the engine, but not those of its distributions.
class QuizDice {
public:
    explicit QuizDice(std::uint32_t seed) : engine_(seed) {}
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
    const auto& one_of(const auto& list) { return list[below(list.size())]; }
    void shuffle(auto& list) {
        for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
    }

private:
    std::mt19937_64 engine_;
};

/// Whether wide loads of equal neighbours are merged, which the sheet's rule leaves out.
bool merges(const InstructionReport& row, const DeviceFacts& device);

/// Whether an answer is right too often to be worth asking.
bool is_trivial(const Question& question);

/// "load" or "store"
std::string_view quiz_act(const InstructionReport& row);

/// Ask what a request costs. @param rule  quiz_rule() @return  whether it costs anything
bool ask_count(Question& question, const InstructionReport& row, const DeviceFacts& device,
               std::string_view rule);

/// Ask which share of the bytes that it moves is used. @return  whether it moves any
bool ask_share(Question& question, const InstructionReport& row, std::string_view rule, QuizDice& dice);

/// Ask about occupancy, scope and lifetime, latencies or hazards: what no request tells.
Question machine_question(std::size_t device, const std::vector<DeviceFacts>& devices, QuizDice& dice);

/// quiz_in_steps() of a typed kernel.
InSteps<Quiz> kernel_quiz_in_steps(std::uint32_t seed, int count, QuizAbout about, std::size_t device,
                                   const std::vector<DeviceFacts>& devices);

}  // namespace warplens
