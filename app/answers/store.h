#pragma once

// The folder app/answers/ contains the Store. Everything shown is the answer to a key, and a key holds all
// that its answer depends on: so nothing is ever old, and nobody has to say that something has changed. The
// keys of settings are in setting_keys.h; rooms above have keys of their own.

#include "app/answers/jobs.h"
#include "app/base/in_steps.h"
#include "kernels/unavailable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <variant>

namespace warplens {

/// An answer that is complete. It lives as long as somebody holds it, and is never changed: two answers are
/// the same if they are the same object, so an answer can be part of another key.
template <class T>
using Ready = std::shared_ptr<const T>;

/// An answer that is being worked on.
template <class T>
struct Pending {
    double done = 0;       ///< how far it is, 0 to 1; 0 if it cannot tell
    Ready<T> so_far = {};  ///< what can be shown meanwhile. Null if there is nothing yet.
};

template <class T>
using Answer = std::variant<Ready<T>, Pending<T>, Unavailable>;

/// What there is of an answer: all of it, or what can be shown meanwhile. Null if there is nothing.
template <class T>
Ready<T> known_of(const Answer<T>& answer) {
    if (const auto* ready = std::get_if<Ready<T>>(&answer)) return *ready;
    const auto* pending = std::get_if<Pending<T>>(&answer);
    return pending == nullptr ? nullptr : pending->so_far;
}
template <class T>
bool is_pending(const Answer<T>& answer) {
    return std::holds_alternative<Pending<T>>(answer);
}

/// The work for an answer that takes long. Its constructor runs on the thread that asks and may ask the
/// store; its steps run on any thread and must not.
template <class T>
class Slow {
public:
    using Result = T;
    virtual ~Slow() = default;
    /// Do a piece that takes about a millisecond. Longer ones must look at `unwanted`.
    /// @return  whether there is more to do. Throws what Unavailable then says.
    virtual bool step() = 0;

    /// How far it is, 0 to 1; 0 if it cannot tell. Called on any thread while a step runs.
    virtual double how_far() const { return 0; }

    std::optional<T> result;   ///< complete after the last step; empty if it was given up
    Ready<T> so_far;           ///< what can be shown meanwhile
    std::stop_token unwanted;  ///< set before the first step
};
template <class T>
using Work = std::unique_ptr<Slow<T>>;

/// Work in one piece: a function that returns the result, or nothing if it saw at the stop token that it is
/// not wanted.
template <class T, class Make>
Work<T> in_one_piece(Make make) {
    struct OnePiece : Slow<T> {
        explicit OnePiece(Make function) : make(std::move(function)) {}
        bool step() override {
            this->result = make(this->unwanted);
            return false;
        }
        Make make;
    };
    return std::make_unique<OnePiece>(std::move(make));
}

/// Work of a function in steps.
/// @param begun  whether its first step is done at once, on the thread that asks: where it is quick, or shows
///               something
template <class T>
Work<T> in_steps(InSteps<T> function, bool begun = false) {
    struct Steps : Slow<T> {
        explicit Steps(InSteps<T> of) : function(std::move(of)) {}
        bool step() override {
            const bool more = function.step();
            this->so_far = function.so_far();
            if (!more) this->result = function.take();
            return more;
        }
        double how_far() const override { return function.how_far(); }
        InSteps<T> function;
    };
    auto work = std::make_unique<Steps>(std::move(function));
    if (begun) work->step();
    return work;
}

/// All of a work at once, for those who wait for it. Nothing if it was given up.
template <class T>
std::optional<T> done_at_once(Work<T> work, std::stop_token unwanted = {}) {
    work->unwanted = std::move(unwanted);
    while (!work->result && work->step()) {
    }
    return std::move(work->result);
}

/// How much memory an answer holds [bytes], about. Kinds that hold much more than their size have an
/// overload.
template <class T>
std::size_t bytes_of(const T&) {
    return sizeof(T);
}

/// Answers keys, and keeps the answers that were asked for last. A kind of answer is one function, found by
/// the type of its key, which is a plain value with a defaulted ==:
///     T        answer(const Key&, Store&);   quick: computed when it is asked for
///     Work<T>  answer(const Key&, Store&);   slow: done by the Jobs
/// A slow answer that no frame asks for is not worked on any more. Only to be used by the
/// thread that owns the store.
class Store {
public:
    static constexpr std::size_t kUsualBytes = 64u << 20;

    /// @param wake   as for Jobs
    /// @param bytes  what is kept beyond the answers of the present frame, about
    explicit Store(
        JobsRun run, std::function<void()> wake = [] {}, std::size_t bytes = kUsualBytes)
        : most_bytes_(bytes), jobs_(run, std::move(wake)) {}

    /// @return  Ready<T> of a quick answer, Answer<T> of a slow one
    template <class Key>
    auto get(const Key& key) {
        using Made = decltype(answer(key, *this));
        if constexpr (requires { typename Made::element_type::Result; })
            return get_slow<Key, typename Made::element_type::Result>(key);
        else
            return get_quick<Key, Made>(key);
    }

    /// Must be called once before each frame: drops what no frame has asked for, and works for about this
    /// time where there are no threads, which leaves most of 30 ms to the frame and to what does not end on
    /// time. @return  whether something is left to do
    bool advance(std::chrono::microseconds time = std::chrono::milliseconds(6)) {
        jobs_.news_taken();
        ++frame_;
        frame_began_ = asked_;
        for (auto& [type, table] : tables_) table->drop_unasked(frame_);
        return jobs_.run_for(time);
    }

    /// How many answers of a kind were begun, for tests and benchmarks.
    template <class Key>
    std::size_t made() const {
        const auto found = tables_.find(typeid(Key));
        return found == tables_.end() ? 0 : found->second->made;
    }
    /// How many answers of all kinds were begun.
    std::size_t made() const {
        std::size_t all = 0;
        for (const auto& [type, table] : tables_) all += table->made;
        return all;
    }
    std::size_t bytes() const { return bytes_; }  ///< what the kept answers hold, about

private:
    static constexpr std::size_t kMostOfAKind = 256;  // they are searched one by one
    static constexpr std::uint64_t kGrace = 1;        // frames

    struct Table {
        virtual ~Table() = default;
        virtual void drop_unasked(std::uint64_t) {}
        /// When the answer that was asked for least recently was asked for. Nothing if there is none.
        virtual std::optional<std::uint64_t> oldest() const = 0;
        virtual std::size_t forget_oldest() = 0;  ///< @return  its bytes
        std::size_t made = 0;
    };
    template <class Key, class Kept>
    struct TableOf : Table {
        struct Entry {
            Key key;
            Kept kept;
            std::uint64_t asked = 0;
            std::size_t bytes = 0;
        };
        std::deque<Entry> entries;  ///< the one asked for last is first

        /// The entry of a key, now first. Null if there is none.
        Entry* find(const Key& key) {
            const auto found = std::ranges::find(entries, key, &Entry::key);
            if (found == entries.end()) return nullptr;
            std::rotate(entries.begin(), found, found + 1);
            return &entries.front();
        }
        std::optional<std::uint64_t> oldest() const override {
            return entries.empty() ? std::nullopt : std::optional(entries.back().asked);
        }
        std::size_t forget_oldest() override {
            const std::size_t bytes = entries.back().bytes;
            entries.pop_back();
            return bytes;
        }
    };

    /// A slow answer, from the first step to its result.
    template <class T>
    struct UnderWay : Job {
        explicit UnderWay(Work<T> begun) : work(std::move(begun)), seen(Pending<T>{0, work->so_far}) {
            work->unwanted = stop_token();
            if (work->result) end(std::make_shared<const T>(std::move(*work->result)));
        }
        ~UnderWay() override { drop(); }
        bool step() override {
            try {
                if (work->step()) {
                    const std::scoped_lock lock(mutex);
                    std::get<Pending<T>>(seen).so_far = work->so_far;
                    return true;
                }
                if (work->result)
                    end(std::make_shared<const T>(std::move(*work->result)));
                else
                    end(Unavailable{"cancelled"});
            } catch (const std::exception& why) {  // also if there is no memory for it
                end(Unavailable{why.what()});
            }
            return false;
        }
        void end(Answer<T> how) {
            const std::scoped_lock lock(mutex);
            seen = std::move(how);
            work.reset();
        }
        Answer<T> look() {
            const std::scoped_lock lock(mutex);
            if (work) std::get<Pending<T>>(seen).done = work->how_far();
            return seen;
        }
        bool ended() {
            const std::scoped_lock lock(mutex);
            return work == nullptr;
        }

        Work<T> work;  ///< null when it has ended; its steps run without the lock
        std::mutex mutex;
        Answer<T> seen;
    };
    template <class Key, class T>
    struct SlowTable : TableOf<Key, std::shared_ptr<UnderWay<T>>> {
        /// Those that are under way keep the frame in which they were asked for last.
        std::unordered_map<UnderWay<T>*, std::uint64_t> in_frame;
        void drop_unasked(std::uint64_t frame) override {
            std::erase_if(this->entries, [&](auto& entry) {
                const auto found = in_frame.find(entry.kept.get());
                if (found == in_frame.end()) return false;
                const bool ended = entry.kept->ended(), unasked = found->second + kGrace < frame;
                if (ended || unasked) in_frame.erase(found);
                if (!ended && unasked) entry.kept->drop();
                return !ended && unasked;
            });
        }
        std::size_t forget_oldest() override {
            const std::shared_ptr<UnderWay<T>> kept = this->entries.back().kept;
            in_frame.erase(kept.get());
            kept->drop();
            return TableOf<Key, std::shared_ptr<UnderWay<T>>>::forget_oldest();
        }
    };

    template <class Wanted, class Key>
    Wanted& table() {
        auto& found = tables_[typeid(Key)];
        if (!found) found = std::make_unique<Wanted>();
        return static_cast<Wanted&>(*found);
    }
    template <class Key, class T>
    Ready<T> get_quick(const Key& key) {
        auto& kept = table<TableOf<Key, Ready<T>>, Key>();
        if (auto* entry = kept.find(key)) {
            entry->asked = ++asked_;
            return entry->kept;
        }
        ++kept.made;
        auto made = std::make_shared<const T>(answer(key, *this));
        kept.entries.push_front({key, made, ++asked_, sizeof(Key) + bytes_of(*made)});
        add_bytes(kept, kept.entries.size(), kept.entries.front().bytes);
        return made;
    }
    template <class Key, class T>
    Answer<T> get_slow(const Key& key) {
        auto& kept = table<SlowTable<Key, T>, Key>();
        auto* entry = kept.find(key);
        if (entry == nullptr) {
            ++kept.made;
            auto work = std::make_shared<UnderWay<T>>(answer(key, *this));
            kept.entries.push_front({key, work, 0, 0});
            entry = &kept.entries.front();
            if (!work->ended()) {
                kept.in_frame[work.get()] = frame_;
                jobs_.add(work);
            }
        }
        entry->asked = ++asked_;
        const std::shared_ptr<UnderWay<T>> work = entry->kept;
        if (const auto found = kept.in_frame.find(work.get()); found != kept.in_frame.end())
            found->second = frame_;
        Answer<T> now = work->look();
        if (const Ready<T> known = known_of(now); known && entry->bytes == 0 && !is_pending(now)) {
            entry->bytes = sizeof(Key) + bytes_of(*known);
            add_bytes(kept, kept.entries.size(), entry->bytes);
        }
        return now;
    }
    /// Forgets the answers that were asked for least recently, but none of the present frame.
    void add_bytes(Table& kind, std::size_t of_kind, std::size_t bytes) {
        bytes_ += bytes;
        if (of_kind > kMostOfAKind && kind.oldest() <= frame_began_) bytes_ -= kind.forget_oldest();
        while (bytes_ > most_bytes_) {
            Table* least = nullptr;
            for (auto& [type, table] : tables_)
                if (table->oldest() && (least == nullptr || table->oldest() < least->oldest()))
                    least = table.get();
            if (least == nullptr || least->oldest() > frame_began_) return;
            bytes_ -= least->forget_oldest();
        }
    }

    const std::size_t most_bytes_;
    std::unordered_map<std::type_index, std::unique_ptr<Table>> tables_;
    std::size_t bytes_ = 0;
    std::uint64_t frame_ = 0;
    std::uint64_t asked_ = 0;        ///< counts what was asked for
    std::uint64_t frame_began_ = 0;  ///< what it was when the present frame began
    Jobs jobs_;                      ///< last, because its threads use what the tables hold
};

}  // namespace warplens
