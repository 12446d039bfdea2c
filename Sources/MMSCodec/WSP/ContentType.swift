public import Encodings
public import MediaModel

/// A Content-type-value (WAP-230-WSP §8.4.2.24): a media type and its parameters, in order.
public struct ContentType: Hashable, Sendable {
  /// The media type itself.
  public enum Media: Hashable, Sendable {
    /// A type by name. One with an assigned number is written as that number.
    case name(TextString)
    /// A number that this has no name for.
    case unassigned(Int)
  }

  /// The type without its parameters, such as `image/jpeg`.
  public var media: Media
  /// The parameters, in order.
  public var parameters: [WSPHeader.Parameter]

  /// A type by its assigned number or its name; by default without parameters.
  public init(media: Media, parameters: [WSPHeader.Parameter] = []) {
    self.media = media
    self.parameters = parameters
  }

  /// The type of that name, such as `image/jpeg`.
  public init(_ name: String, parameters: [WSPHeader.Parameter] = []) {
    self.init(media: .name(TextString(name)), parameters: parameters)
  }

  /// The media type in the project's words; `application/octet-stream` for a number without a name.
  public var mediaType: MediaType {
    switch media {
    case .name(let name): MediaType(name.text)
    case .unassigned: MediaType("application/octet-stream")
    }
  }

  /// Whether what it describes is a WSP multipart: parts behind their lengths, without boundaries.
  public var isMultipart: Bool { mediaType.rawValue.hasPrefix("application/vnd.wap.multipart.") }

  /// Whether it is a presentation: `application/smil`, and the newer `application/smil+xml`.
  public var isSMIL: Bool { ["application/smil", "application/smil+xml"].contains(mediaType.rawValue) }

  /// The first value of a parameter, in whichever of its forms.
  public subscript(kind: WSPHeader.Parameter.Kind) -> WSPHeader.Parameter.Value? {
    parameters.first { $0.isOf(kind) }?.value
  }

  /// The text of a parameter; nil when there is none.
  public func text(_ kind: WSPHeader.Parameter.Kind) -> TextString? {
    if kind == .type { return self[kind].flatMap(Self.typeName) }
    return self[kind]?.text
  }

  /// The media type that a parameter's value names, by number or in words.
  package static func typeName(_ value: WSPHeader.Parameter.Value) -> TextString? {
    if case .integer(let number) = value, case .name(let name) = Media.assigned(number) { return name }
    return value.text
  }

  /// The declared charset, by number or by name; nil when none is declared or the name is not known.
  public var charset: Charset? {
    switch self[.charset] {
    case .integer(let mib): Charset(mib: mib)
    case .text(let name), .quoted(let name): Charset(name: name.text)
    case .quality, nil: nil
    }
  }
}

extension WSPReader {
  /// Content-type-value of a part: the type alone, or behind a length with parameters. Nil when there is no type.
  mutating func contentType() -> ContentType? {
    guard let first = peek() else { return nil }
    if first >= 0x80 { return token().map { ContentType(media: .assigned(Int($0 & 0x7F))) } }
    if first >= 0x20 { return textToEnd().flatMap { $0.octets.isEmpty ? nil : ContentType(media: .name($0)) } }
    var inside = self
    guard let length = inside.valueLength() else { return nil }
    let end = inside.position + length
    inside = inside.reader(of: inside.position..<end)
    defer { move(to: end) }
    return inside.generalContentType(upTo: end)
  }

  /// Content-type-value of a message, which its body follows at once. Nil when it is cut off or there is no type.
  ///
  /// Some phones count two octets too few: the last parameter then ends a little behind the declared end, and the body begins
  /// behind that.
  mutating func messageContentType() -> (type: ContentType, overrun: Bool)? {
    guard let first = peek() else { return nil }
    if first >= 0x20 && first < 0x80 {
      return text().flatMap { $0.octets.isEmpty ? nil : (ContentType(media: .name($0)), false) }
    }
    var inside = self
    if first < 0x20, let length = inside.valueLength() {
      let end = inside.position + length
      let type = inside.generalContentType(upTo: end)
      let overrun = inside.position - end
      if let type, overrun > 0, overrun <= Self.overrunLimit {
        self = inside
        return (type, true)
      }
    }
    return contentType().map { ($0, false) }
  }

  /// A well-known type or a name, then the parameters that begin before `end`.
  private mutating func generalContentType(upTo end: Int) -> ContentType? {
    guard position < end, let next = peek() else { return nil }
    if next >= 0x80 || next < 0x20 {
      return integer().map { ContentType(media: .assigned($0), parameters: parameters(upTo: end)) }
    }
    guard let name = textToEnd(), !name.octets.isEmpty else { return nil }
    return ContentType(media: .name(name), parameters: parameters(upTo: end))
  }

  /// Octets by which a declared length may be too short; more is a parameter that was misread.
  private static let overrunLimit = 8
}

extension WSPWriter {
  /// Content-type-value in its shortest form.
  mutating func contentType(_ type: ContentType) throws(MMSMessage.EncodingError) {
    guard !type.parameters.isEmpty || (type.media.number ?? 0) > 127 else { return try media(type.media) }
    try counted { (writer) throws(MMSMessage.EncodingError) in
      try writer.media(type.media)
      try writer.parameters(type.parameters)
    }
  }

  private mutating func media(_ media: ContentType.Media) throws(MMSMessage.EncodingError) {
    if let number = media.number { return try integer(number) }
    guard case .name(let name) = media, !name.octets.isEmpty else { throw MMSMessage.EncodingError(.unfitName) }
    try text(name)
  }
}
