public import MediaLibrary

extension MediaService {
  /// A moment to post: of an attachment of the caller, or a note. What is nil comes from the attachment.
  public struct NewMoment: Decodable, Sendable {
    /// The attachment: a photo, a video or audio. Default nil: a note, whose text is ``caption``.
    public var attachment: String?
    /// The title. Default nil: none.
    public var title: String?
    /// The caption, or the text of a note.
    public var caption: String?
    /// The time in seconds since 1970. Default nil: that of the attachment; of a note, now.
    public var time: Int?
    /// Seconds east of UTC, if ``time`` is given.
    public var utcOffset: Int?
    /// The location. Not stored while the owner's setting is `Moment.LocationSharing.none`. Default: that of the attachment.
    public var location = Moment.New.LocationChoice.ofFile
    /// Who may see it. Default: the owner.
    public var visibility = Moment.Visibility.private
    /// The ids of trips of the caller to which it is added. Default nil: the open trip, if any.
    public var trips: [String]?

    /// A photo, video or audio file of the caller, with the title, time and location that it has.
    public init(attachment: String) { self.attachment = attachment }

    /// A moment without a file, whose caption is this text.
    public init(note text: String) { caption = text }

    private enum Keys: String, CodingKey, CaseIterable {
      case attachment, title, caption, time, utcOffset, location, visibility, trips
    }

    /// Decodes a request. A key that is unknown is an error, so that a spelling mistake loses nothing.
    public init(from decoder: any Decoder) throws {
      let values = try MergePatch(from: decoder, Keys.self)
      attachment = try values.value(.attachment)
      (title, caption) = (try values.value(.title), try values.value(.caption))
      (time, utcOffset) = (try values.value(.time), try values.value(.utcOffset))
      visibility = try values.value(.visibility) ?? .private
      trips = try values.value(.trips)
      switch try values.field(.location, as: StatedLocation.self) {
      case .unchanged: location = .ofFile
      case .removed: location = .given(nil)
      case .set(let stated): location = .given(stated.value)
      }
    }
  }

  /// What an owner changes in a moment: a JSON merge patch (RFC 7396), in which an absent key changes nothing and null removes.
  public struct MomentChange: Decodable, Sendable {
    /// The new title. Unchanged by default.
    public var title = AttachmentChange.Field<String>.unchanged
    /// The caption, or the text of a note.
    public var caption = AttachmentChange.Field<String>.unchanged
    /// The time in seconds since 1970. Default nil: unchanged.
    public var time: Int?
    /// Seconds east of UTC, if ``time`` is given. Default nil: not known.
    public var utcOffset: Int?
    /// The new location. Unchanged by default.
    public var location = AttachmentChange.Field<Location>.unchanged
    /// Who may see it. Default nil: unchanged.
    public var visibility: Moment.Visibility?
    /// The version on which the change was made. Default nil: any.
    public var version: Int?

    /// A change of nothing.
    public init() {}

    private enum Keys: String, CodingKey, CaseIterable {
      case title, caption, time, utcOffset, location, visibility, version
    }

    /// Decodes a merge patch. A key that cannot be changed is an error.
    public init(from decoder: any Decoder) throws {
      let values = try MergePatch(from: decoder, Keys.self)
      (title, caption) = (try values.field(.title), try values.field(.caption))
      (time, utcOffset) = (try values.value(.time), try values.value(.utcOffset))
      (visibility, version) = (try values.value(.visibility), try values.value(.version))
      switch try values.field(.location, as: StatedLocation.self) {
      case .unchanged: location = .unchanged
      case .removed: location = .removed
      case .set(let stated): location = .set(stated.value)
      }
    }

    /// The changes of the library.
    var changes: [Moment.Change] {
      var changes: [Moment.Change] = []
      switch title {
      case .unchanged: break
      case .removed: changes.append(.title(nil))
      case .set(let text): changes.append(.title(text))
      }
      switch caption {
      case .unchanged: break
      case .removed: changes.append(.caption(nil))
      case .set(let text): changes.append(.caption(text))
      }
      switch location {
      case .unchanged: break
      case .removed: changes.append(.location(nil))
      case .set(let location): changes.append(.location(location))
      }
      if let time { changes.append(.time(time, utcOffset: utcOffset)) }
      if let visibility { changes.append(.visibility(visibility)) }
      return changes
    }
  }
}
