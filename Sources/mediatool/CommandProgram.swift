internal import Glibc
internal import MediaEngine
package import MediaEngineProtocol

/// The entry point of the command, for the programs that contain it.
package enum CommandProgram {
  /// Runs the command with the arguments of this process, and ends it.
  /// - Parameters:
  ///   - decoders: The decoders linked into this process; nil to decode in workers.
  ///   - remote: Reads URLs; nil for a program that cannot.
  package static func run(decoders: (any MediaJobExecutor)?, remote: RemoteReaderFactory? = nil) -> Never {
    // A file that would become larger than `ulimit -f` allows is then an error of write, and not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    Decoders.ofThisProcess.withLock { $0 = decoders }
    RemoteReaders.factory.withLock { $0 = remote }
    Mediatool.runToEnd()
  }
}
