extension MMSField.Key where Value: MMSField.Token {
  private init(_ octet: UInt8) {
    self.init(octet) { value in
      switch value {
      case .token(let token): Value(rawValue: token)
      case .counted(_, .token(let token)): Value(rawValue: token)
      default: nil
      }
    } write: {
      .token($0.rawValue)
    }
  }
}

extension MMSField.Key where Value == Bool {
  /// Yes is 0x80. Anything else is no, as OMA-TS-MMS-ENC §7.3.48 has it.
  private init(_ octet: UInt8) {
    self.init(octet) { value in
      if case .token(let token) = value { token == 0x80 } else { nil }
    } write: {
      .token($0 ? 0x80 : 0x81)
    }
  }

  /// X-Mms-Delivery-Report: whether delivery is to be reported.
  public static var deliveryReport: Self { .init(0x86) }
  /// X-Mms-Read-Report: whether reading is to be reported.
  public static var readReport: Self { .init(0x90) }
  /// X-Mms-Report-Allowed: whether the recipient lets delivery be reported. Absent means yes.
  public static var reportAllowed: Self { .init(0x91) }
  /// X-Mms-Store.
  public static var store: Self { .init(0xA2) }
  /// X-Mms-Stored.
  public static var stored: Self { .init(0xA7) }
  /// X-Mms-Totals.
  public static var totals: Self { .init(0xA9) }
  /// X-Mms-Quotas.
  public static var quotas: Self { .init(0xAB) }
  /// X-Mms-Distribution-Indicator: whether the content may be passed on.
  public static var distributionIndicator: Self { .init(0xB1) }
  /// X-Mms-DRM-Content.
  public static var drmContent: Self { .init(0xBB) }
  /// X-Mms-Adaptation-Allowed.
  public static var adaptationAllowed: Self { .init(0xBC) }
}

extension MMSField.Key where Value == MMSMessage.Priority {
  /// X-Mms-Priority.
  public static var priority: Self { .init(0x8F) }
}

extension MMSField.Key where Value == MMSMessage.ResponseStatus {
  /// X-Mms-Response-Status; of an answer about several messages the first.
  public static var responseStatus: Self { .init(0x92) }
}

extension MMSField.Key where Value == MMSMessage.SenderVisibility {
  /// X-Mms-Sender-Visibility.
  public static var senderVisibility: Self { .init(0x94) }
}

extension MMSField.Key where Value == MMSMessage.Status {
  /// X-Mms-Status.
  public static var status: Self { .init(0x95) }
}

extension MMSField.Key where Value == MMSMessage.RetrieveStatus {
  /// X-Mms-Retrieve-Status. Absent means ok.
  public static var retrieveStatus: Self { .init(0x99) }
}

extension MMSField.Key where Value == MMSMessage.ReadStatus {
  /// X-Mms-Read-Status.
  public static var readStatus: Self { .init(0x9B) }
}

extension MMSField.Key where Value == MMSMessage.ReplyCharging {
  /// X-Mms-Reply-Charging.
  public static var replyCharging: Self { .init(0x9C) }
}

extension MMSField.Key where Value == MMSMessage.MailboxState {
  /// X-Mms-MM-State.
  public static var mailboxState: Self { .init(0xA3) }
}

extension MMSField.Key where Value == MMSMessage.StoreStatus {
  /// X-Mms-Store-Status.
  public static var storeStatus: Self { .init(0xA5) }
}

extension MMSField.Key where Value == MMSMessage.RetrievalMode {
  /// X-Mms-Recommended-Retrieval-Mode.
  public static var recommendedRetrievalMode: Self { .init(0xB4) }
}

extension MMSField.Key where Value == MMSMessage.ContentClass {
  /// X-Mms-Content-Class.
  public static var contentClass: Self { .init(0xBA) }
}

extension MMSField.Key where Value == MMSMessage.CancelStatus {
  /// X-Mms-Cancel-Status.
  public static var cancelStatus: Self { .init(0xBF) }
}
