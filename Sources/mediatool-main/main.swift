internal import MediatoolCommand

// Without decoders: those are in mediatool-worker.
CommandProgram.run(decoders: nil)
