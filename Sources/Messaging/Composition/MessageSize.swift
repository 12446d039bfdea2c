internal import AttachmentPolicy
internal import MMSCodec
internal import MediaModel

/// Computes the size of an SMS.
enum SMSSize {
  /// 140 bytes per full segment, and the used bytes of the last one including its header.
  static func bytes(_ segments: SMSSegmenter.Segments) -> Int {
    let used = segments.perSegment - segments.available
    guard segments.count > 1 || used > 0 else { return 0 }
    let last =
      segments.alphabet == .gsm7
      ? ((160 - segments.perSegment + used) * 7 + 7) / 8 : 140 - 2 * (segments.perSegment - used)
    return 140 * (segments.count - 1) + last
  }
}

/// Computes the size of an encoded multimedia message, including headers, SMIL and part headers (D6.13).
enum MessageSize {
  /// A transaction ID of maximum length: a UUID, a round, a recipient.
  private static let transactionID = String(repeating: "0", count: 40)

  /// The size in bytes of the M-Send.req.
  ///
  /// The message is encoded without its files, and their sizes are added. A message with more parts than the format
  /// allows cannot be encoded; its size is `Int.max`.
  static func bytes(of composition: MessageComposition) -> Int {
    bytes(of: composition) { max(0, $0.info.bytes) }
  }

  /// The size in bytes if every image whose size can be reduced had only the bytes that are reserved for it.
  static func leastBytes(of composition: MessageComposition) -> Int {
    bytes(of: composition) { attachment in
      let bytes = max(0, attachment.info.bytes)
      return attachment.canShrink ? min(bytes, AttachmentRules.leastImageBytes) : bytes
    }
  }

  private static func bytes(of composition: MessageComposition, counting size: (MediaAttachment) -> Int) -> Int {
    // A date of four bytes, as every date until 2106.
    let options = MessageComposition.SendOptions(transactionID: transactionID, date: Int(UInt32.max))
    guard let message = try? composition.sendRequest(options, bytes: { _ in [] }),
      let written = try? message.encoded()
    else { return .max }
    return composition.attachments.reduce(written.count) { sum, attachment in
      let bytes = size(attachment)
      // An empty body has a length field of one byte, any other one byte per seven bits.
      let length = max(1, (Int.bitWidth - bytes.leadingZeroBitCount + 6) / 7)
      let (with, overflow) = sum.addingReportingOverflow(bytes)
      return overflow || with > .max - length ? .max : with + length - 1
    }
  }
}
