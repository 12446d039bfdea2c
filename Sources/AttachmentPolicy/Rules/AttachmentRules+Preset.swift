internal import MediaModel

extension AttachmentRules {
  /// Predefined rules for common services. The numbers cite rows of docs/requirements.md.
  public enum Preset: String, Codable, Sendable, CaseIterable {
    /// The photo tray: ten files of 100 MiB, each checked by itself. The default.
    case photoTray = "photo-tray"
    /// A current Mattermost server: ten files of up to 100 MiB and 8K resolution, all or none.
    case mattermost
    /// A multimedia message of 300 KiB.
    case mms300k = "mms-300k"
    /// A multimedia message of 600 KiB.
    case mms600k = "mms-600k"
    /// A multimedia message of 1 MiB.
    case mms1m = "mms-1m"
    /// An e-mail of 25 MiB after encoding.
    case mail25m = "mail-25m"

    /// The limits, types and switches of the preset, which the command's `--policy` and the key `preset` of a policy file name.
    public var rules: AttachmentRules {
      switch self {
      case .photoTray: AttachmentRules()
      case .mattermost: Self.mattermostRules
      // The default of AOSP, Firefox OS and mms-engine (A2).
      case .mms300k: Self.multimedia(messageBytes: 307_200)
      // 18 carriers in AOSP Messaging.
      case .mms600k: Self.multimedia(messageBytes: 614_400)
      // 71 carriers in AOSP Messaging.
      case .mms1m: Self.multimedia(messageBytes: 1_048_576)
      case .mail25m: Self.mailRules
      }
    }

    private static var mattermostRules: AttachmentRules {
      var rules = AttachmentRules()
      // Ten since server 6.0 (C2); 100 MiB is the server's default (C5).
      rules.maxAttachments = 10
      rules.maxFileBytes = 104_857_600
      // 7680 × 4320 (C21).
      rules.maxPixels = 33_177_600
      // The app's fallback when the server does not state a limit (C14).
      rules.maxTextScalars = 4_000
      // C4: the whole selection is refused.
      rules.batch = .allOrNothing
      // The type comes from the file name (C24) without a comparison (C8), and a broken image is stored as a plain file
      // (C21).
      rules.refusedMismatches = []
      rules.refusesSameAsset = false
      rules.refusesSameContent = false
      rules.refusesDamagedFiles = false
      return rules
    }

    /// - Parameter messageBytes: Maximum size of a message that the carrier accepts, including headers.
    private static func multimedia(messageBytes: Int) -> AttachmentRules {
      var rules = AttachmentRules()
      // The maximum number of parts in mmsd-tng.
      rules.maxAttachments = 25
      rules.maxFileBytes = nil
      // 5 KiB for headers and SMIL (A2).
      rules.maxMessageBytes = messageBytes - 5_120
      // The kinds that a composer offers, and text parts (A1).
      rules.allowedKinds = [.image, .video, .audio, .contact, .text]
      // Images over the limit are accepted and reduced in size; other files are refused (A3).
      rules.shrinksImages = true
      return rules
    }

    private static var mailRules: AttachmentRules {
      var rules = AttachmentRules()
      // E-mail has no maximum number of parts.
      rules.maxAttachments = nil
      rules.maxFileBytes = nil
      // Servers count the 25 MiB after encoding: base64 turns 57 bytes into a line of 78 (RFC 2045 §6.8). 64 KiB are
      // reserved for headers, the HTML part and the boundaries.
      rules.maxMessageBytes = (26_214_400 - 65_536) / 78 * 57
      rules.refusesDamagedFiles = false
      return rules
    }
  }
}
