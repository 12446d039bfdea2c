internal import MediaModel

/// Rules that many need, by name. Each number says where it comes from; the sources are rows of docs/requirements.md.
public enum Preset: String, Codable, Sendable, CaseIterable {
  /// The photo tray: ten files of 100 MiB, each judged by itself. The default.
  case photoTray = "photo-tray"
  /// A Mattermost server of today: ten files of 100 MiB and of 8K, all or none.
  case mattermost
  /// A multimedia message of 300 KiB.
  case mms300k = "mms-300k"
  /// A multimedia message of 600 KiB.
  case mms600k = "mms-600k"
  /// A multimedia message of 1 MiB.
  case mms1m = "mms-1m"
  /// A mail of 25 MiB as it is sent.
  case mail25m = "mail-25m"

  /// The rules of that name.
  public var rules: AttachmentRules {
    switch self {
    case .photoTray: AttachmentRules()
    case .mattermost: Self.mattermostRules
    // The default of AOSP, of Firefox OS and of mms-engine (A2).
    case .mms300k: Self.multimedia(messageBytes: 307_200)
    // 18 carriers of AOSP Messaging.
    case .mms600k: Self.multimedia(messageBytes: 614_400)
    // 71 carriers of AOSP Messaging.
    case .mms1m: Self.multimedia(messageBytes: 1_048_576)
    case .mail25m: Self.mailRules
    }
  }

  private static var mattermostRules: AttachmentRules {
    var rules = AttachmentRules()
    // Ten from server 6.0 on (C2); 100 MiB is the server's default (C5).
    rules.maxAttachments = 10
    rules.maxFileBytes = 104_857_600
    // 7680 × 4320 (C21).
    rules.maxPixels = 33_177_600
    // What the app falls back to when the server does not say (C14).
    rules.maxTextScalars = 4_000
    // C4; the whole pick is refused.
    rules.batch = .allOrNothing
    // The type is taken from the name (C24), nothing is compared (C8), and a broken image is kept as a plain file (C21).
    rules.refusedMismatches = []
    rules.refusesSameAsset = false
    rules.refusesSameContent = false
    rules.refusesDamagedFiles = false
    return rules
  }

  /// - Parameter messageBytes: What the operator takes, headers and all.
  private static func multimedia(messageBytes: Int) -> AttachmentRules {
    var rules = AttachmentRules()
    // mmsd-tng takes so many parts.
    rules.maxAttachments = 25
    rules.maxFileBytes = nil
    // 5 KiB for headers and SMIL (A2).
    rules.maxMessageBytes = messageBytes - 5_120
    // What a composer offers, and text parts (A1).
    rules.allowedKinds = [.image, .video, .audio, .contact, .text]
    // Images are accepted and made smaller, nothing else is (A3).
    rules.shrinksImages = true
    return rules
  }

  private static var mailRules: AttachmentRules {
    var rules = AttachmentRules()
    // A mail states no number of parts.
    rules.maxAttachments = nil
    rules.maxFileBytes = nil
    // 25 MiB as the servers count them, which is after encoding: base64 makes lines of 78 bytes out of 57 (RFC 2045 §6.8). Before
    // that, 64 KiB are left for headers, the text's HTML form and the boundaries.
    rules.maxMessageBytes = (26_214_400 - 65_536) / 78 * 57
    rules.refusesDamagedFiles = false
    return rules
  }
}
