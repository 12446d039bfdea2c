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
    occupyStandardDescriptors()
    Decoders.ofThisProcess.withLock { $0 = decoders }
    RemoteReaders.factory.withLock { $0 = remote }
    Mediatool.runToEnd()
  }

  /// Occupies closed standard descriptors. Otherwise the next opened file would get such a number, and results would be written into it. Opened with
  /// the wrong direction, so that using them fails as if they were closed.
  private static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
