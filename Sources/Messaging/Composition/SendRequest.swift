public import AttachmentPolicy
public import MMSCodec
internal import MediaModel

extension MessageComposition {
  /// The fields of an M-Send.req that the sender adds to the message.
  public struct SendOptions: Hashable, Sendable {
    /// X-Mms-Transaction-ID, from a ``MessageSending/Request``.
    public var transactionID: String
    /// Seconds since 1970-01-01T00:00:00Z.
    public var date: Int
    /// Whether to request a delivery report. False by default.
    public var requestsDeliveryReport = false
    /// Whether to request a read report. False by default.
    public var requestsReadReport = false

    /// Creates options without reports.
    public init(transactionID: String, date: Int) {
      self.transactionID = transactionID
      self.date = date
    }

    /// Creates the options of a request, with the reports that it requests (R-MMS-55).
    ///
    /// - Parameters:
    ///   - request: The request from ``MessageSending``.
    ///   - date: Seconds since 1970-01-01T00:00:00Z.
    public init(_ request: MessageSending.Request, date: Int) {
      self.init(transactionID: request.transactionID, date: date)
      requestsDeliveryReport = request.requestsDeliveryReport
      requestsReadReport = request.requestsReadReport
    }
  }

  /// The requested expiry in seconds: 7 days (A28).
  public static let expirySeconds = 604_800

  /// Returns the message as an M-Send.req to all recipients of the send list: SMIL first, then the parts in order (A22,
  /// A23, A27, A28).
  ///
  /// - Parameters:
  ///   - options: The fields that the message lacks.
  ///   - bytes: Returns the content of an attachment as it is sent, after any reduction.
  ///
  /// - Throws: `MMSMessage.EncodingError`, and errors of `bytes`.
  public func sendRequest(
    _ options: SendOptions, bytes: (MediaAttachment) throws -> [UInt8]
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
    message.content = try MMSMessage.Content(presenting: slides(bytes: bytes))
    return message
  }

  /// Builds the slides: each attachment starts one; a text joins the last slide if that has no text, otherwise it
  /// starts one (A22).
  private func slides(bytes: (MediaAttachment) throws -> [UInt8]) throws -> [MessageSlides.Slide] {
    var names = PartNames(
      reserved: [MMSMessage.Content.presentationName] + content.indices.map(MMSMessage.Content.textName(ofSlide:)))
    var slides: [MessageSlides.Slide] = []
    for item in content {
      switch item {
      case .attachment(let item):
        let type = Self.writable(item.attachment.info.type)
        let name = names.name(for: item.attachment.name, type: type)
        slides.append(
          MessageSlides.Slide(media: MMSMessage.Part(type: type, name: name, body: try bytes(item.attachment))))
      case .text(let text):
        if let last = slides.last, last.text == nil {
          slides[slides.count - 1] = MessageSlides.Slide(media: last.media, text: text, index: slides.count - 1)
        } else {
          slides.append(MessageSlides.Slide(media: nil, text: text, index: slides.count))
        }
      }
    }
    return slides
  }

  private static func address(_ text: String) -> MMSAddress {
    let recipient = MessageRecipient(text)
    return MMSAddress(text, kind: recipient.isEmail ? .email : .phone)
  }

  /// The type if it can be written in a header, otherwise a generic type.
  private static func writable(_ type: MediaType) -> MediaType {
    let isName =
      type.rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) } && type.rawValue.utf8.contains(UInt8(ascii: "/"))
    return isName ? type : .octetStream
  }
}
