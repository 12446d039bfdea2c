/// The versioned JSON form of a draft. Every version that was ever written can be read, because drafts outlive
/// programs.
///
/// Version 1: `text`, and `items` of `attachment` and `upload`. A change of meaning takes the next version and a case
/// in the decoder. A new optional key does not. The tests have a file for each version.
extension AttachmentDraft: Codable {
  /// The version of the JSON format, stored under the key `version`. It is raised when the meaning of a key changes.
  public static let version = 1

  private enum CodingKeys: CodingKey { case version, text, items }

  /// Decodes a draft of any version up to ``version``.
  ///
  /// The file is not trusted: of two items with the same id only the first is kept, and numbers are clamped to their
  /// range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let version = try values.decode(Int.self, forKey: .version)
    guard (1...Self.version).contains(version) else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: values,
        debugDescription: "draft version \(version) is not supported; supported versions are 1 to \(Self.version)")
    }
    self.init(
      text: try values.decode(String.self, forKey: .text), items: try values.decode([Item].self, forKey: .items))
  }

  /// Encodes a draft as ``version``.
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

  /// Decodes an item; numbers are clamped to their range.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(MediaAttachment.self, forKey: .attachment),
      upload: try values.decode(AttachmentDraft.UploadState.self, forKey: .upload))
  }

  /// Writes the attachment with its crop and texts, and the state of its upload.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(attachment, forKey: .attachment)
    try values.encode(upload, forKey: .upload)
  }
}
