internal import MMSCodec
internal import MediaModel

/// One ordinary message of each type, as a careful sender writes it.
enum SampleMessages {
  static let all: [MMSMessage] = MMSMessage.MessageType.allCases.map(message)

  static func message(_ type: MMSMessage.MessageType) -> MMSMessage {
    var message = MMSMessage(type, transactionID: TextString("T-\(type.name)"))
    switch type {
    case .sendReq:
      address(&message)
      message[.from] = .insertAddress
      message[.date] = 1_700_000_000
      message[.expiry] = .relative(604_800)
      message[.messageClass] = .personal
      message[.priority] = .normal
      message[.deliveryReport] = true
      message[.readReport] = false
      message[.senderVisibility] = .show
      message.content = content
    case .sendConf, .forwardConf:
      message[.responseStatus] = .ok
      message[.responseText] = "done"
      message[.messageID] = "m1@example.org"
    case .notificationInd:
      message[.from] = .address(EncodedString(MMSAddress("+15550001", kind: .phone)))
      message[.subject] = "hello"
      message[.messageClass] = .personal
      message[.messageSize] = 307_200
      message[.expiry] = .relative(259_200)
      message[.contentLocation] = "http://127.0.0.1/m1"
    case .notifyRespInd:
      message[.status] = .retrieved
      message[.reportAllowed] = true
    case .retrieveConf:
      address(&message)
      message[.from] = .address("joe@example.org")
      message[.date] = 1_700_000_000
      message[.messageID] = "m1@example.org"
      message[.retrieveStatus] = .ok
      message.content = content
    case .acknowledgeInd: message[.reportAllowed] = false
    case .deliveryInd:
      message.transactionID = nil
      report(&message)
      message[.status] = .rejected
    case .readRecInd, .readOrigInd:
      message.transactionID = nil
      report(&message)
      message[.from] = .address(EncodedString(MMSAddress("+15550001", kind: .phone)))
      message[.readStatus] = .read
    case .forwardReq:
      message[.from] = .insertAddress
      message[.to] = EncodedString(MMSAddress("+15550002", kind: .phone))
      message[.contentLocation] = "http://127.0.0.1/m1"
    case .mboxStoreReq, .mboxDeleteReq, .deleteReq: message[.contentLocation] = "http://127.0.0.1/m1"
    case .mboxStoreConf, .mboxUploadConf: message[.storeStatus] = .ok
    case .mboxViewReq:
      message[.start] = 0
      message[.limit] = 10
    case .mboxViewConf:
      message[.responseStatus] = .ok
      message.content = content
    case .mboxUploadReq: message.content = content
    case .mboxDeleteConf, .deleteConf:
      let status = MMSField.Key<MMSMessage.ResponseStatus>.responseStatus.name
      message.fields = [MMSField(status, .counted(0, .token(0x80)))]
    case .mboxDescr:
      message[.messageID] = "m1@example.org"
      message.content = content
    case .cancelReq: message[.cancelID] = "c1"
    case .cancelConf: message[.cancelStatus] = .received
    }
    return message
  }

  private static func address(_ message: inout MMSMessage) {
    message[all: .to] = [EncodedString(MMSAddress("+15550002", kind: .phone)), "jane@example.org"]
    message[.cc] = EncodedString(MMSAddress("+15550003", kind: .phone))
    message[.subject] = "hello"
  }

  private static func report(_ message: inout MMSMessage) {
    message[.messageID] = "m1@example.org"
    message[.to] = EncodedString(MMSAddress("+15550002", kind: .phone))
    message[.date] = 1_700_000_000
  }

  /// An image with a text, and a second image.
  static var content: MMSMessage.Content? {
    let image = MMSMessage.Part(type: .jpeg, name: "image000000.jpg", body: Array(repeating: 0xFF, count: 300))
    let other = MMSMessage.Part(type: .gif, name: "image000001.gif", body: Array("GIF89a".utf8))
    return try? MMSMessage.Content(presenting: [
      MessageSlides.Slide(media: image, text: "hello, wörld", index: 0), MessageSlides.Slide(media: other),
    ])
  }
}
