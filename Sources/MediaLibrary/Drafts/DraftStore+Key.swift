internal import AttachmentPolicy

extension DraftStore {
  /// The key of a draft: each thread has at most one, and there may be any number without a thread (A35).
  public enum Key: Hashable, Sendable {
    /// The draft of the thread with this name.
    case thread(String)
    /// A draft without a thread, by a name of its own.
    case unthreaded(String)
  }
}

/// Names are equal if their bytes are equal, because ``DraftStore`` derives paths from the bytes.
extension DraftStore.Key {
  /// Whether both have the same case and the same bytes, not only canonically equivalent names.
  public static func == (left: DraftStore.Key, right: DraftStore.Key) -> Bool {
    switch (left, right) {
    case (.thread(let left), .thread(let right)), (.unthreaded(let left), .unthreaded(let right)):
      NameBytes.areEqual(left, right)
    case (.thread, .unthreaded), (.unthreaded, .thread): false
    }
  }

  /// Hashes the case and the bytes of the name.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .thread(let name):
      hasher.combine(0)
      NameBytes.hash(name, into: &hasher)
    case .unthreaded(let name):
      hasher.combine(1)
      NameBytes.hash(name, into: &hasher)
    }
  }
}

/// `{"thread":"…"}` or `{"unthreaded":"…"}`.
extension DraftStore.Key: Codable {
  private enum CodingKeys: CodingKey { case thread, unthreaded }

  /// Decodes `{"thread"}` or `{"unthreaded"}`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if let name = try values.decodeIfPresent(String.self, forKey: .thread) {
      self = .thread(name)
    } else {
      self = .unthreaded(try values.decode(String.self, forKey: .unthreaded))
    }
  }

  /// Encodes `{"thread"}` or `{"unthreaded"}`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .thread(let name): try values.encode(name, forKey: .thread)
    case .unthreaded(let name): try values.encode(name, forKey: .unthreaded)
    }
  }
}
