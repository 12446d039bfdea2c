"""What the processes of a benchmark use, from /proc."""

import glob


def family(process):
    """The ids of a process and of all below it."""
    found = [process]
    for parent in found:
        for path in glob.glob("/proc/%d/task/*/children" % parent):
            try:
                with open(path) as file:
                    found += [int(word) for word in file.read().split()]
            except OSError:
                pass
    return found


def memory(process):
    """Proportional set size of a process and all below it, in bytes: shared pages count once."""
    total = 0
    for one in family(process):
        try:
            with open("/proc/%d/smaps_rollup" % one) as file:
                total += sum(int(line.split()[1]) * 1_024 for line in file if line.startswith("Pss:"))
        except OSError:
            pass
    return total
