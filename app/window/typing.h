#pragma once

#include "app/answers/store.h"
#include "app/experiment/state.h"
#include "app/window/saved_state.h"
#include "app/window/text_history.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplens {

/// What is wrong with a text, and where: lines and columns count from 1, columns in bytes.
struct TextProblem {
    int line = 1, column = 1;
    std::string sentence;  ///< "line 7, column 5: not in the subset: 'cudaMalloc'"

    friend bool operator==(const TextProblem&, const TextProblem&) = default;
};

/// A text that may be a kernel, counted for a GPU. @param name  of its file, without a folder; empty for none
struct KernelKey {
    std::string text, name;
    DeviceFacts device;
    friend bool operator==(const KernelKey&, const KernelKey&) = default;
};
/// The meaning of such a text: a scenario, or else a problem.
struct KernelText {
    const Scenario* scenario = nullptr;
    std::optional<TextProblem> problem;
};
Work<KernelText> answer(const KernelKey& key, Store&);

/// A kernel that the window has: a person's own, or one that comes with the program and is looked at.
struct KernelDocument : SavedKernel {
    std::optional<State> state = {};  ///< how it was shown last; empty until its text was understood
    bool own = false;  ///< typed, or read from a file; others are gone when another one is opened
    std::vector<const Scenario*> versions = {};  ///< what its text has been, which undo brings back
    TextHistory history = {};
};

/// The kernels of a window. The first one is being typed; its text is read in the background after a short
/// pause, because a kernel may take a while to execute. While it is wrong, the last good one stays what the
/// window shows. Own kernels stay in the list, until their text is deleted.
class Typing {
public:
    /// Show another text, and read it at once. It becomes a document of its own, unless there is one with
    /// this text, or one of this file that was not changed here.
    /// @param name  of its file, without a folder; empty for none
    /// @param path  of its file, into which it can be saved; empty for none
    void open(const std::string& text, const std::string& name, const std::string& path, double now);
    /// Go on with a document. @return  how it was shown last; empty if that is not known yet
    std::optional<State> open(std::size_t document, double now);
    /// Something else was chosen. The document stays in the list.
    void leave();
    /// The text was changed. @param now  by the host's clock [s]
    void type(const std::string& text, double now);
    /// The same by something else than typing, as a step that can be undone.
    void rewrite(const std::string& text, double now);
    /// Take a step of typing back, or do it again.
    void undo(double now) { step(&TextHistory::undo, now); }
    void redo(double now) { step(&TextHistory::redo, now); }
    /// The window shows this state now: if it is of a typed kernel with another text, that is the text from
    /// now on.
    void follow(const State& state, double now);

    /// Must be called once per frame. Reads what is due, and counts it for a GPU. @return  the scenario of a
    /// text that was understood, once
    const Scenario* advance(Store& store, const DeviceFacts& device, double now);
    /// In how many seconds advance has something to do. Nothing if nothing waits.
    std::optional<double> due_in(double now) const;

    bool is_open() const { return open_; }
    const std::string& text() const { return current().text; }
    const std::string& name() const {
        return current().name;
    }  ///< of its file, without a folder; may be empty
    const std::string& path() const { return current().path; }  ///< of its file; empty if it has none
    /// Its text was written into this file.
    void saved_as(const std::string& path);
    /// The place of an earlier run in which the kernel was set, once, when its text was understood.
    std::string take_place() { return open_ ? std::exchange(documents_.front().place, {}) : std::string(); }

    /// All kernels that the window has, the last one first.
    const std::vector<KernelDocument>& documents() const { return documents_; }
    /// The own ones, as they are kept for the next run. @param link  makes the link to a state
    std::vector<SavedKernel> saved(const std::function<std::string(const State&)>& link) const;
    /// Take up the list of an earlier run, behind the present one.
    void restore(const std::vector<SavedKernel>& kernels);
    /// The kernel being typed, which is not understood, was seen like this: as an earlier text of its own, or
    /// beside another kernel.
    void was_shown_as(const State& state);
    /// Changes whenever something was typed.
    std::uint64_t edits() const { return edits_; }

    /// Changes whenever the text was replaced by something else than typing.
    std::uint64_t replaced() const { return replaced_; }
    /// Changes whenever a step was undone, done again or rewritten, behind which the caret stands now
    /// [bytes].
    std::uint64_t undone() const { return undone_; }
    std::size_t caret() const { return caret_; }
    const std::optional<TextProblem>& problem() const { return problem_; }
    /// Whether the window shows something else than this text, which is not understood, or not yet.
    bool is_draft() const { return open_ && (problem_ || reading()); }
    bool reading() const { return wanted_.has_value() || due_.has_value(); }

private:
    const KernelDocument& current() const;
    void to_front(std::size_t document);
    void put_first(KernelDocument document);
    void show_replaced(std::optional<double> due);
    void step(std::optional<TextHistory::Step> (TextHistory::*way)(const std::string&), double now);

    std::vector<KernelDocument> documents_;
    bool open_ = false;  ///< whether the first document is being typed
    std::uint64_t replaced_ = 0, edits_ = 0, undone_ = 0;
    std::size_t caret_ = 0;
    std::optional<TextProblem> problem_;
    std::optional<double> due_;        ///< when the text is to be read [s]
    std::optional<KernelKey> wanted_;  ///< the text that is being read
    const Scenario* shown_ = nullptr;
};

/// The name of a kernel in lists, and what they say more of it. Printable.
std::string title_of(const KernelDocument& document);
std::string remark_on(const KernelDocument& document);

/// The state of a kernel whose text was changed: knobs of the same name, device, board and look as before.
State state_after_typing(const Scenario& scenario, const State& before);

/// A text to begin with.
std::string first_kernel();

/// The kernel of a scenario as a text to go on from: its code with what a launch needs to know.
std::string kernel_to_edit(const State& state);

}  // namespace warplens
