internal import MediaModel

/// The JSON form of rules: an absent key has its default, and null means no limit.
///
/// Null is an error for a rule that is not a limit, and so is an unknown key. `preset` selects the rules that provide
/// the defaults. It is decoded but never encoded.
extension AttachmentRules: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case preset
    case allowsAttachments, maxAttachments, maxFileBytes, maxMessageBytes, maxPixels, maxDuration, maxTextScalars
    case allowedKinds, allowedTypes, kindLimits, refusedMismatches
    case refusesDamagedFiles, refusesSameAsset, refusesSameContent, batch, shrinksImages
  }

  /// Decodes rules; negative limits are an error.
  public init(from decoder: any Decoder) throws {
    let reader = try StrictReader(decoder, keyedBy: CodingKeys.self)
    self = try reader.value(.preset, as: Preset.self)?.rules ?? AttachmentRules()
    try reader.read(.allowsAttachments, into: &allowsAttachments)
    try reader.readLimit(.maxAttachments, into: &maxAttachments)
    try reader.readLimit(.maxFileBytes, into: &maxFileBytes)
    try reader.readLimit(.maxMessageBytes, into: &maxMessageBytes)
    try reader.readLimit(.maxPixels, into: &maxPixels)
    try reader.readLimit(.maxDuration, into: &maxDuration)
    try reader.readLimit(.maxTextScalars, into: &maxTextScalars)
    try reader.readOptional(.allowedKinds, into: &allowedKinds)
    try reader.readOptional(.allowedTypes, into: &allowedTypes)
    if let limits = try reader.value(.kindLimits, as: [String: KindLimits].self) {
      kindLimits = [:]
      for (name, limit) in limits {
        guard let kind = MediaKind(rawValue: name) else {
          throw reader.refusal(
            of: .kindLimits,
            "unknown kind '\(name)'; expected \(MediaKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        kindLimits[kind] = limit
      }
    }
    try reader.read(.refusedMismatches, into: &refusedMismatches)
    try reader.read(.refusesDamagedFiles, into: &refusesDamagedFiles)
    try reader.read(.refusesSameAsset, into: &refusesSameAsset)
    try reader.read(.refusesSameContent, into: &refusesSameContent)
    try reader.read(.batch, into: &batch)
    try reader.read(.shrinksImages, into: &shrinksImages)
  }

  /// Encodes every rule, with null for no limit. Sets are sorted by name, so that equal rules have equal bytes.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(allowsAttachments, forKey: .allowsAttachments)
    try values.encode(maxAttachments, forKey: .maxAttachments)
    try values.encode(maxFileBytes, forKey: .maxFileBytes)
    try values.encode(maxMessageBytes, forKey: .maxMessageBytes)
    try values.encode(maxPixels, forKey: .maxPixels)
    try values.encode(maxDuration, forKey: .maxDuration)
    try values.encode(maxTextScalars, forKey: .maxTextScalars)
    try values.encode(allowedKinds?.map(\.rawValue).sorted(), forKey: .allowedKinds)
    try values.encode(allowedTypes?.map(\.rawValue).sorted(), forKey: .allowedTypes)
    try values.encode(
      Dictionary(uniqueKeysWithValues: kindLimits.map { ($0.key.rawValue, $0.value) }), forKey: .kindLimits)
    try values.encode(refusedMismatches.map(\.rawValue).sorted(), forKey: .refusedMismatches)
    try values.encode(refusesDamagedFiles, forKey: .refusesDamagedFiles)
    try values.encode(refusesSameAsset, forKey: .refusesSameAsset)
    try values.encode(refusesSameContent, forKey: .refusesSameContent)
    try values.encode(batch, forKey: .batch)
    try values.encode(shrinksImages, forKey: .shrinksImages)
  }
}

/// `{"maxFileBytes":…,"maxDuration":…}`. An absent key has the common limit. Null is an error: it would be ambiguous.
extension AttachmentRules.KindLimits: Codable {
  private enum CodingKeys: CodingKey, CaseIterable { case maxFileBytes, maxDuration }

  /// Decodes limits; negative ones are an error.
  public init(from decoder: any Decoder) throws {
    let reader = try StrictReader(decoder, keyedBy: CodingKeys.self)
    self.init(maxFileBytes: try reader.value(.maxFileBytes), maxDuration: try reader.value(.maxDuration))
    if let maxFileBytes, maxFileBytes < 0 { throw reader.negativeLimit(maxFileBytes, of: .maxFileBytes) }
    if let maxDuration, maxDuration < 0 { throw reader.negativeLimit(maxDuration, of: .maxDuration) }
  }

  /// Encodes only the limits that override the common ones.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(maxFileBytes, forKey: .maxFileBytes)
    try values.encodeIfPresent(maxDuration, forKey: .maxDuration)
  }
}
