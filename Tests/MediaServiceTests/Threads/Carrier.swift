internal import Foundation
internal import MMSCodec
internal import MediaModel
internal import TestSupport

/// What a carrier sends.
enum Carrier {
  static let ann = "+15551234567"

  static func notification(
    _ number: Int = 1, from sender: String = ann, subject: String? = nil
  ) throws -> [UInt8] {
    var message = MMSMessage(.notificationInd, transactionID: TextString("t\(number)"))
    message[.from] = .address(EncodedString(MMSAddress(sender, kind: .phone)))
    message[.contentLocation] = TextString("http://mmsc.example/\(number)")
    message[.messageSize] = 10_000
    message[.messageClass] = .personal
    message[.expiry] = .relative(3_600)
    if let subject { message[.subject] = EncodedString(subject) }
    return try message.encoded()
  }

  /// A message with a photo of testdata and a text.
  static func retrieved(
    _ number: Int = 1, from sender: String = ann, text: String = "Look at the lake", photo: [UInt8]? = nil,
    wantsReadReport: Bool = false
  ) throws -> [UInt8] {
    var message = MMSMessage(.retrieveConf, transactionID: TextString("r\(number)"))
    message[.messageID] = TextString("m\(number)")
    message[.date] = 900
    message[.from] = .address(EncodedString(MMSAddress(sender, kind: .phone)))
    message[.subject] = EncodedString("Holiday")
    message[.readReport] = wantsReadReport
    message.content = MMSMessage.Content(
      type: ContentType("application/vnd.wap.multipart.mixed"),
      parts: [
        MMSMessage.Part(
          type: .png, name: "lake.jpg", body: try photo ?? Fixture.bytes("camera-roll/IMG_0001.jpg")),
        MMSMessage.Part(type: MediaType("text/plain"), name: "text.txt", body: Array(text.utf8)),
      ])
    return try message.encoded()
  }

  /// The answer to a message that was sent.
  static func accepted(_ transaction: String) throws -> [UInt8] {
    var answer = MMSMessage(.sendConf, transactionID: TextString(transaction))
    answer[.responseStatus] = .ok
    answer[.messageID] = TextString("id-1")
    return try answer.encoded()
  }
}
