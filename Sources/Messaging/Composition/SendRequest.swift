public import AttachmentPolicy
internal import MediaModel

/// What an M-Send.req says beside the message: who sends it knows.
public struct SendRequestOptions: Hashable, Sendable {
  /// X-Mms-Transaction-ID: of a ``MessageSending/Request``.
  public var transactionID: String
  /// Seconds since 1970 in UTC.
  public var date: Int
  /// Whether delivery is to be reported.
  public var requestsDeliveryReport = false
  /// Whether reading is to be reported.
  public var requestsReadReport = false

  /// Without reports.
  public init(transactionID: String, date: Int) {
    self.transactionID = transactionID
    self.date = date
  }
}

extension MessageComposition {
  /// Seconds that an operator is asked to keep a message: 7 days (A28).
  public static let expirySeconds = 604_800

  /// The message as an M-Send.req to everybody in its send list: SMIL first, then the parts in their order (A22, A23, A27, A28).
  ///
  /// - Parameters:
  ///   - options: What is not in the message.
  ///   - bytes: The file of an attachment as it is sent, made smaller where that was needed.
  /// - Throws: ``MMSEncodingError``, or what `bytes` throws.
  public func sendRequest(
    _ options: SendRequestOptions, bytes: (MediaAttachment) throws -> [UInt8]
  ) throws -> MMSMessage {
    var message = MMSMessage(.sendReq, transactionID: TextString(options.transactionID))
    message[.date] = options.date
    message[.from] = .insertAddress
    message[all: .to] = sendList.map { EncodedString(Self.address($0)) }
    if let subject = sentSubject { message[.subject] = EncodedString(subject) }
    message[.messageClass] = .personal
    message[.expiry] = .relative(Self.expirySeconds)
    message[.priority] = .normal
    message[.deliveryReport] = options.requestsDeliveryReport
    message[.readReport] = options.requestsReadReport
    message.content = try MMSContent(presenting: slides(bytes: bytes))
    return message
  }

  /// Each attachment opens a slide; a text joins the last slide when that has none, else it opens its own (A22).
  private func slides(bytes: (MediaAttachment) throws -> [UInt8]) throws -> [MessageSlide] {
    var names = PartNames(
      reserved: [MMSContent.presentationName] + content.indices.map(MMSContent.textName(ofSlide:)))
    var slides: [MessageSlide] = []
    for item in content {
      switch item {
      case .attachment(let item):
        let type = Self.writable(item.attachment.info.type)
        let name = names.name(for: item.attachment.name, type: type)
        slides.append(MessageSlide(media: MMSPart(type: type, name: name, body: try bytes(item.attachment))))
      case .text(let text):
        if let last = slides.last, last.text == nil {
          slides[slides.count - 1] = MessageSlide(media: last.media, text: text, index: slides.count - 1)
        } else {
          slides.append(MessageSlide(media: nil, text: text, index: slides.count))
        }
      }
    }
    return slides
  }

  private static func address(_ text: String) -> MMSAddress {
    let recipient = MessageRecipient(text)
    return MMSAddress(text, kind: recipient.isEmail ? .email : .phone)
  }

  /// A type that can stand in a header; one that cannot is no type.
  private static func writable(_ type: MediaType) -> MediaType {
    let isName =
      type.rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) } && type.rawValue.utf8.contains(UInt8(ascii: "/"))
    return isName ? type : .octetStream
  }
}
