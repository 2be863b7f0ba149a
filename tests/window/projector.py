"""Present with a clicker's keys, in projector mode; then the tour of a first start, with mouse and keys."""
import os
import sys
import tempfile

from driver import Failed, Window, run

program = sys.argv[1]
window = Window(program, ["shared-stride", "--cpu"])
home = tempfile.TemporaryDirectory(prefix="warplens-first-")
first = None
second = None


def present():
    shown = window.wait_for("the first frame", lambda s: s["scenario"] == "shared-stride")
    if shown["projector"]:
        raise Failed("projector mode is on from the beginning")
    window.key("F5")
    window.wait_for("projector mode on the full screen", lambda s: s["projector"] and s["full_screen"])
    window.screenshot("projector-1")
    before = window.shown()["knobs"]
    window.key("Next")
    shown = window.wait_for("the next preset", lambda s: s["knobs"] != before and s["scenario"] == "shared-stride")
    window.key("Prior")
    window.wait_for("the preset before", lambda s: s["knobs"] == before)
    window.key("period")
    window.wait_for("the first wavefront", lambda s: s["player_step"] == 0)
    window.key("r")
    window.wait_for("the defaults", lambda s: s["knobs"]["stride"] == before["stride"])


def go_on_to_the_next_scenario():
    seen = set()
    for _ in range(20):
        knobs = window.shown()["knobs"]
        seen.add(window.shown()["scenario"])
        if len(seen) > 1:
            break
        window.key("Next")
        window.wait_for("another stop", lambda s: s["knobs"] != knobs)
    if len(seen) < 2:
        raise Failed("after the last preset no other scenario came: %s" % seen)
    window.click("present.previous")
    window.wait_for("back in the first scenario", lambda s: s["scenario"] == "shared-stride")
    window.screenshot("projector-2")
    window.key("Escape")
    window.wait_for("all panels in a window", lambda s: not s["projector"] and not s["full_screen"])
    window.click("menu")
    window.click("projector")
    window.wait_for("projector mode by its button", lambda s: s["projector"] and not s["full_screen"])
    window.click("present.leave")
    window.wait_for("all panels", lambda s: not s["projector"])


def more_keys():
    window.key("2")
    window.wait_for("the second board", lambda s: s["board"] == "traffic")
    window.key("1")
    window.wait_for("the first board", lambda s: s["board"] == "access")
    window.key("n")
    shown = window.wait_for("the next scenario", lambda s: s["scenario"] != "shared-stride")
    window.key("shift+n")
    window.wait_for("the scenario before", lambda s: s["scenario"] == "shared-stride")
    window.drag("knob.stride", 0.05, 0.6)
    window.wait_for("a larger stride", lambda s: int(s["knobs"]["stride"]) > 10)
    window.move("knob.stride", 0.6)
    window.key("Delete")
    shown = window.wait_for("its default", lambda s: int(s["knobs"]["stride"]) < 10)
    window.key("ctrl+z")
    window.wait_for("the larger stride again", lambda s: int(s["knobs"]["stride"]) > 10)
    window.double_click("label.stride", "its default again",
                        lambda s: s["knobs"]["stride"] == shown["knobs"]["stride"])
    window.key("m")
    window.wait_for("the messages", lambda s: s["messages"])
    window.key("Escape")
    window.wait_for("no messages", lambda s: not s["messages"])
    window.close()


def be_shown_round():
    global first
    first = Window(program, ["--cpu"], state_home=home.name, first_start=True)
    first.wait_for("the start page of the first start", lambda s: s["start_page"] and s["tour"] == -1)
    first.screenshot("start-page")
    first.click("start.shared-tile")
    first.wait_for("what was chosen, and the tour of its parts",
                   lambda s: s["tour"] == 0 and s["scenario"] == "shared-tile" and not s["start_page"])
    first.screenshot("tour-1")
    first.click("tour.next")
    first.wait_for("the second card", lambda s: s["tour"] == 1)
    first.key("Next")
    first.wait_for("the third card", lambda s: s["tour"] == 2)
    first.key("Left")
    first.wait_for("the second card again", lambda s: s["tour"] == 1)
    first.click("tour.skip")
    first.wait_for("no tour", lambda s: s["tour"] == -1)
    first.key("ctrl+q")
    first.process.wait(20)
    if not os.path.exists(os.path.join(home.name, "warplens", "state.json")):
        raise Failed("nothing was kept")


def not_a_second_time():
    global second
    second = Window(program, ["--cpu"], state_home=home.name, first_start=True)
    second.wait_for("the window as it was left", lambda s: s["tour"] == -1 and not s["start_page"]
                    and s["scenario"] == "shared-tile")
    second.key("F1")
    second.wait_for("the page of keys", lambda s: s["help"])
    second.screenshot("keys")
    second.click("help.tour")
    second.wait_for("the tour, asked for", lambda s: s["tour"] == 0 and not s["help"])
    second.key("Escape")
    second.wait_for("no tour", lambda s: s["tour"] == -1)


def steps():
    for step in (present, go_on_to_the_next_scenario, more_keys, be_shown_round, not_a_second_time):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()


class All:
    """Whichever of the windows were opened."""

    def close(self):
        for one in (window, first, second):
            if one is not None:
                one.close()
        home.cleanup()


run(steps, All())
