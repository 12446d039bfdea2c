internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// A decoder that gives the content of a file as its title; one that begins with `fail CODE` fails with that code.
final class ContentExecutor: MediaJobExecutor {
  private struct State {
    var read = 0
    var willRead: (@Sendable () -> Void)?
  }

  private let version: String
  private let state = Locked(State())

  /// - Parameter version: What the catalogue keeps with what it found.
  init(version: String = "1") { self.version = version }

  /// Files that were read, or are being read.
  var read: Int { state.withLock { $0.read } }

  /// Calls `body` before each file is read, on the thread that reads it.
  func willRead(_ body: (@Sendable () -> Void)?) { state.withLock { $0.willRead = body } }

  func perform(_ job: MediaJob, descriptor: CInt, tell: @escaping (JobEvent) -> Void) -> MediaJobResult {
    defer { close(descriptor) }
    let willRead = state.withLock { state in
      state.read += 1
      return state.willRead
    }
    willRead?()
    var bytes = [UInt8](repeating: 0, count: 1 << 12)
    let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    var info = MediaInfo(type: .plainText, bytes: count)
    info.title = text
    let words = text.split(separator: " ")
    if words.first == "fail", words.count > 1 {
      info.error = MediaFailure(MediaFailure.Code(rawValue: String(words[1])), "It fails.")
    }
    return MediaJobResult(info: info)
  }

  func describe() -> EngineDescription {
    EngineDescription(engines: [EngineVersion(name: "content", version: version)], images: [], containers: [])
  }

  /// An engine over it.
  func engine(threads: Int = 2) throws -> MediaEngine {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess(self, threads: threads)
    return try MediaEngine.startBlocking(configuration)
  }
}
