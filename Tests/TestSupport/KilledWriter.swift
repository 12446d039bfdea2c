internal import Foundation
internal import Glibc

/// A process that writes one thing after another until it is killed, and says after each that it is there. For exit tests: the calls on
/// the one side run in the child, ``acknowledged(in:)`` in the parent.
public enum KilledWriter {
  /// Writes number 1, 2, 3 … and kills the process on the way.
  /// - Parameters:
  ///   - microseconds: When it dies, from now.
  ///   - folder: Where it notes the last number that was written, in a file of eight bytes.
  ///   - write: Writes a number; when it returns, what it wrote must be there for good.
  public static func run(
    killedAfter microseconds: UInt32, in folder: String, _ write: (Int) throws -> Void
  ) rethrows {
    Thread.detachNewThread {
      usleep(microseconds)
      kill(getpid(), SIGKILL)
    }
    let acknowledged = open(folder + "/acknowledged", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    for n in 1... {
      try write(n)
      var number = n
      guard pwrite(acknowledged, &number, 8, 0) == 8 else { return }
    }
  }

  /// The last number that was surely written; 0 for none.
  public static func acknowledged(in folder: String) -> Int {
    let bytes = (try? Data(contentsOf: URL(fileURLWithPath: folder + "/acknowledged"))) ?? Data()
    return bytes.count < 8 ? 0 : bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
  }
}
