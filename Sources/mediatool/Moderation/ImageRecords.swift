internal import FileSupport
internal import MediaLibrary
internal import MediaModel

/// An image that is blocked, or is no more, in JSON.
struct ImageBlockRecord: Encodable {
  let image: String
  let blocked: Bool
  let distance: Int?
  let reason: String?
  let actor: String?
  let time: Int?

  init(_ hash: Moderation.ImageHash, isBlocked: Bool, _ block: Moderation.ImageBlock?) {
    (image, blocked, distance) = ("\(hash)", isBlocked, block?.distance)
    (reason, actor, time) = (block?.decision.reason, block?.decision.actor, block?.decision.time)
  }

  init(_ block: Moderation.ImageBlock) { self.init(block.hash, isBlocked: true, block) }

  static let columns = [
    Table.Column(title: "DAY", width: 10), Table.Column(title: "BY", width: 4...16, priority: 1),
    Table.Column(title: "IMAGE", width: 16), Table.Column(title: "BITS", width: 4, alignsRight: true),
    Table.Column(title: "REASON", width: 10...40, priority: 2),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell(time.map(TimeArgument.day)), Table.Cell(actor, .quiet), Table.Cell(image),
      Table.Cell(distance.map { "\($0)" }), Table.Cell(reason),
    ]
  }
}

/// A file that looks like an image, in JSON.
struct SimilarRecord: Encodable {
  let hash: Moderation.ImageHash
  let match: Moderation.ImageIndex.Match
  let path: PathBytes?

  init(_ hash: Moderation.ImageHash, _ match: Moderation.ImageIndex.Match, path: PathBytes?) {
    (self.hash, self.match, self.path) = (hash, match, path)
  }

  private enum Keys: CodingKey { case file, distance, image }

  func encode(to encoder: any Encoder) throws {
    if let path { try PathKeys.encode(path, as: "path", to: encoder) }
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(match.file, forKey: .file)
    try container.encode(match.distance, forKey: .distance)
    try container.encode("\(hash)", forKey: .image)
  }

  static let columns = [
    Table.Column(title: "IMAGE", width: 16), Table.Column(title: "BITS", width: 4, alignsRight: true),
    Table.Column(title: "FILE", width: 8, priority: 1, alignsRight: true),
    Table.Column(title: "PATH", width: 10...60, keepsEnd: true),
  ]

  var cells: [Table.Cell] {
    [
      Table.Cell("\(hash)"), Table.Cell("\(match.distance)"), Table.Cell("\(match.file.rawValue)"),
      Table.Cell(path: path ?? PathBytes("")),
    ]
  }
}

/// An image as an argument: 16 hexadecimal digits, or a file of the library.
enum ImageHashArgument {
  /// The hash, and the file if one is named. A file that is not in the library, or of which the library has no image with contrast, is reported.
  static func image(
    of name: PathBytes, in library: Library
  ) throws -> (hash: Moderation.ImageHash, file: FileID?)? {
    if let hash = Moderation.ImageHash(hexadecimal: name.text) { return (hash, nil) }
    guard let id = try LibraryPath.id(of: name, in: library.catalogue) else { return nil }
    if let thumbhash = try library.catalogue.file(id)?.placeholder?.thumbhash,
      let hash = Moderation.ImageHash(thumbhash: thumbhash)
    {
      return (hash, id)
    }
    Diagnostics.note("no perceptual hash is stored for \(DisplayText.visible(name)), so similar images cannot be found")
    return nil
  }
}
