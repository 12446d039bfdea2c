internal import CAllocationNotes
internal import Glibc
internal import MediaEngineInProcess
internal import MediaEngineProtocol
internal import MediaWorker
internal import MediatoolCommand

// The one program that has the decoders in it. An engine starts it as a worker; `mediatool --in-process` becomes it.
let executor = InProcessExecutor()
switch CommandLine.arguments.dropFirst().first {
case "--serve":
  mediatool_note_allocations()
  // Tests mark their workers with further arguments.
  let words = CommandLine.arguments.drop { $0 != "--libraries" }.prefix(2)
  guard let libraries = WorkerLibraries(arguments: words) else { exit(WorkerExit.usage) }
  InProcessExecutor.skipUnusedLibraries(for: libraries)
  InProcessExecutor.reportLoadFailures { failure in
    // A library may need one that is skipped for these files. The process then starts again with all.
    if libraries != .all { ProcessImage.restart(arguments: ["mediatool-worker", "--serve"]) }
    WorkerServer.reportLoadFailure(failure)
  }
  exit(WorkerServer(executor: executor).run(libraries: libraries) { executor.warmUp(libraries) })
default: CommandProgram.run(decoders: executor)
}
