internal import CAllocationNotes
internal import Glibc
internal import MediaEngineProtocol
internal import MediaWorker

// A worker for tests. `--stub` is an honest one whose decoder does what the file says; every other word names a way of not keeping to the
// protocol (see Rogue).
let word = CommandLine.arguments.dropFirst().first ?? ""
switch word {
case "--stub":
  mediatool_note_allocations()
  exit(WorkerServer(executor: StubExecutor()).run(libraries: .all) {})
case "--dead": exit(9)
case "--weak":
  Rogue.greet(layers: IsolationLayers(limits: true, noDumps: true, noPrivileges: true, landlock: 0, seccomp: true))
  exit(WorkerServer(executor: StubExecutor()).serve())
default: Rogue(word: word).run()
}
