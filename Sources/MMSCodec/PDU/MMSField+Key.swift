extension MMSField {
  /// A field and the type of its value, for ``MMSMessage/subscript(_:)``.
  public struct Key<Value: Sendable>: Sendable {
    /// The well-known name whose values it reads and writes.
    public let name: KnownName
    let read: @Sendable (MMSField.Value) -> Value?
    let write: @Sendable (Value) -> MMSField.Value

    init(
      _ octet: UInt8, read: @escaping @Sendable (MMSField.Value) -> Value?,
      write: @escaping @Sendable (Value) -> MMSField.Value
    ) {
      name = KnownName(rawValue: octet)
      self.read = read
      self.write = write
    }
  }
}

extension MMSField.Key where Value == EncodedString {
  private init(_ octet: UInt8) {
    self.init(octet) { value in
      switch value {
      case .encodedString(let string): string
      case .counted(_, .encodedString(let string)): string
      default: nil
      }
    } write: {
      .encodedString($0)
    }
  }

  /// Bcc (0x81): recipients whom the other recipients do not see.
  public static var bcc: Self { .init(0x81) }
  /// Cc (0x82): further recipients.
  public static var cc: Self { .init(0x82) }
  /// X-Mms-Response-Text.
  public static var responseText: Self { .init(0x93) }
  /// Subject. ``MMSMessage/subjectText`` also takes encoded words apart.
  public static var subject: Self { .init(0x96) }
  /// To (0x97): the recipients.
  public static var to: Self { .init(0x97) }
  /// X-Mms-Retrieve-Text.
  public static var retrieveText: Self { .init(0x9A) }
  /// X-Mms-Store-Status-Text.
  public static var storeStatusText: Self { .init(0xA6) }
  /// X-Mms-Recommended-Retrieval-Mode-Text.
  public static var recommendedRetrievalModeText: Self { .init(0xB5) }
  /// X-Mms-Status-Text.
  public static var statusText: Self { .init(0xB6) }
}

extension MMSField.Key where Value == TextString {
  private init(_ octet: UInt8) {
    self.init(octet) { value in
      switch value {
      case .text(let text): text
      case .counted(_, .text(let text)): text
      default: nil
      }
    } write: {
      .text($0)
    }
  }

  /// X-Mms-Content-Location: where a message is to be fetched from.
  public static var contentLocation: Self { .init(0x83) }
  /// Message-ID, without angle brackets.
  public static var messageID: Self { .init(0x8B) }
  /// X-Mms-Reply-Charging-ID.
  public static var replyChargingID: Self { .init(0x9E) }
  /// X-Mms-Applic-ID.
  public static var applicationID: Self { .init(0xB7) }
  /// X-Mms-Reply-Applic-ID.
  public static var replyApplicationID: Self { .init(0xB8) }
  /// X-Mms-Aux-Applic-Info.
  public static var auxiliaryApplicationInfo: Self { .init(0xB9) }
  /// X-Mms-Replace-ID.
  public static var replaceID: Self { .init(0xBD) }
  /// X-Mms-Cancel-ID.
  public static var cancelID: Self { .init(0xBE) }
}

extension MMSField.Key where Value == Int {
  private init(_ octet: UInt8) {
    self.init(octet) { value in
      if case .integer(let number) = value { number } else { nil }
    } write: {
      .integer($0)
    }
  }

  /// Date: seconds since 1970-01-01T00:00:00Z.
  public static var date: Self { .init(0x85) }
  /// X-Mms-Message-Size in octets.
  public static var messageSize: Self { .init(0x8E) }
  /// X-Mms-Reply-Charging-Size in octets.
  public static var replyChargingSize: Self { .init(0x9F) }
  /// X-Mms-Message-Count.
  public static var messageCount: Self { .init(0xAD) }
  /// X-Mms-Start.
  public static var start: Self { .init(0xAF) }
  /// X-Mms-Limit.
  public static var limit: Self { .init(0xB3) }
}

extension MMSField.Key where Value == MMSField.Time {
  private init(_ octet: UInt8) {
    self.init(octet) { value in
      if case .time(let time) = value { time } else { nil }
    } write: {
      .time($0)
    }
  }

  /// X-Mms-Delivery-Time.
  public static var deliveryTime: Self { .init(0x87) }
  /// X-Mms-Expiry. Relative in a notification, though some relays write it absolute.
  public static var expiry: Self { .init(0x88) }
  /// X-Mms-Reply-Charging-Deadline.
  public static var replyChargingDeadline: Self { .init(0x9D) }
}

extension MMSField.Key where Value == MMSMessage.Sender {
  /// From (0x89): the sender's address, or the token that asks the MMSC to insert it.
  public static var from: Self {
    .init(0x89) { value in
      if case .sender(let sender) = value { sender } else { nil }
    } write: {
      .sender($0)
    }
  }
}

extension MMSField.Key where Value == MMSMessage.MessageClass {
  /// X-Mms-Message-Class.
  public static var messageClass: Self {
    .init(0x8A) { value in
      switch value {
      case .token(let token): .token(token)
      case .text(let text): .text(text)
      default: nil
      }
    } write: {
      switch $0 {
      case .token(let token): .token(token)
      case .text(let text): .text(text)
      }
    }
  }
}
