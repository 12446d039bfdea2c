internal import Foundation
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel

/// An executor in this process whose jobs wait until the test lets them go, and that remembers what it has done.
final class GatedExecutor: MediaJobExecutor, @unchecked Sendable {
  private let condition = NSCondition()
  // Touched under the condition's lock alone, which is what makes the class Sendable.
  private var isOpen: Bool
  private var begun: [String] = []

  init(isOpen: Bool = false) { self.isOpen = isOpen }

  /// What was begun, in order: the text of each file.
  var order: [String] {
    condition.lock()
    defer { condition.unlock() }
    return begun
  }

  /// Lets all jobs go, from now on.
  func open() {
    condition.lock()
    isOpen = true
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until so many jobs have begun, on a thread of its own: those of Swift's pool are for the jobs' tasks.
  func waitUntilBegun(_ count: Int) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        condition.lock()
        while begun.count < count { condition.wait() }
        condition.unlock()
        continuation.resume()
      }
    }
  }

  func perform(_ job: MediaJob, file: JobFile, report: @escaping (JobEvent) -> Void) -> MediaJobResult {
    guard case .descriptor(let descriptor) = file else {
      return MediaJobResult(info: MediaInfo(type: .octetStream, bytes: 0))
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    close(descriptor)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    condition.lock()
    begun.append(text)
    condition.broadcast()
    while !isOpen { condition.wait() }
    condition.unlock()
    var info = MediaInfo(type: .plainText, bytes: max(0, count))
    info.title = text
    return MediaJobResult(info: info)
  }

  func describe() -> EngineDescription { EngineDescription(engines: [], images: [], containers: []) }

  /// An engine over it.
  func engine(threads: Int = 1, waiting: Int = 2) async throws -> MediaEngine {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess(self, threads: threads)
    configuration.waiting = waiting
    return try await MediaEngine.start(configuration)
  }
}
