internal import Foundation

extension Thread {
  /// Starts a thread for blocking jobs.
  static func startForJobs(name: String? = nil, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    // The stack size of a main thread, which the C libraries expect.
    thread.stackSize = 8 << 20
    thread.start()
  }
}
