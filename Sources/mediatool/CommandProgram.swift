internal import MediaEngine
package import MediaEngineProtocol

/// The whole command, for the programs that are it.
package enum CommandProgram {
  /// Runs the command with the arguments of this process, and ends it.
  /// - Parameter decoders: Those of this process; nil where there are none, so that workers decode.
  package static func run(decoders: (any MediaJobExecutor)?) -> Never {
    Decoders.ofThisProcess.withLock { $0 = decoders }
    Mediatool.runToEnd()
  }
}
