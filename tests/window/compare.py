"""Keep a setting as A, change a parameter, read the differences, swap, take back, leave; boards; the figure."""
import json
import subprocess
import sys

from driver import Failed, Window, run

program = sys.argv[1]
window = Window(program, ["shared-tile", "--cpu", "--no-recordings"], size=(1600, 1000))


def reported(knobs):
    settings = ",".join("%s=%s" % pair for pair in knobs.items())
    out = subprocess.run([program, "report", "shared-tile", "--set", settings, "--cpu", "--json"], check=True,
                         capture_output=True)
    return json.loads(out.stdout)["warp"][0]["wavefronts"]


def keep_and_turn():
    window.wait_for("the first frame", lambda s: s["scenario"] == "shared-tile")
    window.key("b")
    window.wait_for("A is kept", lambda s: s["comparing"])
    window.drag("knob.padding", 0.03, 0.11)
    shown = window.wait_for("padding 1", lambda s: s["knobs"]["padding"] == "1" and s["knobs_of_a"]["padding"] == "0")
    row = shown["compared"]["wavefronts"]
    if (row["a"], row["b"]) != (str(reported(shown["knobs_of_a"])), str(reported(shown["knobs"]))):
        raise Failed("shown: %s" % row)
    window.screenshot("compare-1-access")


def swap():
    window.click("compare.swap")
    window.wait_for("the sides are swapped", lambda s: s["knobs"]["padding"] == "0" and s["knobs_of_a"]["padding"] == "1")
    window.key("shift+b")
    window.wait_for("and back", lambda s: s["knobs"]["padding"] == "1" and s["knobs_of_a"]["padding"] == "0")


def look_at_boards():
    for board in ("traffic", "roofline"):
        window.show_board(board)
        window.wait_for(board, lambda s: s["board"] == board and s["comparing"])
        window.screenshot("compare-2-" + board)
    window.show_board("access")


def take_back_and_leave():
    window.wait_for("access again", lambda s: s["board"] == "access")
    window.drag("knob.padding", 0.11, 0.40)
    window.wait_for("more padding", lambda s: int(s["knobs"]["padding"]) > 3)
    window.key("ctrl+z")
    window.wait_for("the parameter as before", lambda s: s["knobs"]["padding"] == "1" and s["comparing"])
    window.click("compare.leave")
    shown = window.wait_for("one picture", lambda s: not s["comparing"])
    if shown["knobs"]["padding"] != "1":
        raise Failed("what was set does not stay")
    window.click("compare")
    window.wait_for("the button compares, too", lambda s: s["comparing"])


def for_a_class():
    """In a small window the verdicts have lines of their own rather than being cut."""
    small = Window(program, ["shared-tile", "--cpu"], size=(1024, 768))
    try:
        small.wait_for("the first frame", lambda s: s["scenario"] == "shared-tile")
        small.key("b")
        small.wait_for("A is kept", lambda s: s["comparing"])
        small.drag("knob.padding", 0.03, 0.11)
        small.wait_for("padding 1", lambda s: s["knobs"]["padding"] == "1")
        small.key("F5")
        items = small.wait_for("verdicts", lambda s: s["projector"] and "verdict.a" in s["items"])["items"]
        small.screenshot("compare-3-class")
        for side in "ab":
            name, verdict = items["side." + side], items["verdict." + side]
            if verdict[1] < name[1] + name[3] / 2:
                raise Failed("side %s: the verdict at %s is beside the name at %s" % (side, verdict, name))
    finally:
        small.close()


def steps():
    for step in (keep_and_turn, swap, look_at_boards, take_back_and_leave, for_a_class):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()


run(steps, window)
