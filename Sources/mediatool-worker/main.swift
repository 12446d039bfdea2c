internal import CAllocationNotes
internal import Glibc
internal import MediaEngineHelper
internal import MediaEngineInProcess
internal import MediaEngineProtocol
internal import MediatoolCommand

// The one program that has the decoders in it. An engine starts it as a helper; `mediatool --in-process` becomes it.
let executor = InProcessExecutor()
switch CommandLine.arguments.dropFirst().first {
case "--serve":
  mediatool_note_allocations()
  exit(HelperServer(executor: executor).run { executor.warmUp() })
default: CommandProgram.run(decoders: executor)
}
