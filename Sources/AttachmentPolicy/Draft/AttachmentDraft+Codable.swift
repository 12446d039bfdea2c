/// A draft outlives the program that wrote it: it is written with a version, and every version that was ever written can be read.
///
/// Version 1: `text`, and `items` of `attachment` and `upload`. A change of meaning gets the next number and a case in the reader;
/// a key that may be absent does not. Tests hold a file of each version.
extension AttachmentDraft: Codable {
  /// The version that is written.
  public static let version = 1

  private enum CodingKeys: CodingKey { case version, text, items }

  /// Reads a draft of any version up to ``version``.
  ///
  /// What stands in a file is not believed: of two items with one id the first stays, and numbers are brought into their range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let version = try values.decode(Int.self, forKey: .version)
    guard (1...Self.version).contains(version) else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values,
        debugDescription: "a draft of version \(version); this program reads 1…\(Self.version)")
    }
    self.init(
      text: try values.decode(String.self, forKey: .text), items: try values.decode([Item].self, forKey: .items))
  }

  /// Writes a draft of ``version``.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Self.version, forKey: .version)
    try values.encode(text, forKey: .text)
    try values.encode(items, forKey: .items)
  }
}

/// `{"attachment":…,"upload":…}`.
extension AttachmentDraft.Item: Codable {
  private enum CodingKeys: CodingKey { case attachment, upload }

  /// Reads an item; its numbers are brought into their range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(MediaAttachment.self, forKey: .attachment),
      upload: try values.decode(UploadState.self, forKey: .upload))
  }

  /// Writes an item.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(attachment, forKey: .attachment)
    try values.encode(upload, forKey: .upload)
  }
}
