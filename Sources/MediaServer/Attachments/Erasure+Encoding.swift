internal import MediaService

extension MediaService.Erasure {
  private enum ServiceKeys: CodingKey {
    case drafts, messages, uploads, avatars, labels, answers, unreached
  }

  /// Encodes what the service has erased besides the library, and what it could not reach: the same keys over HTTP and in `mediatool erase`.
  func encodeServiceCounts(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ServiceKeys.self)
    try container.encode(drafts, forKey: .drafts)
    try container.encode(messages, forKey: .messages)
    try container.encode(uploads, forKey: .uploads)
    try container.encode(avatars, forKey: .avatars)
    try container.encode(labels, forKey: .labels)
    try container.encode(answers, forKey: .answers)
    try container.encode(unreached, forKey: .unreached)
  }
}
