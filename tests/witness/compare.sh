#!/usr/bin/env bash
# Compares `warplens measure` on this machine's GPU with times of the plain kernels.
#   ./compare.sh PLAIN.csv [SCENARIO]    each setting: plain, warplens (median times in us), warplens / plain
# PLAIN.csv is what run.sh wrote on the same GPU. WARPLENS names the program, if it is not on the path.
set -euo pipefail
csv=${1:?usage: compare.sh PLAIN.csv [SCENARIO]}
warplens=${WARPLENS:-warplens}
far=0 all=0
json=$(mktemp)
trap 'rm -f "$json" "$json.log"' EXIT
printf '%-22s %-52s %10s %10s %7s\n' scenario settings plain warplens ratio
while IFS='|' read -r scenario settings us; do
    [[ $scenario == *"${2:-}"* ]] || continue
    "$warplens" measure "$scenario" ${settings:+--set "$settings"} --json "$json" > "$json.log" 2>&1 || cat "$json.log"
    ours=$(sed -nE 's/^.*"median_us": *([0-9.eE+-]+).*$/\1/p' "$json" | head -1)
    [[ $ours ]] || { echo "$scenario $settings: no time"; far=$((far + 1)); continue; }
    all=$((all + 1))
    line=$(awk -v s="$scenario" -v k="$settings" -v a="$us" -v b="$ours" \
        'BEGIN { r = b / a; printf "%-22s %-52s %10.2f %10.2f %7.3f%s", s, k, a, b, r, (r > 1.05 || r < 0.95) ? " *" : "" }')
    echo "$line"
    [[ $line == *'*' ]] && far=$((far + 1))
done < <(sed -nE '2,$s/^([^,]*),"([^"]*)",([^,]*),.*$/\1|\2|\3/p' "$csv")
echo "$all settings, $far farther apart than 5 %"
