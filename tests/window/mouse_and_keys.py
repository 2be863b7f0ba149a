"""Pick a space and a scenario, turn parameters, read the numbers, point at lanes, press keys: as a person would."""
import json
import subprocess
import sys

from driver import Failed, Window, run

program = sys.argv[1]
window = Window(program, ["--cpu"])


def reported(scenario, knobs, instruction=0, level="warp"):
    settings = ",".join("%s=%s" % pair for pair in knobs.items())
    out = subprocess.run([program, "report", scenario, "--set", settings, "--cpu", "--json"], check=True, capture_output=True)
    return json.loads(out.stdout)[level][instruction]


def plain(number):
    return "".join(c for c in number if c.isdigit())


def expect(what, shown, wanted):
    if str(shown) != str(wanted):
        raise Failed("%s: the window shows %s, the command line says %s" % (what, shown, wanted))


def drag_stride():
    first = window.wait_for("the first frame", lambda s: s["scenario"] == "global-stride")
    window.choose("focus.list", "focus.0")
    window.drag("knob.stride", 0.05, 0.55)
    shown = window.wait_for("a larger stride", lambda s: int(s["knobs"]["stride"]) > 20)
    expect("sectors", plain(shown["numbers"]["sectors"]), reported("global-stride", shown["knobs"])["sectors"])
    assert first["numbers"] != shown["numbers"]
    window.screenshot("1-stride")


def pick_a_tile():
    window.go_to("shared-tile")
    shown = window.wait_for("the tile", lambda s: s["scenario"] == "shared-tile")
    expect("wavefronts", shown["numbers"]["wavefronts"], 32)
    window.drag("knob.padding", 0.03, 0.11)
    shown = window.wait_for("padding 1", lambda s: s["knobs"]["padding"] == "1")
    expect("wavefronts", shown["numbers"]["wavefronts"], 1)
    window.screenshot("2-padding")


def play_wavefronts():
    window.drag("knob.padding", 0.11, 0.0)
    window.wait_for("padding 0", lambda s: s["knobs"]["padding"] == "0")
    window.key("period")
    window.wait_for("the first wavefront", lambda s: s["player_step"] == 0)
    window.click("player.next")
    window.wait_for("the second wavefront", lambda s: s["player_step"] == 1)
    window.screenshot("3-wavefront")
    window.click("player.all")
    window.wait_for("all wavefronts", lambda s: s["player_step"] == -1)


def point_at_lanes():
    window.go_to("global-stride")
    window.wait_for("the global scenario", lambda s: s["scenario"] == "global-stride")
    for y in (0.04, 0.07, 0.10, 0.14, 0.18, 0.22, 0.26):
        window.move("picture.0", 0.45, y)  # not between the halves of the warp
        try:
            window.wait_for("a lane under the mouse", lambda s: s["hovered_lane"] >= 0, patience=1.5)
            break
        except Failed:
            continue
    else:
        raise Failed("no lane was found under the mouse")
    window.screenshot("4-lane")


def click_the_plot():
    window.click("plot", 0.8, 0.6)
    shown = window.wait_for("a stride from the plot", lambda s: int(s["knobs"]["stride"]) > 40)
    expect("sectors", plain(shown["numbers"]["sectors"]), reported("global-stride", shown["knobs"])["sectors"])


def scopes_and_the_device():
    window.choose("numbers.more", "scope", "scope.grid")
    shown = window.wait_for("the grid's numbers", lambda s: len(plain(s["numbers"]["requests"])) > 3)
    expect("sectors of the grid", plain(shown["numbers"]["sectors"]),
           reported("global-stride", shown["knobs"], level="grid")["sectors"])
    window.choose("scope", "scope.warp")


def press_keys():
    window.key("ctrl+equal")
    window.wait_for("a larger scale", lambda s: s["scale"] > 1.05)
    window.screenshot("5-larger")
    window.key("ctrl+0")
    window.wait_for("the first scale", lambda s: s["scale"] == 1)
    window.key("ctrl+t")
    window.wait_for("the light theme", lambda s: s["theme"] == "light")
    window.screenshot("6-light")
    window.key("F1")
    window.wait_for("help", lambda s: s["help"])
    window.screenshot("7-help")
    window.key("Escape")
    window.wait_for("help closed", lambda s: not s["help"])
    window.click("knobs.more")
    for lane_row in (0.25,):
        window.click("knob.mask", 0.03, lane_row)
    window.wait_for("lane 0 switched off", lambda s: s["knobs"]["mask"] == "0xfffffffe")
    window.click("reset")
    window.wait_for("defaults", lambda s: s["knobs"]["mask"] == "0xffffffff" and s["knobs"]["stride"] == "1")


def walk_through_all():
    """Tab goes round: presets, sliders, lists, boards, the one thing to try, the picture, the plot, words."""
    seen = []
    while len(seen) < 80:
        window.key("Tab")
        name = window.wait_for("a control with the keyboard", lambda s: s["keyboard"] not in ["", *seen[-1:]])["keyboard"]
        if seen and name == seen[0]:
            break
        seen.append(name)
    for name in ("menu", "preset.coalesced", "knob.stride", "knobs.more", "board.traffic", "picture.0", "plot.open", "tab.Code"):
        if name not in seen:
            raise Failed("Tab does not come to %s, only to %s" % (name, seen))
    if len(seen) > 60:
        raise Failed("Tab does not come round: %s" % seen)
    at = seen.index("knob.stride")
    for _ in range(at):
        window.key("Tab")
    window.wait_for("the slider", lambda s: s["keyboard"] == "knob.stride")
    window.key("Right")
    window.wait_for("the next stride", lambda s: s["knobs"]["stride"] == "2")
    window.key("shift+Tab")
    window.wait_for("the control before", lambda s: s["keyboard"] == seen[at - 1])
    window.click("verdict")  # the mouse takes over again


def steps():
    for step in (drag_stride, pick_a_tile, play_wavefronts, point_at_lanes, click_the_plot, scopes_and_the_device,
                 press_keys, walk_through_all):
        print("step:", step.__name__.replace("_", " "), flush=True)
        step()


run(steps, window)
