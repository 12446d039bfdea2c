internal import FileSupport
internal import Foundation
internal import MalwareScanning
internal import Synchronization

/// A scanner that finds what a test says.
final class FakeScanner: MalwareScanner {
  private struct State: Sendable {
    var finds: @Sendable ([UInt8]) -> MalwareScan.State = { _ in .clean }
    var isAway = false
    var isSilent = false
    var signatures: Int? = 1
    var scans = 0
  }

  private let state = Mutex(State())

  /// Number of scans that were asked for, those without an answer included.
  var scans: Int { state.withLock(\.scans) }
  /// Whether it cannot be asked.
  var isAway: Bool {
    get { state.withLock(\.isAway) }
    set { state.withLock { $0.isAway = newValue } }
  }
  /// Whether scans have no end, also if their tasks are cancelled, until this is false again.
  var isSilent: Bool {
    get { state.withLock(\.isSilent) }
    set { state.withLock { $0.isSilent = newValue } }
  }

  /// What it finds in contents from now on, with signatures of a version.
  func find(signatures: Int? = 1, _ finds: @escaping @Sendable ([UInt8]) -> MalwareScan.State) {
    state.withLock { ($0.finds, $0.signatures) = (finds, signatures) }
  }

  func scan(_ path: PathBytes) async -> MalwareScan {
    let now = state.withLock { state in
      state.scans += 1
      return state
    }
    while isSilent { await Task.yield() }
    if now.isSilent || now.isAway { return MalwareScan(.unscannable(.scannerError), isAway: true) }
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path.description)) else {
      return MalwareScan(.unscannable(.scannerError))
    }
    return MalwareScan(now.finds([UInt8](bytes)), engine: "fake", signatures: now.signatures)
  }

  func status() async -> MalwareScan.ScannerStatus {
    state.withLock { MalwareScan.ScannerStatus(isUp: !$0.isAway, engine: "fake", signatures: $0.signatures) }
  }
}
