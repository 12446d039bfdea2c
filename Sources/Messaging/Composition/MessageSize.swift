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

/// Bytes of a multimedia message as it is sent: what the encoder writes, headers, SMIL and part headers counted (D6.13).
enum MessageSize {
  /// As long as a transaction's name is: a UUID, a round, a recipient.
  private static let transactionID = String(repeating: "0", count: 40)

  /// The size of the M-Send.req. The files are not needed: the encoder writes the message without them, and their sizes are added.
  ///
  /// What cannot be written at all, since it has more parts than the format takes, is as large as can be.
  static func bytes(of composition: MessageComposition) -> Int {
    // A date of four bytes, as all are until the year 2106.
    let options = SendRequestOptions(transactionID: transactionID, date: Int(UInt32.max))
    guard let message = try? composition.sendRequest(options, bytes: { _ in [] }),
      let written = try? MMSCodec.encode(message)
    else { return .max }
    return composition.attachments.reduce(written.count) { sum, attachment in
      let bytes = max(0, attachment.info.bytes)
      // The length of an empty body takes one byte, that of another one for every seven bits.
      let length = max(1, (Int.bitWidth - bytes.leadingZeroBitCount + 6) / 7)
      let (with, overflow) = sum.addingReportingOverflow(bytes)
      return overflow || with > .max - length ? .max : with + length - 1
    }
  }
}
