internal import MMSCodec
internal import MediaModel
internal import Messaging

/// The headers of a message for display and JSON: addresses without their suffixes, statuses as words.
struct MessageHeaders: Encodable, Sendable {
  var transactionID: String?
  var version: String?
  var from: String?
  var to: [String]?
  var cc: [String]?
  var bcc: [String]?
  var subject: String?
  var date: MediaInfo.CaptureTime?
  var messageID: String?
  var messageClass: String?
  var priority: String?
  var deliveryReport: Bool?
  var readReport: Bool?
  /// Size in octets of the message that a notification announces.
  var messageSize: Int?
  /// The URL from which the message is fetched.
  var contentLocation: String?
  /// When the carrier deletes the message, if stated as an absolute time.
  var expires: MediaInfo.CaptureTime?
  /// Seconds after its arrival at which the carrier deletes the message, the usual form.
  var expiresAfter: Int?
  var responseStatus: String?
  var responseText: String?
  var retrieveStatus: String?
  var retrieveText: String?
  var status: String?
  var statusText: String?
  var readStatus: String?
  var storeStatus: String?
  /// Textual headers, in order.
  var headers: [Application]?

  struct Application: Encodable, Sendable {
    let name: String
    let text: String
  }

  init(_ message: MMSMessage) {
    transactionID = message.transactionID?.text
    version = message.version?.description
    if case .address(let address) = message[.from] { from = address.address.value }
    to = Self.addresses(message[all: .to])
    cc = Self.addresses(message[all: .cc])
    bcc = Self.addresses(message[all: .bcc])
    subject = message.subjectText
    date = message[.date].flatMap { MediaInfo.CaptureTime(secondsSince1970: $0) }
    messageID = message[.messageID]?.text
    messageClass = message[.messageClass].map(MessageWords.messageClass)
    priority = message[.priority].map(MessageWords.priority)
    deliveryReport = message[.deliveryReport]
    readReport = message[.readReport]
    messageSize = message[.messageSize]
    contentLocation = message[.contentLocation]?.text
    switch message[.expiry] {
    case .absolute(let seconds): expires = MediaInfo.CaptureTime(secondsSince1970: seconds)
    case .relative(let seconds): expiresAfter = seconds
    case nil: break
    }
    responseStatus = message[.responseStatus].map(MessageWords.outcome)
    responseText = message[.responseText]?.text
    retrieveStatus = message[.retrieveStatus].map(MessageWords.outcome)
    retrieveText = message[.retrieveText]?.text
    status = message[.status].map(MessageWords.status)
    statusText = message[.statusText]?.text
    readStatus = message[.readStatus].map(MessageWords.readStatus)
    storeStatus = message[.storeStatus].map(MessageWords.outcome)
    let applications = message.fields.compactMap { field -> Application? in
      guard case .application(let name) = field.name, case .text(let text) = field.value else { return nil }
      return Application(name: name.text, text: text.text)
    }
    headers = applications.isEmpty ? nil : applications
  }

  private static func addresses(_ fields: [EncodedString]) -> [String]? {
    // Some relays write an empty one.
    let values = fields.map(\.address.value).filter { !$0.isEmpty }
    return values.isEmpty ? nil : values
  }
}

/// The specification's words for header octets.
enum MessageWords {
  static func messageClass(_ value: MMSMessage.MessageClass) -> String {
    switch value {
    case .token(let octet): word(octet, ["personal", "advertisement", "informational", "auto"])
    case .text(let text): text.text
    }
  }

  static func priority(_ value: MMSMessage.Priority) -> String { word(value.rawValue, ["low", "normal", "high"]) }

  static func status(_ value: MMSMessage.Status) -> String {
    word(
      value.rawValue,
      [
        "expired", "retrieved", "rejected", "deferred", "unrecognised", "indeterminate", "forwarded", "unreachable",
      ])
  }

  static func readStatus(_ value: MMSMessage.ReadStatus) -> String { word(value.rawValue, ["read", "deletedUnread"]) }

  /// `ok`, or the kind of failure with its octet, because there are forty.
  static func outcome(_ value: some MMSMessage.AnswerStatus) -> String {
    switch value.outcome {
    case .ok: "ok"
    case .transient: "transient " + hexadecimal(value.rawValue)
    case .permanent: "permanent " + hexadecimal(value.rawValue)
    }
  }

  /// The word for an octet, counted from 0x80.
  private static func word(_ octet: UInt8, _ words: [String]) -> String {
    let index = Int(octet) - 0x80
    return words.indices.contains(index) ? words[index] : hexadecimal(octet)
  }

  private static func hexadecimal(_ octet: UInt8) -> String { "0x" + String(octet, radix: 16, uppercase: true) }
}
