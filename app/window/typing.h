#pragma once

#include "app/answers/store.h"
#include "app/experiment/state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// What is wrong with a text, and where: lines and columns count from 1, columns in bytes.
struct TextProblem {
    int line = 1, column = 1;
    std::string sentence;  ///< "line 7, column 5: not in the subset: 'cudaMalloc'"

    friend bool operator==(const TextProblem&, const TextProblem&) = default;
};

/// A text that may be a kernel. @param name  of its file, without a folder; empty for none
struct KernelKey {
    std::string text, name;
    friend bool operator==(const KernelKey&, const KernelKey&) = default;
};
/// What is understood of it: a scenario, or else a problem.
struct KernelText {
    const Scenario* scenario = nullptr;
    std::optional<TextProblem> problem;
};
Work<KernelText> answer(const KernelKey& key, Store&);

/// The text of a kernel that is being typed, and what is understood of it. Texts are read in the background
/// after a short pause, because a kernel may take a while to execute. While one is wrong, the last good one
/// stays what the window shows.
class Typing {
public:
    /// Show another text, and read it at once.
    /// @param name  of its file, without a folder; empty for none
    /// @param path  of its file, into which it can be saved; empty for none
    void open(const std::string& text, const std::string& name, const std::string& path, double now);
    /// The text was changed. @param now  by the host's clock [s]
    void type(const std::string& text, double now);
    /// The window shows this scenario now: if it is a typed one with another text, that is the text from now
    /// on.
    void follow(const Scenario& scenario);

    /// Must be called once per frame. Reads what is due. @return  the scenario of a text that was understood,
    /// once
    const Scenario* advance(Store& store, double now);
    /// In how many seconds advance has something to do. Nothing if nothing waits.
    std::optional<double> due_in(double now) const;

    bool is_open() const { return open_; }
    const std::string& text() const { return text_; }
    const std::string& name() const { return name_; }  ///< of its file, without a folder; may be empty
    const std::string& path() const { return path_; }  ///< of its file; empty if it has none
    void set_path(const std::string& path) { path_ = path; }
    /// Changes whenever the text was replaced by something else than typing.
    std::uint64_t replaced() const { return replaced_; }
    const std::optional<TextProblem>& problem() const { return problem_; }
    /// Whether the window shows something else than this text, which is not understood, or not yet.
    bool is_draft() const { return open_ && (problem_ || reading()); }
    bool reading() const { return wanted_.has_value() || due_.has_value(); }

private:
    bool open_ = false;
    std::string text_, name_, path_;
    std::uint64_t replaced_ = 0;
    std::optional<TextProblem> problem_;
    std::optional<double> due_;        ///< when the text is to be read [s]
    std::optional<KernelKey> wanted_;  ///< the text that is being read
    const Scenario* shown_ = nullptr;
};

/// The state of a kernel whose text was changed: knobs of the same name, device, board and look as before.
State state_after_typing(const Scenario& scenario, const State& before);

/// A text to begin with.
std::string first_kernel();

/// The kernel of a scenario as a text to go on from: its code with what a launch needs to know.
std::string kernel_to_edit(const State& state);

}  // namespace warplens
