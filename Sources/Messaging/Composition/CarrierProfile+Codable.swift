internal import MediaModel

/// `{"name":…, "maxMessageBytes":…, "maxImageSize":{"width":…,"height":…}, "contentClass":…, …}`: the names of the properties. An absent key has its
/// default; `maxSMSSegments` 0 stands for never.
extension CarrierProfile: Codable {
  private enum CodingKeys: CodingKey {
    case name, maxMessageBytes, maxImageSize, contentClass, maxRecipients, maxSubjectLength, maxSMSSegments
    case groupsRecipients, maxAttachments, segmenter
  }

  /// Reads a profile. A number below 1, where it makes no sense, is refused with its key.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys, _ value: inout Int) throws {
      guard let read = try values.decodeIfPresent(Int.self, forKey: key) else { return }
      guard read > 0 else {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "\(read) is below 1")
      }
      value = read
    }
    self.init()
    if let name = try values.decodeIfPresent(String.self, forKey: .name) { self.name = name }
    try number(.maxMessageBytes, &maxMessageBytes)
    try number(.maxRecipients, &maxRecipients)
    try number(.maxSubjectLength, &maxSubjectLength)
    try number(.maxAttachments, &maxAttachments)
    if let size = try values.decodeIfPresent(PixelSize.self, forKey: .maxImageSize) { maxImageSize = size }
    if let read = try values.decodeIfPresent(ContentClass.self, forKey: .contentClass) { contentClass = read }
    if let read = try values.decodeIfPresent(Bool.self, forKey: .groupsRecipients) { groupsRecipients = read }
    if let read = try values.decodeIfPresent(SMSSegmenter.self, forKey: .segmenter) { segmenter = read }
    if let read = try values.decodeIfPresent(Int.self, forKey: .maxSMSSegments) {
      maxSMSSegments = read > 0 ? read : nil
    }
  }

  /// Writes every key.
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
