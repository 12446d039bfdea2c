internal import AttachmentPolicy
internal import MediaModel

/// `{"name":…, "maxMessageBytes":…, "maxImageSize":{"width":…,"height":…}, "contentClass":…, …}`: the keys are the
/// property names.
///
/// An absent key has its default, and an unknown key is an error. A `maxSMSSegments` of 0 means never.
extension CarrierProfile: Codable {
  private enum CodingKeys: CodingKey, CaseIterable {
    case name, maxMessageBytes, maxImageSize, contentClass, maxRecipients, maxSubjectLength, maxSMSSegments
    case groupsRecipients, maxAttachments, segmenter
  }

  /// Decodes a profile. A number below 1 is an error for keys that must be positive.
  public init(from decoder: any Decoder) throws {
    let reader = try StrictReader(decoder, keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys, _ value: inout Int) throws {
      guard let read = try reader.value(key, as: Int.self) else { return }
      guard read > 0 else { throw reader.refusal(of: key, "the value must be at least 1, but is \(read)") }
      value = read
    }
    self.init()
    try reader.read(.name, into: &name)
    try number(.maxMessageBytes, &maxMessageBytes)
    try number(.maxRecipients, &maxRecipients)
    try number(.maxSubjectLength, &maxSubjectLength)
    try number(.maxAttachments, &maxAttachments)
    if let read = try reader.value(.maxImageSize, as: StrictSize.self) { maxImageSize = read.size }
    try reader.read(.contentClass, into: &contentClass)
    try reader.read(.groupsRecipients, into: &groupsRecipients)
    try reader.read(.segmenter, into: &segmenter)
    if let read = try reader.value(.maxSMSSegments, as: Int.self) { maxSMSSegments = read > 0 ? read : nil }
  }

  /// Encodes every key.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(maxMessageBytes, forKey: .maxMessageBytes)
    try values.encode(maxImageSize, forKey: .maxImageSize)
    try values.encode(contentClass, forKey: .contentClass)
    try values.encode(maxRecipients, forKey: .maxRecipients)
    try values.encode(maxSubjectLength, forKey: .maxSubjectLength)
    try values.encode(maxSMSSegments ?? 0, forKey: .maxSMSSegments)
    try values.encode(groupsRecipients, forKey: .groupsRecipients)
    try values.encode(maxAttachments, forKey: .maxAttachments)
    try values.encode(segmenter, forKey: .segmenter)
  }
}

/// A size with both sides and no other keys.
private struct StrictSize: Decodable {
  let size: PixelSize

  private enum CodingKeys: CodingKey, CaseIterable {
    case width, height
  }

  init(from decoder: any Decoder) throws {
    _ = try StrictReader(decoder, keyedBy: CodingKeys.self)
    size = try PixelSize(from: decoder)
  }
}
