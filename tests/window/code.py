"""Read the code as a student would: a line to its picture, more room, the head unfolded; then the questions of Choose."""
import sys
import time

from driver import Failed, Window, run

window = Window(sys.argv[1], ["--cpu", "transpose?variant=padded&instruction=all&tab=code"], size=(1280, 720))
LINE = "code.%d"  # of an instruction


def scroll_to(item, x):
    """Turn the wheel over the code until the item can be clicked."""
    window.mouse("mousemove", x, 620)
    for _ in range(80):
        top = window.shown()["items"][item][1]
        if 400 < top < 640:
            return
        window.mouse("click", 5 if top >= 640 else 4)
        time.sleep(0.05)


def a_line_brings_its_picture():
    window.wait_for("the code", lambda s: LINE % 2 in s["items"])
    window.screenshot("code-1-all")
    scroll_to(LINE % 2, 1100)
    window.click(LINE % 2)
    window.wait_for("the third picture alone", lambda s: s["focus"] == 2)
    scroll_to(LINE % 0, 1100)
    window.click(LINE % 0)
    window.wait_for("the first one", lambda s: s["focus"] == 0)
    window.screenshot("code-2-first")


def more_room():
    left = window.shown()["items"][LINE % 0][0]
    window.click("lesson.expand")
    window.wait_for("the code in the middle", lambda s: s["items"][LINE % 0][0] < left - 200)
    window.screenshot("code-3-wide")
    window.click("lesson.collapse")
    window.wait_for("the code at the right", lambda s: s["items"][LINE % 0][0] == left)
    time.sleep(0.5)  # the next click is not the second half of a double click


def unfold_the_head():
    window.click("lesson.expand")
    window.wait_for("the code in the middle", lambda s: s["items"][LINE % 0][0] < 900)
    scroll_to("code.head", 600)
    shown = window.shown()["items"]
    distance = shown[LINE % 0][1] - shown["code.head"][1]
    window.click("code.head")
    window.wait_for("its lines", lambda s: s["items"][LINE % 0][1] - s["items"]["code.head"][1] > distance + 50)
    window.screenshot("code-4-head")


def answer_questions():
    window.show_board("choose")
    window.wait_for("the first question", lambda s: "choose.answer.1" in s["items"])
    for number, answer in enumerate((1, 2, 0, 1)):
        window.click("choose.answer.%d" % answer)
        window.wait_for("an answer", lambda s, n=number: len(str(s["boards"]["choose.path"])) == n + 1)
    shown = window.wait_for("the end", lambda s: "choose.show" in s["items"])
    if shown["boards"]["choose.path"] != 2312:
        raise Failed("the answers are %s" % shown["boards"]["choose.path"])
    window.screenshot("code-5-end")


def back_and_again():
    window.click("choose.step.1")
    window.wait_for("the second question", lambda s: s["boards"]["choose.path"] == 2)
    window.key("ctrl+z")
    window.wait_for("taken back", lambda s: s["boards"]["choose.path"] == 2312)
    window.click("choose.again")
    window.wait_for("the first question", lambda s: s["boards"]["choose.path"] == 0)


def to_the_scenario():
    window.click("choose.answer.0")
    window.wait_for("the end", lambda s: "choose.show" in s["items"])
    window.click("choose.show")
    window.wait_for("the scenario", lambda s: s["board"] == "access" and s["scenario"] == "transpose")


def steps():
    for step in (a_line_brings_its_picture, more_room, unfold_the_head, answer_questions, back_and_again, to_the_scenario):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()
        time.sleep(0.1)


run(steps, window)
