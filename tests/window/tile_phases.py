"""Step, scrub and play through a tiled matrix product, point at threads and choose one: as a person would."""
import sys

from driver import Failed, Window, run

window = Window(sys.argv[1], ["global-stride?board=phases", "--cpu"])


def step_with_buttons_and_keys():
    window.wait_for("the board", lambda s: s["board"] == "phases" and s["boards"]["phases.step"] == 0)
    window.click("phases.next")
    window.wait_for("the second step", lambda s: s["boards"]["phases.step"] == 1)
    window.key("period")
    window.wait_for("the third step", lambda s: s["boards"]["phases.step"] == 2)
    window.key("comma")
    window.wait_for("the second step again", lambda s: s["boards"]["phases.step"] == 1)
    window.click("phases.back")
    window.wait_for("the first step", lambda s: s["boards"]["phases.step"] == 0)


def scrub():
    window.drag("phases.scrub", 0.03, 0.6)
    window.wait_for("a step in the middle", lambda s: 4 <= s["boards"]["phases.step"] <= 8)
    window.screenshot("1-scrubbed")
    window.drag("phases.scrub", 0.6, 0.0)
    window.wait_for("the start", lambda s: s["boards"]["phases.step"] == 0)


def point_and_choose():
    for x, y in ((0.66, 0.33), (0.66, 0.36), (0.66, 0.39), (0.66, 0.42), (0.6, 0.39), (0.6, 0.42)):  # C's corner
        window.move("board.picture", x, y)
        try:
            shown = window.wait_for("a thread under the mouse", lambda s: s["hovered_lane"] >= 1, patience=1.5)
        except Failed:
            continue
        window.screenshot("2-pointed")
        window.click("board.picture", x, y)
        window.wait_for("that thread to be chosen", lambda s: s["boards"]["phases.thread"] == shown["hovered_lane"])
        return
    raise Failed("no thread was found under the mouse")


def play_to_the_end():
    window.drag("phases.scrub", 0.0, 0.6)
    window.wait_for("a step in the middle", lambda s: s["boards"]["phases.step"] >= 4)
    window.click("phases.play")
    window.wait_for("playing", lambda s: s["playing"])
    window.key("space")
    shown = window.wait_for("a pause", lambda s: not s["playing"])
    window.key("space")
    window.wait_for("the next step", lambda s: s["boards"]["phases.step"] > shown["boards"]["phases.step"])
    window.wait_for("the end", lambda s: not s["playing"] and s["boards"]["phases.step"] == 10)
    window.screenshot("3-end")


def choose_a_tile():
    window.click("knob.phases.tile.4")
    window.wait_for("one phase of eight steps at most", lambda s: s["boards"]["phases.step"] <= 7)


def steps():
    for step in (step_with_buttons_and_keys, scrub, point_and_choose, play_to_the_end, choose_a_tile):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()


run(steps, window)
