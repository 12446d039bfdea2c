internal import AttachmentPolicy
internal import MediaModel

/// Bytes of an SMS.
enum SMSSize {
  /// 140 for each full segment, and what the last one takes, its header counted.
  static func bytes(_ segments: SMSSegments) -> Int {
    let used = segments.perSegment - segments.available
    guard segments.count > 1 || used > 0 else { return 0 }
    let last =
      segments.alphabet == .gsm7
      ? ((160 - segments.perSegment + used) * 7 + 7) / 8 : 140 - 2 * (segments.perSegment - used)
    return 140 * (segments.count - 1) + last
  }
}

/// Bytes of a multimedia message as it would be sent: never fewer than the encoder writes.
struct MessageSize {
  /// The fields before the body.
  let headers: Int
  /// The SMIL part with its header.
  let smil: Int
  /// The texts and attachments with their headers, in their order.
  let parts: [Int]
  /// All of it.
  var total: Int { parts.reduce(headers + smil) { Self.sum($0, $1) } }

  /// The size of a message that goes to everybody in its send list.
  init(of composition: MessageComposition) {
    let recipients = composition.sendList.map { $0.utf8.count + Self.recipientOverhead }
    headers = Self.fixedHeaders + recipients.reduce(0, +) + (composition.sentSubject.map { $0.utf8.count + 8 } ?? 0)
    smil = Self.fixedSMIL + composition.content.count * Self.slide
    parts = composition.content.map { item in
      switch item {
      case .text(let text): Self.sum(text.utf8.count, Self.textPartHeader)
      case .attachment(let item):
        Self.sum(max(0, item.attachment.info.bytes), Self.partHeader + item.attachment.info.type.rawValue.utf8.count)
      }
    }
  }

  /// Type, transaction, version, date, sender, class, expiry, priority, reports and the Content-Type of the body.
  private static let fixedHeaders = 192
  /// Field, length, charset and `/TYPE=PLMN`.
  private static let recipientOverhead = 20
  /// The SMIL part's header and what its text has without slides.
  private static let fixedSMIL = 512
  /// A `par` with its element: two names of 40 characters at most, which may each take five times as many as escaped `&`.
  private static let slide = 300
  /// Lengths, type, charset, name, Content-ID and Content-Location of `text_N.txt`.
  private static let textPartHeader = 64
  /// Lengths, and three names of 40 characters at most.
  private static let partHeader = 152

  /// Stops at the largest number: the sizes are a file's, and nobody can say how large that claims to be.
  private static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
