/// Limits of parameters, of keys of JSON bodies and of pages that no setting changes. openapi.json states each of them, and `OpenAPILimitTests` compares the two.
package enum FieldLimits {
  /// Bytes of a name that clients choose: a thread of a draft, an attachment within a draft, an `Idempotency-Key`.
  package static let name = 255
  /// Characters of a label.
  package static let label = 200
  /// Attachments that one request adds, checks or composes.
  package static let additions = 100
  /// Recipients of a message.
  package static let recipients = 100
  /// Bytes of the address of a recipient.
  package static let recipient = 320
  /// Bytes of the words of a search.
  package static let words = 1_000
  /// Texts of one request to `/v1/text`.
  package static let texts = 1_000
  /// Bytes of the address of the sender of an SMS.
  package static let sender = 1_024
  /// Bytes of the text of a received SMS.
  package static let smsText = 65_536
  /// UTF-16 units of the text of a segment of an SMS.
  package static let segmentUnits = 1_000
  /// Reference numbers of the segments of an SMS (3GPP TS 23.040 §9.2.3.24.8).
  package static let segmentReferences = 0...65_535
  /// Segments of an SMS.
  package static let segments = 1...255
  /// Times of an SMS: the years 1970 to 9999, in seconds since 1970.
  package static let smsTimes = 0...253_402_300_799
  /// Items of a page.
  package static let page = 1...200
  /// Items of a page for moderators.
  package static let moderationPage = 1...500
  /// Drafts in one page of a listing, which no request can change.
  package static let draftPage = 20
  /// Attachments with a content that could not be scanned in its item.
  package static let holders = 100
  /// Zoom levels of a map.
  package static let zoom = 0...20
  /// Points of the path of a trip.
  package static let pathPoints = 2...10_000
  /// Hours without a moment that are a gap of a path.
  package static let gapHours = 1...8_760
  /// Kilometres between two moments that are a gap of a path; half of the equator is the longest distance.
  package static let gapKilometres = 1...20_100
  /// A poster's second of the video is less than this.
  package static let posterSeconds = 1_000_000_000
}
