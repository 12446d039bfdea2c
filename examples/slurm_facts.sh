#!/bin/bash
#SBATCH --job-name=mediatool-facts
#SBATCH --cpus-per-task=2
#SBATCH --requeue
# The facts of the files of a list, one list per task of a Slurm array. LISTS/0, LISTS/1, … have a path or a JSON request per line, 10,000 or more:
#
#   sbatch --array=0-$((COUNT - 1)) examples/slurm_facts.sh LISTS FACTS
#
# FACTS/N.ndjson exists if list N is done, and then it is complete. A task that is killed, requeued or run twice does no harm: submit the array
# again until all files are there. A task that ends with SIGKILL leaves its part, FACTS/.N.*; remove parts when no task runs.
set -euo pipefail
lists=$1
facts=$2
index=$SLURM_ARRAY_TASK_ID
result=$facts/$index.ndjson
if [[ -e $result ]]; then exit 0; fi
mkdir -p "$facts"

# A name of its own: two attempts may run at once, and both give the same bytes.
part=$(mktemp "$facts/.$index.XXXXXXXX")
trap 'rm -f "$part"' EXIT
trap 'kill "${program:-}" 2>/dev/null || true; exit 143' TERM
"${MEDIATOOL:-mediatool}" probe --requests "$lists/$index" --results-only-status --json --quiet \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" >"$part" &
program=$!
wait "$program"

# The last line has the counts; without it the run was cut short.
if [[ $(tail -n 1 "$part") != '{"end":'* ]]; then
  echo "List $index: the run was cut short." >&2
  exit 70
fi
sync "$part"
mv "$part" "$result"
