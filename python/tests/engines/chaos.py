"""Faults in tasks of Spark. Executors import this module."""

import os
import signal

import cases
import support


def _parents():
    pid = os.getpid()
    while pid > 1:
        with open("/proc/%d/stat" % pid, "rb") as file:
            pid = int(file.read().rsplit(b")", 1)[1].split()[1])
        yield pid


def _programs():
    return cases.programs_below(os.getpid())


def wrapped(run, fault, folder):
    """The function of ``map_in_arrow`` with a fault after its first batch, once in all tasks with rows."""

    def task(batches):
        for number, batch in enumerate(run(batches)):
            yield batch
            if number == 0 and cases.once(os.path.join(folder, fault)):
                with open(os.path.join(folder, "pids"), "a") as file:
                    file.writelines("%d\n" % pid for pid in _programs())
                if fault == "raise":
                    raise RuntimeError("The task fails.")
                if fault == "program":
                    for pid in _programs():
                        os.kill(pid, signal.SIGKILL)
                if fault == "worker":
                    for pid in _programs():
                        for child in support.children(pid):
                            os.kill(child, signal.SIGKILL)
                if fault == "executor":
                    for pid in _parents():
                        with open("/proc/%d/comm" % pid) as file:
                            if file.read().strip() == "java":
                                os.kill(pid, signal.SIGKILL)
                                break
                    signal.pause()
                if fault == "stall":
                    while True:
                        signal.pause()

    return task
