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

  func perform(_ job: MediaJob, file: JobFile, report: @escaping (JobEvent) -> Void) -> MediaJobResult {
    guard case .descriptor(let descriptor) = file else {
      return MediaJobResult(info: MediaInfo(type: .octetStream, bytes: 0))
    }
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
    if case .found(let options, let claim) = job.facts {
      if options.digest { info.sha256 = Self.digest(text) }
      // `mismatch for EXTENSION` disagrees with a name of that extension.
      if case .fileName(let name)? = claim, text.hasPrefix("mismatch for "), name.hasSuffix("." + text.dropFirst(13)) {
        info.mismatch = MediaInfo.Mismatch(declared: String(text.dropFirst(13)), by: .extension, class: .format)
      }
    }
    return MediaJobResult(info: info)
  }

  /// 64 digits that are the same for the same text, and no others for any that a test has.
  private static func digest(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 64 - digits.count) + digits
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
