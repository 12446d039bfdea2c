public import MediaLibrary

extension MediaService {
  /// A trip to add.
  public struct NewTrip: Decodable, Sendable {
    /// The title. Required.
    public var title: String
    /// The description. Default nil: no description.
    public var description: String?
    /// When it starts, in seconds since 1970. Default nil: now.
    public var started: Int?
    /// When it ends. Default nil: it is open, and new moments of its owner are added to it.
    public var ended: Int?
    /// Who may see it. Default: the owner. Its moments have a visibility of their own.
    public var visibility = Moment.Visibility.private

    /// An open trip.
    public init(title: String) { self.title = title }

    private enum Keys: String, CodingKey, CaseIterable { case title, description, started, ended, visibility }

    /// Decodes a request. A key that is unknown is an error.
    public init(from decoder: any Decoder) throws {
      let values = try MergePatch(from: decoder, Keys.self)
      guard let title = try values.value(.title, as: String.self) else {
        throw DecodingError.keyNotFound(
          Keys.title, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "`title` is missing"))
      }
      self.title = title
      description = try values.value(.description)
      (started, ended) = (try values.value(.started), try values.value(.ended))
      visibility = try values.value(.visibility) ?? .private
    }
  }

  /// What an owner changes in a trip: a JSON merge patch (RFC 7396), in which an absent key changes nothing and null removes.
  public struct TripChange: Decodable, Sendable {
    /// An order of its moments.
    public enum Order: Hashable, Sendable {
      /// These first, the others in their order.
      case first([String])
      /// All by time, the earliest first.
      case byTime
    }

    /// The title. Default nil: unchanged.
    public var title: String?
    /// The new description. Unchanged by default.
    public var description = AttachmentChange.Field<String>.unchanged
    /// The start. Default nil: unchanged.
    public var started: Int?
    /// The end; removed, the trip is open again.
    public var ended = AttachmentChange.Field<Int>.unchanged
    /// Who may see it. Default nil: unchanged.
    public var visibility: Moment.Visibility?
    /// The order of its moments, in a change of nothing else. Default nil: unchanged.
    public var order: Order?
    /// The version on which the change was made. Default nil: any.
    public var version: Int?

    /// A change of nothing.
    public init() {}

    private enum Keys: String, CodingKey, CaseIterable {
      case title, description, started, ended, visibility, order, orderByTime, version
    }

    /// Decodes a merge patch. A key that cannot be changed is an error.
    public init(from decoder: any Decoder) throws {
      let values = try MergePatch(from: decoder, Keys.self)
      (title, description) = (try values.value(.title), try values.field(.description))
      (started, ended) = (try values.value(.started), try values.field(.ended))
      (visibility, version) = (try values.value(.visibility), try values.value(.version))
      order = try values.value(.order, as: [String].self).map(Order.first)
      guard try values.value(.orderByTime, as: Bool.self) == true else { return }
      guard order == nil else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: "`order` and `orderByTime` contradict each other"))
      }
      order = .byTime
    }

    /// The changes of the library, without the order.
    var changes: [Trip.Change] {
      var changes: [Trip.Change] = []
      if let title { changes.append(.title(title)) }
      switch description {
      case .unchanged: break
      case .removed: changes.append(.description(nil))
      case .set(let text): changes.append(.description(text))
      }
      if let started { changes.append(.started(started)) }
      switch ended {
      case .unchanged: break
      case .removed: changes.append(.ended(nil))
      case .set(let time): changes.append(.ended(time))
      }
      if let visibility { changes.append(.visibility(visibility)) }
      return changes
    }
  }
}
