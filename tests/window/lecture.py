"""Give the lecture that ships, from its menu to the last stop, with the keys that a clicker sends."""
import json
import os
import sys
import tempfile
from urllib.parse import parse_qsl

from driver import Failed, Window, run

program = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "..", "..", "assets", "demos", "padding.json"), encoding="utf-8") as file:
    stops = json.load(file)["stops"]
home = tempfile.TemporaryDirectory(prefix="warplens-lecture-")
# With pixels, because Mesa 25 crashes when the second window closes over a driver that draws nothing.
window = Window(program, ["--cpu"], state_home=home.name, pixels=True)


def at_stop(number):
    """All that the link of a stop sets is shown, the class reads no note, and the lecturer does."""
    link = stops[number]["link"]
    scenario, _, query = link.partition("?")
    settings = dict(parse_qsl(query))

    def holds(shown):
        told = {key: shown["knobs"][key] for key in settings if key in shown["knobs"]}
        return (shown["scenario"] == scenario and shown["demo"]["at"] == number and not shown["demo"]["ended"]
                and all(str(told[key]) == settings[key] for key in told)
                and shown["comparing"] == ("compare" in settings) and shown["projector"]
                and shown["notes"].startswith("Stop %d of %d" % (number + 1, len(stops)))
                and not shown["demo"]["note"])

    shown = window.wait_for("stop %d, %s" % (number + 1, link), holds)
    window.screenshot("lecture-%02d" % (number + 1))
    return shown


def open_the_demo():
    window.wait_for("the first frame", lambda s: s["frame"] > 0)
    window.key("d")
    window.click("demo.shipped.padding")
    window.wait_for("the first stop", lambda s: s["demo"]["playing"] and s["demo"]["at"] == 0)
    window.wait_for("its note", lambda s: s["demo"]["note"])


def notes_beside():
    window.key("shift+t")
    window.wait_for("the notes", lambda s: s["notes"].startswith("Stop 1 of"))
    window.xdotool("search", "--sync", "--name", "^Warplens: notes$")
    window.wait_for("no note for the class", lambda s: not s["demo"]["note"])


def go_through_all_stops():
    window.key("F5")
    at_stop(0)
    for number in range(1, len(stops)):
        window.key("Next")
        at_stop(number)


def do_what_lecturers_do():
    window.key("b")
    window.wait_for("a black screen", lambda s: s["black"])
    window.key("b")
    window.wait_for("the picture again", lambda s: not s["black"])
    for _ in range(len(stops) - 3):  # "Could you go back to that?"
        window.key("Prior")
    shown = at_stop(2)
    if shown["player_step"] != 0:
        raise Failed("the third stop shows wavefront %s" % shown["player_step"])
    for step in (1, 2, 3):
        window.key("period")
        window.wait_for("wavefront %d" % step, lambda s, step=step: s["player_step"] == step)
    window.key("Right")
    at_stop(3)
    window.key("Left")
    if at_stop(2)["player_step"] != 0:
        raise Failed("a stop comes back as it was left, not as it was recorded")


def end():
    for number in range(3, len(stops)):
        window.key("Next")
        at_stop(number)
    window.key("Next")
    window.wait_for("the end", lambda s: s["demo"]["ended"] and s["notes"].startswith("The end"))
    window.key("Escape")
    window.wait_for("all panels", lambda s: not s["projector"])
    window.key("shift+t")
    window.wait_for("no second window", lambda s: s["notes"] == "")
    window.wait_for("the note at the desk", lambda s: s["demo"]["note"])
    window.key("ctrl+q")
    if window.process.wait(20) != 0:
        raise Failed("the program ended with exit code %s" % window.process.returncode)


def steps():
    for step in (open_the_demo, notes_beside, go_through_all_stops, do_what_lecturers_do, end):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()


class All:
    def close(self):
        window.close()
        home.cleanup()


run(steps, All())
