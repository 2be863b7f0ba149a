// Thousands of random inputs to a window without a screen: after each of them it goes on, its work is
// bounded, and what is set has a text form. WARPLENS_MONKEY_SEED and WARPLENS_MONKEY_INPUTS choose another
// walk; what fails says both, so that it can be repeated.
#include "app/experiment/link.h"
#include "app/learn/courses.h"
#include "app/learn/manual.h"
#include "app/learn/tour.h"
#include "app/window/keys.h"
#include "tests/app/window/headless_fixture.h"
#include "tests/bytes_held.h"
#include "tests/damaged.h"
#include "tests/random_states.h"
#include "tests/recordings.h"
#include "tests/source_dir.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#if defined(WARPLENS_ADDRESSES_ARE_CHECKED)
extern "C" void __sanitizer_set_death_callback(void (*callback)());  // its header is not installed everywhere
#endif

namespace warplens::test::monkey_tests {
namespace {

namespace fs = std::filesystem;

std::array<char, 300> now{};  ///< which input it is, for the case that the program ends there

void say_where() { std::fprintf(stderr, "the monkey was at: %s\n", now.data()); }

void say_where_at_the_end() {
#if defined(WARPLENS_ADDRESSES_ARE_CHECKED)
    __sanitizer_set_death_callback(say_where);
#else
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE})
        std::signal(signal, [](int which) {
            say_where();
            std::signal(which, SIG_DFL);
            std::raise(which);
        });
#endif
}

unsigned from_environment(const char* name, unsigned otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(value, nullptr, 10));
}

class Monkey : public HeadlessFixture {
protected:
    void SetUp() override {
        home_ = fs::current_path();
        fs::create_directories(folder_);
        fs::current_path(folder_);  // where figures are written to
        for (const char* screen : {"DISPLAY", "WAYLAND_DISPLAY"})
            unsetenv(screen);  // nothing is copied there
        std::ofstream("own.json") << write_recording(sample_recording());
        for (const char* kind : {"figure", "recording", "state", "demo"})
            for (const auto& file : fs::directory_iterator(in_source("tests/fuzzing/corpus/") + kind))
                files_.push_back(file.path().string());
        std::ranges::sort(files_);
        for (const char* other : {"own.json", "own.json", "missing.json", ".", "/dev/zero"})
            files_.emplace_back(other);
        HeadlessFixture::SetUp();
        say_where_at_the_end();
    }
    void TearDown() override {
        HeadlessFixture::TearDown();
        fs::current_path(home_);
        fs::remove_all(folder_);
    }

    unsigned below(unsigned end) { return end == 0 ? 0 : static_cast<unsigned>(random_() % end); }
    int between(int low, int high) {
        return low + static_cast<int>(below(static_cast<unsigned>(high - low + 1)));
    }
    template <class Range>
    const auto& one_of(const Range& all) {
        return *std::next(std::begin(all), below(static_cast<unsigned>(std::size(all))));
    }

    std::string random_text() {
        constexpr const char* kTexts[] = {
            "0",        "-1",    "8",     "32",    "99999999999",          "1e308", "nan", "bank",
            "own.json", "a.svg", "b.png", "c.csv", "\xc3\xa4\xe2\x82\xac", "%s%n",  "",    " ",
            "x y"};
        return std::string(one_of(kTexts)) + (below(3) == 0 ? kTexts[below(std::size(kTexts))] : "");
    }

    std::string random_link() {
        const std::string link =
            link_to(random_state(one_of(all_scenarios()), devices_.size(), random_), devices_);
        return below(3) == 0 ? damaged(link, "?&=,%0129-azAZ\xff", random_) : link;
    }

    Action random_do() {
        using action::Do;
        return static_cast<Do>(between(0, static_cast<int>(Do::quit) - 1));  // the keys quit sometimes
    }

    Action random_show() {
        constexpr bool View::*kParts[] = {
            &View::help,       &View::messages, &View::recordings, &View::copy_menu, &View::learn_menu,
            &View::theme_menu, &View::finder,   &View::start_page, &View::demo_menu, &View::fixes};
        if (below(2) == 0) return action::Toggle{one_of(kParts)};
        if (below(6) == 0) return action::ShowHelp{static_cast<HelpPage>(below(3)), one_of(manual()).id};
        return action::Show{one_of(kParts), below(2) == 0};
    }

    Action random_look() {
        constexpr bool View::*kFolds[] = {&View::plot_open, &View::more_knobs, &View::all_numbers};
        const int count = state().scenario->instruction_count(state().params);
        switch (below(9)) {
            case 0:
                return action::ShowBoard{one_of(all_boards())};
            case 1:
                return action::Focus{between(-1, count - 1)};
            case 2:
                return action::Toggle{one_of(kFolds)};
            case 3:
                return action::ShowTab{between(0, 2)};
            case 4:
                return action::Read{below(2) == 0, below(2) == 0};
            case 5:
                return action::set(&View::scope, between(0, 3));
            case 6:
                return action::set(&View::tour, between(-1, static_cast<int>(tour_cards().size()) - 1));
            case 7:
                return action::Scale{below(2) == 0 ? 1.3f : 1 / 1.3f};
            default:
                return action::Hover{between(-1, 40), between(-1, count)};
        }
    }

    Action random_lesson() {
        switch (below(12)) {
            case 0:
                return action::OpenCourse{one_of(courses()).id};
            case 1:
                return action::ResetCourse{one_of(courses()).id};
            case 2:
                return action::GoToStep{between(0, 30)};
            case 3:
                return action::PredictFirst{below(2) == 0};
            case 4:
                return action::MakeGuess{{.count = between(0, 40), .pace = {}, .speed = {}}};
            case 5:
                return action::StartQuiz{
                    random_text(), between(1, 12), between(-1, 5), {}, between(0, 1) == 1};
            case 6:
                return action::Answer{random_text()};
            case 7:
                return action::WriteAnswers{one_of(files_).starts_with('/') ? "answers.csv" : ""};
            case 8:
                return action::EditDemo{static_cast<action::EditDemo::What>(below(8)), below(4),
                                        random_text()};
            case 9:
                return action::PlayDemo{between(-1, 4)};
            case 10:
                return below(2) == 0 ? Action(action::OpenDemo{"padding"})
                                     : Action(action::SaveDemo{"talk.json"});
            default:
                return action::LookAt{below(2)};
        }
    }

    Action random_setting() {
        const int looks = static_cast<int>(session().files.shelf.recordings.all().size()) +
                          1;  // some that no recording has
        switch (below(8)) {
            case 6:
                return action::TakeFix{below(4), below(2) == 0};
            case 0:
                return action::Change{random_state(one_of(all_scenarios()), devices_.size(), random_)};
            case 1:
                return action::GoTo{&one_of(all_scenarios())};
            case 2:
                return action::SetAxisKnob{static_cast<double>(between(-2, 40))};
            case 3:
                return action::SetAsCell{below(500)};
            case 4:
                return action::SetAsPoint{below(100)};
            case 5:
                if (below(2) == 0) return action::CloseRecording{between(0, looks)};
                return action::ShowRecording{between(0, looks), below(2) == 0};
            default:
                return action::Next{static_cast<action::Next::What>(below(6)), between(-1, 1)};
        }
    }

    /// Each kind of input; most of them take more than one frame.
    void tap() {
        const KeyBinding& binding = one_of(key_table());
        const KeyChord& chord = one_of(binding.chords);
        const int key = chord.key != 0 ? chord.key : std::toupper(chord.printed);
        note("key {}", key);
        window_->tap(key, (chord.ctrl ? GLFW_MOD_CONTROL : 0) | (chord.shift ? GLFW_MOD_SHIFT : 0));
        draw();
    }
    void type_text() {
        const std::string text = random_text();
        note("text '{}'", text);
        window_->type(text);
        draw();
        if (below(2) == 0) window_->tap(GLFW_KEY_ENTER, 0);
        draw();
    }
    void use_mouse() {
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        float x = size.x * static_cast<float>(below(101)) / 100,
              y = size.y * static_cast<float>(below(101)) / 100;
        std::string name = "nothing";
        if (!ui::items().empty() && below(8) != 0) {
            const auto& item = one_of(ui::items());
            name = item.first;
            x = item.second.x + item.second.w * static_cast<float>(below(100)) / 100;
            y = item.second.y + item.second.h * static_cast<float>(below(100)) / 100;
        }
        const unsigned moves = below(3) == 0 ? between(1, 4) : 0;
        note("{} {}", moves > 0 ? "drag" : "click", name);
        window_->point_at(x, y);
        draw();
        window_->button(true);
        draw();
        for (unsigned i = 0; i < moves; ++i) {
            window_->point_at(x + static_cast<float>(between(-200, 200)),
                              y + static_cast<float>(between(-100, 100)));
            draw();
        }
        window_->button(false);
        draw();
    }
    void drop_file() {
        const std::string& path = one_of(files_);
        note("drop {}", path);
        window_->drop(path);
        draw();
    }
    void resize() {
        constexpr int kSides[] = {1, 50, 107, 200, 320, 341, 640, 800, 1280, 1920};
        const int width = one_of(kSides), height = one_of(kSides);
        note("resize {} x {}", width, height);
        window_->resize(width, height);
        draw();
    }
    void do_action() {
        const unsigned kind = below(10);
        const Action action = kind == 0   ? random_do()
                              : kind == 1 ? random_show()
                              : kind < 4  ? random_look()
                              : kind < 6  ? random_lesson()
                              : kind < 8  ? random_setting()
                                          : Action(action::FollowLink{random_link(), {}});
        const auto* to = std::get_if<action::FollowLink>(&action);
        note("action {} {}", action.index(), to != nullptr ? to->link : "");
        apply(session(), action);
        draw();
    }
    void input() {
        const unsigned kind = below(20);
        if (kind < 4) return tap();
        if (kind < 6) return type_text();
        if (kind < 12) return use_mouse();
        if (kind == 12) return drop_file();
        if (kind == 13) return resize();
        do_action();
    }

    template <class... Values>
    void note(fmt::format_string<Values...> form, Values&&... values) {
        const auto end = fmt::format_to_n(now.data(), now.size() - 1, "seed {}, input {}: {}", seed_, step_,
                                          fmt::format(form, std::forward<Values>(values)...));
        *end.out = '\0';
    }

    /// A frame, and what holds after each.
    void draw() {
        constexpr int kMostCorners = 400'000, kMostAwake = 10;
        constexpr std::size_t kMostGathered = 10;
        SCOPED_TRACE(now.data());
        const std::size_t gathered = session().store.made<EvidenceKey>();
        window_->keep_awake(1);
        if (!window_->run_frame([this] { shell_->show_frame(); })) return start_again();
        const std::vector<DeviceFacts>& devices = session().devices();
        const std::string link = link_to(state(), devices);
        ASSERT_LT(window_->corners(), kMostCorners) << link;
        ASSERT_LE(window_->frames_asked(), kMostAwake);
        ASSERT_LE(session().store.made<EvidenceKey>(), gathered + kMostGathered);
        ASSERT_EQ(
            link_to(follow_link(link, initial_state(all_scenarios().front(), 0), devices).state, devices),
            link);
    }

    /// As the next run of the program does.
    void start_again() {
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const SavedState saved = session().saved();
        ui::items().clear();
        shell_.reset();
        window_ = std::make_unique<HeadlessWindow>(static_cast<int>(size.x), static_cast<int>(size.y));
        shell_ = fresh(plain_options());
        session().restore(read_state(write_state(saved)), true);
        frame();
    }

    void expect_state_has_a_text_form() {
        SCOPED_TRACE(now.data());
        SavedState saved = session().saved();
        saved.width = std::clamp(saved.width, 320, 16384);  // the least that is kept
        saved.height = std::clamp(saved.height, 320, 16384);
        ASSERT_EQ(write_state(read_state(write_state(saved))), write_state(saved));
    }

    const unsigned seed_ = from_environment("WARPLENS_MONKEY_SEED", 1);
    unsigned step_ = 0;
    std::mt19937 random_{seed_};
    std::vector<std::string> files_;
    fs::path home_, folder_ = fs::path(testing::TempDir()) / fmt::format("warplens_monkey_{}", getpid());
};

// The second half of the walk must not hold much more memory than the first.
TEST_F(Monkey, FindsNothing) {
    constexpr std::size_t kMostGrowth = 32u << 20;
    const unsigned inputs = from_environment("WARPLENS_MONKEY_INPUTS", 1000);
    std::size_t at_half = 0;
    for (step_ = 0; step_ < inputs && !HasFatalFailure(); ++step_) {
        input();
        if (step_ % 16 == 0) expect_state_has_a_text_form();
        if (step_ % 500 == 499 || step_ + 1 == inputs / 2) start_again();
        if (step_ + 1 == inputs / 2) at_half = bytes_held();
        if (step_ % 10'000 == 9'999)
            std::fprintf(stderr, "%u inputs, %zu MiB held\n", step_ + 1, bytes_held() >> 20);
    }
    if (HasFatalFailure()) return;
    start_again();
    EXPECT_LT(bytes_held(), at_half + kMostGrowth) << "after " << inputs << " inputs with seed " << seed_;
}

}  // namespace
}  // namespace warplens::test::monkey_tests
