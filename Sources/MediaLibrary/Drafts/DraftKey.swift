internal import AttachmentPolicy

/// Which draft: each thread has one at most, and there are any number without a thread (A35).
public enum DraftKey: Hashable, Sendable {
  /// The draft of the thread of that name.
  case thread(String)
  /// A draft that belongs to no thread yet, by a name of its own.
  case unthreaded(String)
}

/// Names are compared by their bytes, as ``DraftStore`` keeps them.
extension DraftKey {
  /// Whether both are of the same sort and the bytes of the names are the same, not only their looks.
  public static func == (left: DraftKey, right: DraftKey) -> Bool {
    switch (left, right) {
    case (.thread(let left), .thread(let right)), (.unthreaded(let left), .unthreaded(let right)):
      NameBytes.areEqual(left, right)
    case (.thread, .unthreaded), (.unthreaded, .thread): false
    }
  }

  /// Hashes the sort and the bytes of the name.
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
extension DraftKey: Codable {
  private enum CodingKeys: CodingKey { case thread, unthreaded }

  /// Reads a key.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if let name = try values.decodeIfPresent(String.self, forKey: .thread) {
      self = .thread(name)
    } else {
      self = .unthreaded(try values.decode(String.self, forKey: .unthreaded))
    }
  }

  /// Writes a key.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .thread(let name): try values.encode(name, forKey: .thread)
    case .unthreaded(let name): try values.encode(name, forKey: .unthreaded)
    }
  }
}
