"""Read a lesson as a student would: scroll, follow links, make it wide, look a word up."""
import sys
import time

from driver import Failed, Window, run

window = Window(sys.argv[1], ["--cpu", "transpose?tab=lesson"])
PADDED = "link.transpose?variant=padded&instruction=all"
NAIVE = "link.transpose?variant=naive&instruction=all"


def top_of(item):
    return window.wait_for("item " + item, lambda s: item in s["items"])["items"][item][1]


def scroll_to(item, x=1100, y=600):
    """Turn the wheel until the item is inside the window; how far one click goes is the program's matter."""
    window.mouse("mousemove", x, y)
    for _ in range(40):
        if top_of(item) < 700:
            return
        window.mouse("click", 5)
    raise Failed("the lesson does not scroll")


def follow_a_link():
    window.wait_for("the lesson", lambda s: PADDED in s["items"])
    window.screenshot("lesson-1-narrow")
    scroll_to(PADDED)
    before = top_of(PADDED)
    window.click(PADDED, 0.5, 0.5)
    window.wait_for("the padded variant", lambda s: s["knobs"]["variant"] == "padded")
    window.screenshot("lesson-2-followed")
    if abs(top_of(PADDED) - before) > 100:
        raise Failed("the lesson went back to its beginning, although it is the same one")


def another_lesson_begins_at_its_top():
    window.click("scenario")
    window.click("scenario.shared-tile")
    window.wait_for("the tile", lambda s: s["scenario"] == "shared-tile")
    window.click("scenario")
    window.click("scenario.transpose")
    window.wait_for("the transpose", lambda s: s["scenario"] == "transpose")
    window.wait_for("its beginning", lambda s: s["items"][NAIVE][1] > 650)


def read_with_more_room():
    window.click("lesson.expand")
    window.wait_for("the text in the middle", lambda s: s["items"][NAIVE][0] < 900)
    window.screenshot("lesson-3-wide")
    window.click(NAIVE)
    window.wait_for("the naive variant", lambda s: s["knobs"]["variant"] == "naive")
    window.click("lesson.collapse")
    window.wait_for("the text at the right", lambda s: s["items"][NAIVE][0] > 900)


def look_a_word_up():
    window.key("F1")
    window.wait_for("help", lambda s: s["help"])
    window.click("help.Words")
    window.screenshot("lesson-4-words")
    scroll_to("word.broadcast", 640, 400)
    window.click("word.broadcast")
    shown = window.wait_for("its scenario", lambda s: s["scenario"] == "shared-broadcast")
    if shown["knobs"]["words"] != "1":
        raise Failed("broadcast is shown with %s words" % shown["knobs"]["words"])
    window.wait_for("help closed", lambda s: not s["help"])


def steps():
    for step in (follow_a_link, another_lesson_begins_at_its_top, read_with_more_room, look_a_word_up):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()
        time.sleep(0.1)


run(steps, window)
