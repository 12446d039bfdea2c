extension MMSMessage {
  /// X-Mms-Message-Type (OMA-TS-MMS-ENC §7.3.30): which of the 24 PDUs a message is. The raw value is the octet on the wire.
  public enum MessageType: UInt8, Sendable, CaseIterable {
    /// A message from the sender to the relay.
    case sendReq = 0x80
    /// The relay's answer to it.
    case sendConf = 0x81
    /// The relay's announcement of a message: where it can be downloaded, its size and its expiry.
    case notificationInd = 0x82
    /// The client's answer to a notification.
    case notifyRespInd = 0x83
    /// A message as the client downloads it, with its parts.
    case retrieveConf = 0x84
    /// The client's acknowledgement of the download.
    case acknowledgeInd = 0x85
    /// The delivery report of one recipient.
    case deliveryInd = 0x86
    /// The read report of a recipient's client.
    case readRecInd = 0x87
    /// The read report as the sender gets it.
    case readOrigInd = 0x88
    /// Forwards a message that is still at the relay.
    case forwardReq = 0x89
    /// The relay's answer to `forwardReq`, with a response status.
    case forwardConf = 0x8A
    /// Stores a message in the mailbox.
    case mboxStoreReq = 0x8B
    /// The relay's answer to `mboxStoreReq`, with a store status.
    case mboxStoreConf = 0x8C
    /// Lists the mailbox.
    case mboxViewReq = 0x8D
    /// The relay's answer to `mboxViewReq`, with an `mboxDescr` for each message.
    case mboxViewConf = 0x8E
    /// Stores a message that the client has in the mailbox, without sending it.
    case mboxUploadReq = 0x8F
    /// The relay's answer to `mboxUploadReq`, with a store status.
    case mboxUploadConf = 0x90
    /// Deletes messages from the mailbox.
    case mboxDeleteReq = 0x91
    /// The relay's answer to `mboxDeleteReq`, with a response status.
    case mboxDeleteConf = 0x92
    /// One message in the list of a mailbox.
    case mboxDescr = 0x93
    /// Deletes messages that were not downloaded.
    case deleteReq = 0x94
    /// The relay's answer to `deleteReq`, with a response status.
    case deleteConf = 0x95
    /// The relay asks the client to remove a message that was delivered earlier.
    case cancelReq = 0x96
    /// The client's answer to `cancelReq`, with a cancel status.
    case cancelConf = 0x97

    /// The specification's name in lower case, such as `m-retrieve-conf`.
    public var name: String {
      switch self {
      case .sendReq: "m-send-req"
      case .sendConf: "m-send-conf"
      case .notificationInd: "m-notification-ind"
      case .notifyRespInd: "m-notifyresp-ind"
      case .retrieveConf: "m-retrieve-conf"
      case .acknowledgeInd: "m-acknowledge-ind"
      case .deliveryInd: "m-delivery-ind"
      case .readRecInd: "m-read-rec-ind"
      case .readOrigInd: "m-read-orig-ind"
      case .forwardReq: "m-forward-req"
      case .forwardConf: "m-forward-conf"
      case .mboxStoreReq: "m-mbox-store-req"
      case .mboxStoreConf: "m-mbox-store-conf"
      case .mboxViewReq: "m-mbox-view-req"
      case .mboxViewConf: "m-mbox-view-conf"
      case .mboxUploadReq: "m-mbox-upload-req"
      case .mboxUploadConf: "m-mbox-upload-conf"
      case .mboxDeleteReq: "m-mbox-delete-req"
      case .mboxDeleteConf: "m-mbox-delete-conf"
      case .mboxDescr: "m-mbox-descr"
      case .deleteReq: "m-delete-req"
      case .deleteConf: "m-delete-conf"
      case .cancelReq: "m-cancel-req"
      case .cancelConf: "m-cancel-conf"
      }
    }

    /// Whether the relay writes it and a phone receives it; otherwise a phone writes it.
    public var isFromRelay: Bool {
      switch self {
      case .sendConf, .notificationInd, .retrieveConf, .deliveryInd, .readOrigInd, .forwardConf, .mboxStoreConf,
        .mboxViewConf, .mboxUploadConf, .mboxDeleteConf, .mboxDescr, .deleteConf, .cancelConf:
        true
      case .sendReq, .notifyRespInd, .acknowledgeInd, .readRecInd, .forwardReq, .mboxStoreReq, .mboxViewReq,
        .mboxUploadReq, .mboxDeleteReq, .deleteReq, .cancelReq:
        false
      }
    }

    /// Whether Response-Status, Response-Text and Content-Location have a leading number, as in answers about several messages.
    var countsStatuses: Bool { self == .mboxDeleteConf || self == .deleteConf }
  }
}
