"""Take a course from the first to the last step and a quiz to its table of answers, as a student would."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

from driver import Failed, Window, run

program = sys.argv[1]
state_home = tempfile.TemporaryDirectory(prefix="warplens-course-")
COURSE = "coalescing"


def open_window():
    return Window(program, ["--cpu"], state_home=state_home.name)


window = open_window()


def course_now(shown):
    if shown["course"] is None:
        raise KeyError("no course is open")
    return shown["course"]


def wait_for_step(step):
    return window.wait_for("step %d" % step, lambda s: course_now(s)["step"] == step)


def picture(name):
    """Of what is on screen once it has been drawn."""
    if "WARPLENS_SCREENSHOTS" in os.environ:
        window.xdotool("mousemove", 640, 796)  # no tooltip over what is shown
        time.sleep(0.5)
        window.screenshot(name)


def type_into(field, text):
    """Letter by letter, in place of what stands there; a field that has just been clicked takes a frame to listen."""
    window.click(field)
    window.key("ctrl+a")
    window.xdotool("type", "--delay", "60", text)
    window.frames()


def open_the_course():
    window.wait_for("the first frame", lambda s: "learn" in s["items"])
    window.click("learn")
    window.place("learn.open." + COURSE)
    picture("course-1-menu")
    window.click("learn.open." + COURSE)
    shown = wait_for_step(0)
    if shown["knobs"]["stride"] != "1" or shown["knobs"]["op"] != "load":
        raise Failed("the first step did not set the window up: %s" % shown["knobs"])
    picture("course-2-first-step")


def reach_a_goal_by_hand():
    """The stride's slider, held at its handle and pulled until two words lie between neighbours."""
    window.move("knob.stride", 0.05)
    window.mouse("mousedown", 1)
    for i in range(40):
        window.move("knob.stride", 0.05 + i * 0.004)
        if window.shown()["knobs"]["stride"] == "2":
            break
    window.mouse("mouseup", 1)
    window.wait_for("the goal", lambda s: course_now(s)["done"])
    picture("course-3-goal")


def answer_before_it_is_shown():
    window.click("course.next")
    shown = wait_for_step(1)
    if not shown["counts_hidden"]:
        raise Failed("the counts are to be guessed, and can be seen")
    picture("course-4-question")
    type_into("guess.count", "16")
    window.key("Return")
    window.wait_for("the answer", lambda s: not s["counts_hidden"] and course_now(s)["done"])
    picture("course-5-compared")


def come_back_another_day():
    """Progress is kept from run to run."""
    global window
    window.process.terminate()  # as a desktop that is shut down does; what is kept is what Ctrl+Q keeps
    if window.process.wait(30) != 0:
        raise Failed("the program ended with exit code %s" % window.process.returncode)
    window.close()
    window = open_window()
    shown = wait_for_step(1)
    if course_now(shown)["done_count"] != 2:
        raise Failed("of two done steps %d were kept" % course_now(shown)["done_count"])


def the_rest_with_keys_and_help():
    """Page down goes on; each step is done by its own button: the guess is made, or the program shows how."""
    step = 1
    while True:
        window.key("Next")
        step += 1
        shown = window.wait_for("the next step, or the end",
                                lambda s: s["course"] is None or s["course"]["step"] == step)
        if shown["course"] is None:
            break
        if shown["counts_hidden"]:
            window.place("guess.check")
            for field in ("guess.count", "guess.speed"):
                place = shown["items"].get(field)
                if place is None or not is_fresh(field):
                    continue
                type_into(field, "5")
                break
            window.key("Return")
            window.wait_for("the numbers", lambda s: not s["counts_hidden"])
            picture("course-step-%02d" % (step + 1))
        else:
            picture("course-step-%02d" % (step + 1))
            window.click("course.show")
        window.wait_for("the step done", lambda s: course_now(s)["done"])
    window.click("learn")
    window.place("learn.reset." + COURSE)
    picture("course-6-all-done")
    window.click("learn.reset." + COURSE)


def is_fresh(field):
    """Items keep their last place: whether this field is among those of the present step is seen from its neighbour."""
    shown = window.shown()
    check = shown["items"]["guess.check"]
    place = shown["items"][field]
    return 0 < check[1] - place[1] < 60


def begin_the_quiz():
    """In the menu that is still open."""
    window.click("quiz.count.5")
    type_into("quiz.seed", "42")
    window.click("quiz.start")
    shown = window.wait_for("the quiz", lambda s: s["quiz"] is not None)
    if shown["quiz"]["seed"] != 42 or not shown["counts_hidden"]:
        raise Failed("the quiz did not begin as it should: %s" % shown["quiz"])


def answers_of_the_seed():
    out = subprocess.run([program, "quiz", "--seed", "42", "--count", "5", "--json", "--answers"], check=True,
                         capture_output=True)
    return [question["right_answer"] for question in json.loads(out.stdout)["questions"]]


def answer_all_but_one():
    right = answers_of_the_seed()
    for number, answer in enumerate(right):
        shown = window.wait_for("question %d" % (number + 1),
                                lambda s: s["quiz"]["at"] == number and s["counts_hidden"])
        picture("quiz-%d-question" % (number + 1))
        choices = shown["quiz"]["choices"]
        if choices:
            given = answer if number != 1 else next(c for c in choices if c != answer)
            window.click("quiz.choice." + given)
        else:
            type_into("quiz.answer", answer if number != 1 else "9999")
            window.key("Return")
        window.wait_for("it is answered", lambda s: s["quiz"]["answered"] == number + 1 and not s["counts_hidden"])
        picture("quiz-%d-answered" % (number + 1))
        window.click("quiz.next")
    shown = window.wait_for("the result", lambda s: s["quiz"]["finished"])
    if shown["quiz"]["score"] != len(right) - 1:
        raise Failed("%d of %d are right, one was answered wrong" % (shown["quiz"]["score"], len(right)))


def write_the_answers():
    path = os.path.join(state_home.name, "answers.csv")
    type_into("quiz.csv_path", path)
    window.click("quiz.write")
    window.wait_for("the file", lambda s: s["quiz"]["written"].startswith("Written"))
    picture("quiz-6-written")
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if [row["correct"] for row in rows] != ["yes", "no", "yes", "yes", "yes"]:
        raise Failed("the table says: %s" % rows)
    if [row["right_answer"] for row in rows] != answers_of_the_seed():
        raise Failed("the table has other right answers than the command line")
    if sum(int(row["points"]) for row in rows) != 4 or rows[0]["seed"] != "42":
        raise Failed("the table says: %s" % rows)
    window.click("quiz.leave")
    window.wait_for("the end of the quiz", lambda s: s["quiz"] is None)


def guess_before_every_number():
    window.choose("learn", "predict_first")
    window.key("Escape")
    window.wait_for("hidden numbers", lambda s: s["counts_hidden"])
    picture("predict-1-hidden")
    window.click("guess.give_up")
    window.wait_for("the numbers", lambda s: not s["counts_hidden"])
    window.click("predict_first")
    window.wait_for("the usual", lambda s: not s["predict_first"])


def steps():
    for step in (open_the_course, reach_a_goal_by_hand, answer_before_it_is_shown, come_back_another_day,
                 the_rest_with_keys_and_help, begin_the_quiz, answer_all_but_one, write_the_answers,
                 guess_before_every_number):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()
        time.sleep(0.1)


class Open:
    """The window that is open at the end."""
    @staticmethod
    def close():
        window.close()


run(steps, Open)
