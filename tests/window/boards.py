"""Open the boards of traffic and roofline, change a parameter and see them follow, click a point under the roof."""
import sys

from driver import Failed, Window, run

window = Window(sys.argv[1], ["matrix-multiply?device=H200", "--cpu"])


def open_traffic():
    window.wait_for("the first frame", lambda s: s["board"] == "access")
    window.show_board("traffic")
    shown = window.wait_for("the traffic", lambda s: s["board"] == "traffic" and "board_numbers" in s)
    if "shared: loads" not in shown["board_numbers"]:
        raise Failed("tiles live in shared memory, and the numbers are %s" % shown["board_numbers"])
    window.screenshot("boards-1-traffic")


def turn_a_knob():
    before = window.shown()["board_numbers"]
    window.click("knob.variant")
    window.click("knob.variant.naive")
    shown = window.wait_for("the naive product", lambda s: s["knobs"]["variant"] == "naive")
    after = window.wait_for("other numbers", lambda s: s["board_numbers"] != before)["board_numbers"]
    if "shared: loads" in after:
        raise Failed("the naive product has no tile, and the numbers are %s" % after)
    assert shown["board"] == "traffic"
    window.screenshot("boards-2-naive")


def follow_a_point():
    window.show_board("roofline")
    shown = window.wait_for("the roofline", lambda s: s["board"] == "roofline" and s["knobs"]["variant"] == "naive")
    link = next(name for name in shown["items"] if name.startswith("link.matrix-multiply?variant=tiled&tile=16"))
    window.click(link)
    window.wait_for("the tiled product",
                    lambda s: s["knobs"]["variant"] == "tiled" and s["knobs"]["tile"] == "16" and
                    s["board"] == "roofline" and s["board_numbers"]["FLOP / requested byte"] == "4")
    window.screenshot("boards-3-followed")


def open_a_scenario_whose_subject_is_a_board():
    """Its name alone opens what the gallery opens."""
    named = Window(sys.argv[1], ["latency-hiding", "--cpu"])
    try:
        named.wait_for("its board", lambda s: s["scenario"] == "latency-hiding" and s["board"] == "flight")
        named.go_to("matrix-multiply")
        named.wait_for("the product", lambda s: s["scenario"] == "matrix-multiply" and s["board"] == "access")
        named.show_board("flight")
        named.click("board.example")
        named.wait_for("what has bytes in flight", lambda s: s["scenario"] == "latency-hiding")
    finally:
        named.close()


def steps():
    open_a_scenario_whose_subject_is_a_board()
    open_traffic()
    turn_a_knob()
    follow_a_point()


run(steps, window)
