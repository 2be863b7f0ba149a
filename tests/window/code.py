"""Read the code as a student would: a line to its picture, a helper unfolded, more room; then the questions of Choose."""
import sys
import time

from driver import Failed, Window, run

window = Window(sys.argv[1], ["--cpu", "transpose?variant=padded&instruction=all&tab=code"], size=(1280, 720))
STEPS, KERNEL = "code.0.%d", "code.2.%d"  # app/code/code_page.h, CodePart


def a_line_brings_its_picture():
    window.wait_for("the code", lambda s: STEPS % 2 in s["items"])
    window.screenshot("code-1-all")
    window.click(STEPS % 2)
    window.wait_for("the third picture alone", lambda s: s["focus"] == 2)
    window.click(STEPS % 0)
    window.wait_for("the first one", lambda s: s["focus"] == 0)
    window.screenshot("code-2-first")


def more_room():
    left = window.shown()["items"][STEPS % 0][0]
    window.click("lesson.expand")
    window.wait_for("the code in the middle", lambda s: s["items"][STEPS % 0][0] < left - 200)
    window.screenshot("code-3-wide")
    window.click("lesson.collapse")
    window.wait_for("the code at the right", lambda s: s["items"][STEPS % 0][0] == left)
    time.sleep(0.5)  # the next click is not the second half of a double click


def unfold_a_helper():
    window.click("lesson.expand")
    window.wait_for("the code in the middle", lambda s: s["items"][STEPS % 0][0] < 900)
    upper, lower = "code.head.rows_of_block", "code.head.tile_element"
    shown = window.wait_for("helpers", lambda s: lower in s["items"])
    distance = shown["items"][lower][1] - shown["items"][upper][1]
    window.mouse("mousemove", 600, 600)
    for _ in range(40):
        if window.shown()["items"][upper][1] < 600:
            break
        window.mouse("click", 5)
    window.click(upper)
    window.wait_for("its lines", lambda s: s["items"][lower][1] - s["items"][upper][1] > 2 * distance)
    window.screenshot("code-4-helper")


def answer_questions():
    window.click("board.choose")
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
    for step in (a_line_brings_its_picture, more_room, unfold_a_helper, answer_questions, back_and_again, to_the_scenario):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()
        time.sleep(0.1)


run(steps, window)
