"""The script for Slurm arrays: on Slurm with one node if slurm-wlm is installed, and run by a shell that keeps Slurm's contract, which is an
environment, SIGTERM before SIGKILL, requeueing, and two attempts at once.
"""

import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import unittest

import cases
from support import ROOT, ScratchCase, children, command_lines, wait_for_end

SCRIPT = os.path.join(ROOT, "examples", "slurm_facts.sh")


class ListCase(ScratchCase):
    """Four lists of a hundred files each."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("lists"))
        self.files = cases.sources(400)
        self.count = 4
        for index in range(self.count):
            with open(self.path("lists/%d" % index), "w") as file:
                for path in self.part(index):
                    file.write(json.dumps({"source": path}) + "\n" if index % 2 else path + "\n")

    def part(self, index):
        return self.files[index * 100 : index * 100 + 100]

    def assert_complete(self):
        for index in range(self.count):
            with open(self.path("facts/%d.ndjson" % index), encoding="utf-8") as file:
                *lines, end = file.read().split("\n")[:-1]
            self.assertEqual(lines, command_lines(["probe"], self.part(index)))
            self.assertEqual(json.loads(end)["end"]["inputs"], 100)
        self.assertEqual(sorted(os.listdir(self.path("facts"))), ["%d.ndjson" % index for index in range(self.count)])


class ShellTests(ListCase):
    def start(self, index, **variables):
        environment = dict(os.environ, SLURM_ARRAY_TASK_ID=str(index), SLURM_CPUS_PER_TASK="1", **variables)
        # slurmd starts a session of its own for each task, and signals all of it.
        return subprocess.Popen([SCRIPT, self.path("lists"), self.path("facts")], env=environment, start_new_session=True)

    def test_an_array_gives_the_rows_of_one_machine_and_a_second_run_opens_nothing(self):
        for process in [self.start(index) for index in range(self.count)]:
            self.assertEqual(process.wait(), 0)
        self.assert_complete()
        for index in range(self.count):
            self.assertEqual(self.start(index, MEDIATOOL="/missing").wait(), 0)
        self.assert_complete()

    def killed(self, number):
        """Starts list 0 as a pipe that has ten lines and does not end, kills it, and restores the list."""
        os.mkfifo(self.path("pipe"))
        os.rename(self.path("lists/0"), self.path("list"))
        os.symlink(self.path("pipe"), self.path("lists/0"))
        process = self.start(0)
        writer = os.open(self.path("pipe"), os.O_WRONLY)
        with open(self.path("list"), "rb") as file:
            os.write(writer, b"".join(file.readlines()[:10]))
        # The first results are in the part, and the program waits for more.
        programs = []
        while not programs:
            self.assertIsNone(process.poll())
            programs = cases.programs_below(process.pid)
        workers = []
        while not workers:
            workers = children(programs[0])
        os.killpg(process.pid, number)
        status = process.wait()
        for pid in programs + workers:
            self.assertTrue(wait_for_end(pid))
        os.close(writer)
        os.unlink(self.path("lists/0"))
        os.rename(self.path("list"), self.path("lists/0"))
        self.assertFalse(os.path.exists(self.path("facts/0.ndjson")))
        return status

    def test_a_task_that_is_preempted_ends_with_an_error_and_leaves_nothing(self):
        self.assertNotEqual(self.killed(signal.SIGTERM), 0)
        self.assertEqual(os.listdir(self.path("facts")), [])
        for process in [self.start(index, SLURM_RESTART_COUNT="1") for index in range(self.count)]:
            self.assertEqual(process.wait(), 0)
        self.assert_complete()

    def test_a_task_that_is_killed_is_not_taken_for_done(self):
        self.assertEqual(self.killed(signal.SIGKILL), -signal.SIGKILL)
        for process in [self.start(index, SLURM_RESTART_COUNT="1") for index in range(self.count)]:
            self.assertEqual(process.wait(), 0)
        for name in os.listdir(self.path("facts")):
            if name.startswith("."):
                os.unlink(self.path("facts/" + name))
        self.assert_complete()

    def test_two_attempts_at_once_give_one_result(self):
        for process in [self.start(index) for index in range(self.count) for _ in range(2)]:
            self.assertEqual(process.wait(), 0)
        self.assert_complete()

    def test_a_program_that_cannot_run_fails_the_task(self):
        self.assertNotEqual(self.start(0, MEDIATOOL="/missing/mediatool").wait(), 0)
        self.assertNotEqual(self.start(99).wait(), 0)
        self.assertEqual(os.listdir(self.path("facts")), [])


PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol")
MISSING = [name for name in PROGRAMS if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") is None]

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={other}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
KillWait=2
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@unittest.skipIf(MISSING, "%s is missing: apt-get install slurm-wlm" % ", ".join(MISSING))
class SlurmTests(ListCase):
    def setUp(self):
        super().setUp()
        # munged refuses a folder that others may enter, or must not enter at all.
        os.chmod(self.folder, 0o755)
        for name in ("state", "spool"):
            os.mkdir(self.path(name))
        with open(self.path("key"), "wb") as file:
            file.write(os.urandom(128))
        os.chmod(self.path("key"), 0o600)
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        port, other = (one.getsockname()[1] for one in sockets)
        for one in sockets:
            one.close()
        user = pwd.getpwuid(os.getuid()).pw_name
        text = CONFIGURATION.format(host=socket.gethostname().split(".")[0], port=port, other=other, user=user, folder=self.folder)
        self.environment = dict(os.environ, SLURM_CONF=self.write("slurm.conf", text), PATH=os.environ["PATH"] + ":/usr/sbin")
        files = {"key-file": "key", "socket": "munge.socket", "pid-file": "munge.pid", "log-file": "munge.log", "seed-file": "seed"}
        options = ["--%s=%s" % (option, self.path(name)) for option, name in files.items()]
        self.daemons = {}
        self.serve("munged", "--foreground", "--force", *options)
        self.serve("slurmctld", "-D")
        self.serve("slurmd", "-D")
        while self.run_slurm("sinfo", "--noheader", "--format=%T").stdout.strip() != "idle":
            for name, process in self.daemons.items():
                if process.poll() is not None:
                    self.skip(name)

    def serve(self, *command):
        with open(self.path(command[0] + ".log"), "wb") as log:
            process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        self.daemons[command[0]] = process
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)

    def skip(self, name):
        """Skips the test, because a daemon cannot run on this machine: in some containers, Slurm finds no CPUs."""
        with open(self.path(name + ".log"), errors="replace") as file:
            reason = "Slurm is not tested: %s ended: %s" % (name, (file.read().strip().split("\n") or [""])[-1])
        print(reason)
        self.skipTest(reason)

    def run_slurm(self, *command):
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def submit(self):
        """Starts an array of all lists; it ends when all of its tasks have ended."""
        command = ["sbatch", "--wait", "--cpus-per-task=1", "--array=0-%d" % (self.count - 1), "--output=" + self.path("task-%a.log")]
        return subprocess.Popen(
            command + [SCRIPT, self.path("lists"), self.path("facts")], env=self.environment, stdout=subprocess.PIPE, text=True
        )

    def finish(self, process):
        output, _ = process.communicate(timeout=200)
        return process.returncode, output

    def test_an_array_gives_the_rows_of_one_machine(self):
        self.assertEqual(self.finish(self.submit())[0], 0)
        self.assert_complete()

    def test_a_requeued_task_gives_its_rows(self):
        os.rename(self.path("lists/0"), self.path("list"))
        os.mkfifo(self.path("lists/0"))
        process = self.submit()
        job = re.search(r"Submitted batch job (\d+)", process.stdout.readline())[1]
        # The program has opened its list, and waits for more of it.
        writer = os.open(self.path("lists/0"), os.O_WRONLY)
        with open(self.path("list"), "rb") as file:
            os.write(writer, b"".join(file.readlines()[:10]))
        os.rename(self.path("list"), self.path("lists/0"))
        requeued = self.run_slurm("scontrol", "requeue", job + "_0")
        self.assertEqual(requeued.returncode, 0, requeued.stdout)
        # Slurm starts it again after two minutes, unless it is asked for sooner. In the second of the requeueing, slurmd takes it for the ended one.
        while "JobState=PENDING" not in self.run_slurm("scontrol", "show", "job", job + "_0").stdout:
            self.assertIsNone(process.poll())
        sooner = self.run_slurm("scontrol", "update", "JobId=" + job + "_0", "StartTime=now+2")
        self.assertEqual(sooner.returncode, 0, sooner.stdout)
        self.assertEqual(self.finish(process)[0], 0)
        os.close(writer)
        for name in os.listdir(self.path("facts")):
            self.assertFalse(name.startswith("."), "a part of the first attempt is left")
        self.assert_complete()


if __name__ == "__main__":
    unittest.main()
