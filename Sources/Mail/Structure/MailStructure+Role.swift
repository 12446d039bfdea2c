extension MailStructure {
  /// What a part is for the reader. It follows from type, position and references, because the disposition alone decides nothing:
  /// many attachments have none, and many texts are `inline` or `attachment` without reason (RFC 8621 §4.1.4).
  public enum Role: String, Hashable, Codable, Sendable, CaseIterable {
    /// A text that is displayed: plain, HTML, enriched, or a calendar as an alternative.
    case body
    /// An image that the HTML displays. Until the HTML is known, every image that could be one.
    case inlinePicture
    /// A file for the reader to open or save: every part that has none of the other roles.
    case attachment
    /// A message (`message/rfc822`).
    case attachedMessage
    /// A delivery status notification (RFC 3464).
    case deliveryReport
    /// A message disposition notification (RFC 8098).
    case readReceipt
    /// An abuse report (RFC 5965).
    case complaint
    /// A calendar object with a method (RFC 6047).
    case invitation
    /// A detached signature, OpenPGP or S/MIME. It is not verified.
    case signature
    /// Encrypted content, OpenPGP or S/MIME.
    case encrypted
    /// S/MIME content inside its signature.
    case signedOpaque
    /// A fragment of a message (RFC 2046 §5.2.2).
    case partial
    /// A reference to content elsewhere (RFC 2046 §5.2.3). Nothing is fetched.
    case external
    /// A container of Microsoft Outlook, `winmail.dat` (MS-OXTNEF).
    case tnef
  }
}
