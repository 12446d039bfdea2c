public import AttachmentPolicy
internal import MediaLibrary

extension MediaService {
  /// Rules as a request names them: a preset, or an object as in a policy file.
  public struct PolicyChoice: Decodable, Sendable {
    /// What the choice means: the rules of the preset, or those of the object.
    public var rules: AttachmentRules

    /// A choice of rules that need no name, for callers in Swift.
    public init(_ rules: AttachmentRules) { self.rules = rules }

    /// Reads a string as the name of a preset, and an object as in a policy file. An unknown name is an error that lists the presets.
    public init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(String.self) {
        guard let preset = AttachmentRules.Preset(rawValue: name) else {
          let names = AttachmentRules.Preset.allCases.map(\.rawValue).joined(separator: ", ")
          throw DecodingError.dataCorrupted(
            DecodingError.Context(
              codingPath: decoder.codingPath, debugDescription: "unknown preset '\(name)'; expected \(names)"))
        }
        rules = preset.rules
      } else {
        rules = try AttachmentRules(from: decoder)
      }
    }
  }

  /// The verdict on attachments of the caller as one selection: which are accepted, every reason for which others are refused, and what would make
  /// them fit. Nothing is changed.
  /// - Parameters:
  ///   - ids: The attachments, in order; one may be named twice.
  ///   - draft: The draft to which they would be added. Default nil: an empty one.
  ///   - text: The text of the message, if no draft is given. Default: empty.
  ///   - policy: Default nil: the rules of the service.
  /// - Throws: `notFound` for an attachment or a draft that is not the caller's.
  public func check(
    _ ids: [String], of caller: Caller, draft: String? = nil, text: String = "", policy: PolicyChoice? = nil
  ) async throws(ServiceError) -> Verdict {
    try caller.require(.read)
    var given = AttachmentDraft(text: text)
    if let draft { given = try await openDraft(draft, of: caller).draft }
    let rules = policy?.rules ?? configuration.rules
    let attachments = try await draftAttachments(ids.map { DraftAddition(attachment: $0) }, of: caller)
    return rules.verdict(for: attachments, given: given)
  }
}
