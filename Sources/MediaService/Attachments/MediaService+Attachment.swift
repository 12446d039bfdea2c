internal import Crypto
internal import Foundation
internal import GRDB
public import MediaLibrary
public import MediaModel

extension MediaService {
  /// What a reader may know of an attachment. Absent facts are absent keys.
  public struct Attachment: Encodable, Sendable {
    /// The id in addresses.
    public var id: String
    /// The facts; others than the owner get them without location and camera (R-MYM-28), and through a moment without the time.
    public var info: MediaInfo?
    /// The name of the file as its sender stated it. As ``time``, title and caption, nil for a reader who sees the attachment through a moment, which has its own.
    public var name: String?
    /// The time that orders it, in seconds since 1970.
    public var time: Int?
    /// Where ``time`` comes from; nil without a time.
    public var timeSource: MediaInfo.TimeSource?
    /// The title, as it was set.
    public var title: String?
    /// The caption, as it was set.
    public var caption: String?
    /// What is shown until an image is loaded.
    public var placeholder: Placeholder?
    /// The addresses that the reader may use, by the names of renditions, and `original`.
    public var urls: [String: String]
    /// Why it could not be decoded, if so.
    public var error: Failure?
    /// What the owner alone sees.
    public var own: Own?
    /// A strong entity tag of what can be changed, for the owner: a change can state it (R-MYM-13).
    public var version: String?

    /// A failure without what a library says of itself.
    public struct Failure: Encodable, Sendable {
      /// The stable name of the reason.
      public var code: String
      /// One sentence for users.
      public var message: String
    }

    /// What the owner alone sees of an attachment.
    public struct Own: Sendable {
      /// Where it was taken.
      public var location: Location?
      /// The collection to which it belongs.
      public var collection: String?
      /// The labels whose readers may view it.
      public var labels: [String]
      /// The labels whose readers may read the original too.
      public var originalLabels: [String]
      /// The generation of its signed URLs.
      public var generation: Int
      /// Whether moderation has blocked it.
      public var isBlocked: Bool
      /// Whether nobody else sees it until a scan for malware finds it clean. It has no addresses until then, because others may hold them.
      public var isHeld: Bool
    }

    private enum Keys: String, CodingKey {
      case id, info, name, time, timeSource, title, caption, placeholder, urls, error
      case location, collection, labels, originalLabels, generation, blocked, held
    }

    /// Encodes what is known.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(id, forKey: .id)
      try container.encodeIfPresent(info, forKey: .info)
      try container.encodeIfPresent(name, forKey: .name)
      try container.encodeIfPresent(time, forKey: .time)
      try container.encodeIfPresent(timeSource, forKey: .timeSource)
      try container.encodeIfPresent(title, forKey: .title)
      try container.encodeIfPresent(caption, forKey: .caption)
      try container.encodeIfPresent(placeholder, forKey: .placeholder)
      try container.encode(urls, forKey: .urls)
      try container.encodeIfPresent(error, forKey: .error)
      guard let own else { return }
      try container.encodeIfPresent(own.location, forKey: .location)
      try container.encodeIfPresent(own.collection, forKey: .collection)
      try container.encode(own.labels, forKey: .labels)
      try container.encode(own.originalLabels, forKey: .originalLabels)
      try container.encode(own.generation, forKey: .generation)
      if own.isBlocked { try container.encode(true, forKey: .blocked) }
      if own.isHeld { try container.encode(true, forKey: .held) }
    }
  }

  /// The facts of an attachment, as far as the reader may know them.
  /// - Throws: ``ServiceError/notFound``, also if the reader has no right.
  public func attachment(_ id: FileID, for caller: Caller) async throws(ServiceError) -> Attachment {
    try await ServiceError.mapping {
      let found = try await readable(id, by: .caller(caller), right: .view, showsBlocked: true)
      return try describe(found, for: caller)
    }
  }

  /// The facts of several attachments in the order of the ids, without those that the reader may not see.
  /// - Parameter ids: At most ``Limits/batch``.
  public func attachments(_ ids: [FileID], for caller: Caller) async throws(ServiceError) -> [Attachment] {
    try await ServiceError.mapping {
      return try await readable(ids, for: caller, .view, showsBlocked: true).map { try describe($0, for: caller) }
    }
  }

  func describe(_ found: ReadableAttachment, for caller: Caller) throws -> Attachment {
    let (file, record) = (found.file, found.record)
    let info = try file.info()
    var rights: Set<Right> = found.isHiddenFromOthers ? [] : [.view]
    if !found.isHiddenFromOthers, found.isOwner || isAllowed(found, .caller(caller), .original) {
      rights.insert(.original)
    }
    var answer = Attachment(
      id: "\(file.id.rawValue)", info: found.isOwner ? info : info?.forOthers, name: record.name, time: file.time,
      timeSource: file.timeSource, title: file.title, caption: file.caption, placeholder: file.placeholder,
      urls: rights.isEmpty ? [:] : urls(of: file.id, generation: record.generation, rights: rights))
    if found.isOfMomentAlone {
      (answer.name, answer.title, answer.caption) = (nil, nil, nil)
      (answer.time, answer.timeSource) = (nil, nil)
      answer.info?.takenAt = nil
      answer.info?.takenAtSource = nil
    }
    if let failure = file.failure, file.state == .failed {
      answer.error = Attachment.Failure(code: failure.code.rawValue, message: failure.message)
    }
    if found.isOwner {
      answer.own = Attachment.Own(
        location: file.location, collection: file.collection,
        labels: record.labels.filter { !$0.value }.keys.sorted(),
        originalLabels: record.labels.filter(\.value).keys.sorted(), generation: record.generation,
        isBlocked: found.isBlocked, isHeld: found.isHeld)
      answer.version = try Self.version(of: file, record)
    }
    return answer
  }

  /// An entity tag of everything that the owner can change.
  static func version(of file: CatalogueFile, _ record: AttachmentRecord) throws -> String {
    struct State: Encodable {
      let title: String?
      let caption: String?
      let collection: String?
      let location: Location?
      let labels: [String: Bool]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let state = State(
      title: file.title, caption: file.caption, collection: file.collection, location: file.location,
      labels: record.labels)
    return "\"\(Base64URL.encode(Array(SHA256.hash(data: try encoder.encode(state)).prefix(12))))\""
  }
}
