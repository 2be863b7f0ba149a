"""Drag a parameter on a machine with a GPU: the cells come from a kernel, and the plot fills with measured points."""
import sys

from driver import Failed, Window, run

window = Window(sys.argv[1], [])


def counters_agree(what, least):
    """All counters are read, and those that are counted from addresses are equal."""
    shown = window.wait_for("the counters " + what, lambda s: len(s["counters"]) >= least
                            and all(c["counted"] for c in s["counters"].values()), patience=60)
    for name, counter in shown["counters"].items():
        if counter["verdict"] != "equal" and not name.startswith("DRAM"):
            raise Failed("%s %s: expected %s, counted %s" % (name, what, counter["expected"], counter["counted"]))
    print("counters", what + ":", {n: c["counted"] for n, c in shown["counters"].items()}, flush=True)


def steps():
    shown = window.wait_for("the GPU", lambda s: s["gpu"] and s["device"] == s["gpu"])
    print("GPU:", shown["gpu"], "| drawing:", shown["drawing"], flush=True)
    if shown["drawing"] not in ("CUDA-OpenGL interop", "copy through the host"):
        raise Failed("the cells are filled by: " + shown["drawing"])
    window.wait_for("a whole curve of measured points", lambda s: s["measured_points"] >= 60, patience=60)
    window.screenshot("gpu-1-curve")
    window.choose("numbers.more", "scope", "scope.counters")
    counters_agree("of the first setting", 10)
    window.screenshot("gpu-4-counters")
    window.choose("focus.list", "focus.0")
    window.drag("knob.stride", 0.05, 0.40)
    shown = window.wait_for("the new stride", lambda s: int(s["knobs"]["stride"]) > 10)
    window.drag("knob.offset", 0.03, 0.5)
    window.wait_for("the new offset", lambda s: int(s["knobs"]["offset"]) > 5)
    shown = window.wait_for("the measured points of the new offset",
                            lambda s: s["measured_points"] >= 60 and s["jobs_waiting"] == 0, patience=60)
    print("measured points:", shown["measured_points"], flush=True)
    counters_agree("of the new offset", 10)
    window.choose("plot.open", "cold")
    window.wait_for("the curve of cold caches", lambda s: s["cold"] and s["measured_points"] >= 60
                    and s["jobs_waiting"] == 0, patience=60)
    window.click("cold")
    window.click("second")
    window.click("second.element")
    window.wait_for("all cells of the heatmap", lambda s: s["second_axis"] == "element" and s["jobs_waiting"] == 0,
                    patience=120)
    window.click("show.difference")
    window.screenshot("gpu-5-heatmap")
    window.click("second")
    window.click("second.none")
    window.go_to("shared-stride")
    window.wait_for("shared memory measured", lambda s: s["scenario"] == "shared-stride" and s["measured_points"] >= 60,
                    patience=60)
    window.screenshot("gpu-2-shared")
    window.go_to("transpose")
    window.wait_for("the transpose measured", lambda s: s["scenario"] == "transpose" and s["jobs_waiting"] == 0
                    and s["measured_points"] >= 3, patience=60)
    window.screenshot("gpu-3-transpose")
    window.key("ctrl+n")
    window.wait_for("a kernel of one's own", lambda s: s["scenario"] == "kernel" and "editor.run" in s["items"])
    window.click("editor.run")
    window.wait_for("its time", lambda s: s["measured_points"] >= 1, patience=60)
    window.choose("scope", "scope.counters")
    counters_agree("of the typed kernel", 6)
    window.screenshot("gpu-6-kernel")


run(steps, window)
