#!/usr/bin/env python3
"""Compare what the model predicts with what Nsight Compute counted, launch by launch.

    K='regex:^(replay_kernel|gather|convolve|naive_kernel|tiled_kernel|blocked_kernel|spill)$'
    ncu --csv --page raw --log-file counters.csv --clock-control none --kernel-name-base function \
        --kernel-name "$K" --metrics "$(compare_counters.py --metrics)" replay_settings > settings.csv
    compare_counters.py settings.csv counters.csv

Prints a Markdown table. Exit code: 0 everything as predicted, 1 something differs, 2 the files do not fit together.

Counts must be equal, with two exceptions that the settings name: where several warps share an SM (alone = 0), shared
wavefronts may exceed the model by --tolerance, because warps get in each other's way; where some warp has no active lane
(idle = 1), its instruction still counts as executed, though it is no request. Spills are the assembler's: their counts
are recorded from its report, which does not tell what happens inside the loop from what stands round it: "recorded"
marks those that differ.

Kernels read their arguments from constant memory too. Where a setting is followed by the same one with a single word,
what that one counts beyond its one word is subtracted.
"""
import argparse
import csv
import sys

VERDICTS = ["equal", "within", "recorded", "DIFFERS"]
ONE_WORD = " words=1"  # the same setting with one word for all lanes
CONSTANT = "idc__requests.sum"
SHARED_WAVEFRONTS = "wavefronts_mem_shared"
EXECUTED = "inst_executed"
METRICS = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "smsp__inst_executed_op_ldsm.sum",
    "idc__requests.sum",
    "l1tex__t_requests_pipe_tex_mem_texture.sum",
    "l1tex__t_sectors_pipe_tex_mem_texture.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
]


def number(text):
    """A count as ncu writes it: 65,536 or 65536 or 65536.0."""
    return round(float(text.replace(",", "")))


def read_counters(path):
    """Launches in order, each a dict from metric to count. Takes both of ncu's CSV pages, raw and details."""
    with open(path, newline="") as file:
        lines = [line for line in file if not line.startswith("==")]
    start = next((i for i, line in enumerate(lines) if line.lstrip('"').startswith("ID")), None)
    if start is None:
        sys.exit(f"{path}: no line begins with ID; was ncu run with --csv and --log-file?")
    launches = {}
    for row in csv.DictReader(lines[start:]):
        if not row["ID"]:  # the raw page's second line: units
            continue
        launch = launches.setdefault(int(row["ID"]), {})
        if "Metric Name" in row:
            launch[row["Metric Name"]] = number(row["Metric Value"])
        else:
            launch.update({name: number(row[name]) for name in METRICS if row.get(name)})
    return [launches[key] for key in sorted(launches)]


def read_settings(path):
    with open(path, newline="") as file:
        lines = [line for line in file if not line.startswith("==")]
    return list(csv.DictReader(lines))


def judge(setting, metric, predicted, measured, tolerance):
    """One of VERDICTS."""
    if predicted == measured:
        return "equal"
    if EXECUTED in metric and setting["idle"] == "1" and measured > predicted:
        return "within"
    if setting["setting"].startswith("local-spill"):
        return "recorded"
    if SHARED_WAVEFRONTS in metric and setting["alone"] == "0" and predicted < measured <= predicted * (1 + tolerance):
        return "within"
    return "DIFFERS"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("settings", nargs="?")
    parser.add_argument("counters", nargs="?")
    parser.add_argument("--tolerance", type=float, default=0.1, help="see above; default 0.1")
    parser.add_argument("--metrics", action="store_true", help="print the metrics for ncu and stop")
    options = parser.parse_args()
    if options.metrics:
        print(",".join(METRICS))
        return 0
    if not options.counters:
        parser.error("two files are needed")
    settings, launches = read_settings(options.settings), read_counters(options.counters)
    if len(settings) != len(launches):
        print(f"{len(settings)} settings but {len(launches)} launches were counted", file=sys.stderr)
        return 2

    totals = dict.fromkeys(VERDICTS, 0)
    by_scenario = {}
    print("| setting | counter | model | GPU | |\n|---|---|---:|---:|---|")
    for index, (setting, launch) in enumerate(zip(settings, launches)):
        if setting["setting"].endswith(ONE_WORD):
            continue
        if index + 1 < len(settings) and settings[index + 1]["setting"] == setting["setting"] + ONE_WORD:
            launch[CONSTANT] -= launches[index + 1][CONSTANT] - int(settings[index + 1][CONSTANT])
        for metric in METRICS:
            if setting[metric] == "":
                continue
            predicted = int(setting[metric])
            if metric not in launch:
                print(f"{options.counters}: no {metric}", file=sys.stderr)
                return 2
            measured = launch[metric]
            verdict = judge(setting, metric, predicted, measured, options.tolerance)
            totals[verdict] += 1
            if predicted or measured:
                key = (setting["setting"].split()[0], metric)
                by_scenario.setdefault(key, dict.fromkeys(VERDICTS, 0))[verdict] += 1
                print(f"| {setting['setting']} | {metric} | {predicted} | {measured} | {verdict} |")
    print("\n| scenario | counter | equal | within | recorded | different |\n|---|---|---:|---:|---:|---:|")
    for (scenario, metric), count in sorted(by_scenario.items()):
        print(f"| {scenario} | {metric} | {count['equal']} | {count['within']} | {count['recorded']} | {count['DIFFERS']} |")
    print(f"\n{len(settings)} launches; counters equal: {totals['equal']}, within tolerance: {totals['within']}, "
          f"recorded: {totals['recorded']}, different: {totals['DIFFERS']}")
    return 1 if totals["DIFFERS"] else 0


if __name__ == "__main__":
    sys.exit(main())
