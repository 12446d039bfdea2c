internal import HTTPTypes
internal import MediaLibrary
internal import MediaService
internal import NIOCore
internal import Synchronization

/// Renditions that were served under signed URLs a moment ago, ready to be sent: a tray of fifty that is opened by many, a picture in a chat.
///
/// An answer is found by its whole address, signature and all, so whoever does not have the address does not get it; and only until the address
/// expires or its attachment's addresses are cut (erased, blocked, revoked). Bounded in bytes; what was not asked for lately is dropped first.
final class HotRenditions: Sendable {
  /// A complete answer, without the fields that depend on the time.
  struct Answer: Sendable {
    let file: FileID
    var fields: HTTPFields
    let entityTag: String
    let body: ByteBuffer
    /// When the address expires, in seconds since 1970.
    let expires: Int
    /// The path of the route in the router.
    var route = "none"
    /// The name of the key that signed the address.
    var key: String?
  }

  /// A moment before an answer was decided upon. An answer of before a cut is not kept after it.
  struct Moment: Sendable {
    fileprivate let cuts: Int
  }

  private struct State: Sendable {
    /// What was asked for since the last change of generations, and what before that.
    var young: [String: Answer] = [:]
    var old: [String: Answer] = [:]
    var youngBytes = 0
    var cuts = 0
  }

  private let state = Mutex(State())
  private let maxBytes: Int
  private let added: HTTPFields
  /// What was answered since the audit log was last written.
  let uses = HotAnswerCounts()
  /// Bytes of a body beyond which an answer is not kept: large ones gain nothing.
  static let maxBodyBytes = 262_144

  /// - Parameters:
  ///   - maxBytes: Bytes of bodies in memory. None are kept with 0.
  ///   - added: Fields that the router adds to each answer that a route makes, such as `Vary: Origin`.
  init(maxBytes: Int, added: HTTPFields = [:]) { (self.maxBytes, self.added) = (maxBytes, added) }

  /// The answer for a request target.
  func answer(for target: String) -> Answer? {
    state.withLock { state in
      if let answer = state.young[target] { return answer }
      guard let answer = state.old.removeValue(forKey: target) else { return nil }
      Self.add(answer, target, &state, maxBytes)
      return answer
    }
  }

  /// The present, to be passed to ``keep(_:for:since:)``.
  var moment: Moment { Moment(cuts: state.withLock(\.cuts)) }

  /// Keeps an answer, unless addresses were cut since `moment`.
  func keep(_ answer: Answer, for target: String, since moment: Moment) {
    guard answer.body.readableBytes <= min(Self.maxBodyBytes, maxBytes / 4), target.utf8.count <= 1_024 else { return }
    var answer = answer
    answer.fields.append(contentsOf: added)
    state.withLock { [answer] state in
      if state.cuts == moment.cuts { Self.add(answer, target, &state, maxBytes) }
    }
  }

  /// Drops the answers of some files; nil for all.
  func cut(_ files: Set<FileID>?) {
    state.withLock { state in
      state.cuts += 1
      guard let files else {
        (state.young, state.old, state.youngBytes) = ([:], [:], 0)
        return
      }
      state.young = state.young.filter { !files.contains($0.value.file) }
      state.old = state.old.filter { !files.contains($0.value.file) }
      state.youngBytes = state.young.values.reduce(0) { $0 + Self.cost($1) }
    }
  }

  /// Number of bytes that are kept, at most.
  var bytes: Int {
    state.withLock { state in state.youngBytes + state.old.values.reduce(0) { $0 + Self.cost($1) } }
  }

  private static func add(_ answer: Answer, _ target: String, _ state: inout State, _ maxBytes: Int) {
    state.old[target] = nil
    if let before = state.young.updateValue(answer, forKey: target) { state.youngBytes -= cost(before) }
    state.youngBytes += cost(answer)
    // Each generation has half of the bytes.
    if state.youngBytes > maxBytes / 2 { (state.old, state.young, state.youngBytes) = (state.young, [:], 0) }
  }

  /// A body, its fields and its address.
  private static func cost(_ answer: Answer) -> Int { answer.body.readableBytes + 2_048 }
}
