internal import MediaModel

/// In JSON a key that is absent has its default, and null is no limit. A key that is not known is an error, for a misspelt limit would
/// hold nobody back. `preset` names the rules whose values absent keys have; it is read, never written.
extension AttachmentRules: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case preset
    case allowsAttachments, maxAttachments, maxFileBytes, maxMessageBytes, maxPixels, maxDuration, maxTextScalars
    case allowedKinds, allowedTypes, kindLimits, refusedMismatches
    case refusesDamagedFiles, refusesSameAsset, refusesSameContent, batch, shrinksImages
  }

  /// Any key, to find those that are not known.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads rules; limits are never negative.
  public init(from decoder: any Decoder) throws {
    let known = Set(CodingKeys.allCases.map(\.rawValue))
    if let stranger = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
      .first(where: { !known.contains($0) })
    {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "there is no rule “\(stranger)”"))
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self = try values.decodeIfPresent(Preset.self, forKey: .preset)?.rules ?? AttachmentRules()

    /// A limit: absent as it was, null for none.
    func limit<Number: Decodable & Comparable & ExpressibleByIntegerLiteral>(
      _ key: CodingKeys, _ value: inout Number?
    ) throws {
      guard values.contains(key) else { return }
      value = try values.decodeIfPresent(Number.self, forKey: key)
      if let number = value, number < 0 {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "a limit is not negative")
      }
    }
    func set<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
      if let found = try values.decodeIfPresent(Value.self, forKey: key) { value = found }
    }
    try limit(.maxAttachments, &maxAttachments)
    try limit(.maxFileBytes, &maxFileBytes)
    try limit(.maxMessageBytes, &maxMessageBytes)
    try limit(.maxPixels, &maxPixels)
    try limit(.maxDuration, &maxDuration)
    try limit(.maxTextScalars, &maxTextScalars)
    try set(.allowsAttachments, &allowsAttachments)
    if values.contains(.allowedKinds) {
      allowedKinds = try values.decodeIfPresent(Set<MediaKind>.self, forKey: .allowedKinds)
    }
    if values.contains(.allowedTypes) {
      // Through MediaType's own initialiser, which makes names lower-case.
      allowedTypes = try values.decodeIfPresent([String].self, forKey: .allowedTypes).map {
        Set($0.map { MediaType($0) })
      }
    }
    if let limits = try values.decodeIfPresent([String: KindLimits].self, forKey: .kindLimits) {
      kindLimits = [:]
      for (name, limit) in limits {
        guard let kind = MediaKind(rawValue: name) else {
          throw DecodingError.dataCorruptedError(
            forKey: .kindLimits, in: values, debugDescription: "there is no kind “\(name)”")
        }
        guard (limit.maxFileBytes ?? 0) >= 0, (limit.maxDuration ?? 0) >= 0 else {
          throw DecodingError.dataCorruptedError(
            forKey: .kindLimits, in: values, debugDescription: "a limit is not negative")
        }
        kindLimits[kind] = limit
      }
    }
    try set(.refusedMismatches, &refusedMismatches)
    try set(.refusesDamagedFiles, &refusesDamagedFiles)
    try set(.refusesSameAsset, &refusesSameAsset)
    try set(.refusesSameContent, &refusesSameContent)
    try set(.batch, &batch)
    try set(.shrinksImages, &shrinksImages)
  }

  /// Writes every rule, no limit as null; sets in the order of their names, so that the same rules are the same bytes.
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
