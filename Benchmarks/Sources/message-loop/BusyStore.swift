internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MMSCodec
internal import MediaModel
internal import MessageStore
internal import Messaging

/// A store as of a person who writes much: every fourth message is an MMS with a photo, and every thread has a draft of a page of text with a
/// photo.
enum BusyStore {
  static func make(_ store: MessageStore, messages: Int, threads: Int, photo: PathBytes) throws {
    func person(_ number: Int) -> String { "+1555\(1_000_000 + number % threads)" }
    for number in 0..<messages {
      if number % 4 == 3 {
        try store.receive(retrieveConf: try mms(number, from: person(number)))
      } else {
        try store.receive(sms: "Message \(number) of many", from: person(number), at: Double(number))
      }
    }
    let text = (0..<150).map { "word\($0)" }.joined(separator: " ")
    let attachment = MediaAttachment(id: "photo", name: "photo.jpg", info: MediaInfo(type: .jpeg, bytes: 200))
    for number in 0..<threads {
      let draft = MessageComposition(
        content: [.text(text), .attachment(AttachmentDraft.Item(attachment)), .text("\(number)")],
        recipients: [MessageRecipient(person(number))])
      try store.saveDraft(draft, in: .participants([person(number)]), files: [attachment.id: photo])
    }
  }

  /// A downloaded message with a text and one of five photos.
  private static func mms(_ number: Int, from sender: String) throws -> [UInt8] {
    var message = MMSMessage(.retrieveConf, transactionID: TextString("r\(number)"))
    message[.messageID] = TextString("m\(number)")
    message[.date] = number
    message[.from] = .address(EncodedString(MMSAddress(sender, kind: .phone)))
    message[all: .to] = [EncodedString(MMSAddress("+15550000001", kind: .phone))]
    message[.subject] = EncodedString("Holiday \(number)")
    message.content = MMSMessage.Content(
      type: ContentType("application/vnd.wap.multipart.mixed"),
      parts: [
        MMSMessage.Part(type: .jpeg, name: "lake.jpg", body: [UInt8](repeating: UInt8(number % 5), count: 200)),
        MMSMessage.Part(type: MediaType("text/plain"), name: "text.txt", body: Array("Message \(number) of many".utf8)),
      ])
    return try message.encoded()
  }
}
