internal import FileSupport
internal import MediaModel

/// One input of a shard: its line in the results, which is also its `.json` in the tar file.
///
/// The facts of `probe` and the images of `thumbnail`, with the names of members instead of files.
struct ShardRecord: Encodable, Sendable {
  /// An image in the tar file.
  struct Image: Encodable, Sendable {
    let rendition: ThumbnailRecord.Written.Facts
    /// The name of the member.
    let file: String

    private enum Keys: CodingKey { case file }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(file, forKey: .file)
      try rendition.encode(to: encoder)
    }
  }

  let key: String
  /// The number of the line in the list, or of the member in the tar file of inputs, from 1.
  let line: Int
  let facts: ProbeRecord
  var renditions: [Image] = []
  var placeholder: Placeholder?
  var posterTime: Double?
  var icon: MediaIcon?
  /// Why the input has failed.
  var error: MediaFailure?

  private enum Keys: CodingKey { case key, line, renditions, placeholder, posterTime, icon, error }

  func encode(to encoder: any Encoder) throws {
    try facts.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(key, forKey: .key)
    try container.encode(line, forKey: .line)
    try container.encode(renditions, forKey: .renditions)
    try container.encodeIfPresent(placeholder, forKey: .placeholder)
    try container.encodeIfPresent(posterTime?.rounded(toPlaces: 3), forKey: .posterTime)
    try container.encodeIfPresent(icon, forKey: .icon)
    if facts.error == nil { try container.encodeIfPresent(ReportedFailure(error), forKey: .error) }
  }
}
