extension MMSMessage {
  /// The mandatory fields that the message lacks (OMA-TS-MMS-ENC 1.3 §6, tables 1–24).
  ///
  /// Real relays omit many of these, so they are no reason to refuse a message. One of To, Cc and Bcc is sufficient; To represents all three.
  public var missingFields: [MMSField.KnownName] {
    var missing: [MMSField.KnownName] = []
    if type.needsTransaction, transactionID == nil { missing.append(.transactionID) }
    if version == nil { missing.append(.version) }
    if type.needsContent, content == nil { missing.append(.contentType) }
    let present = Set(fields.map(\.name))
    missing += type.mandatoryFields.map(MMSField.KnownName.init(rawValue:)).filter { !present.contains(.known($0)) }
    if type == .sendReq || type == .forwardReq, self[.to] == nil, self[.cc] == nil, self[.bcc] == nil {
      missing.append(MMSField.Key<EncodedString>.to.name)
    }
    return missing
  }
}

extension MMSMessage.MessageType {
  fileprivate var needsTransaction: Bool {
    switch self {
    case .retrieveConf, .deliveryInd, .readRecInd, .readOrigInd, .mboxDescr: false
    default: true
    }
  }

  fileprivate var needsContent: Bool {
    switch self {
    case .sendReq, .retrieveConf, .mboxViewConf, .mboxUploadReq, .mboxDescr: true
    default: false
    }
  }

  fileprivate var mandatoryFields: [UInt8] {
    switch self {
    case .sendReq: [0x89]
    case .sendConf, .forwardConf, .mboxViewConf, .mboxDeleteConf, .deleteConf: [0x92]
    case .notificationInd: [0x8A, 0x8E, 0x88, 0x83]
    case .notifyRespInd: [0x95]
    case .retrieveConf: [0x85]
    case .deliveryInd: [0x8B, 0x97, 0x85, 0x95]
    case .readRecInd: [0x8B, 0x97, 0x89, 0x9B]
    case .readOrigInd: [0x8B, 0x97, 0x89, 0x85, 0x9B]
    case .forwardReq: [0x89, 0x83]
    case .mboxStoreReq, .mboxDeleteReq, .deleteReq: [0x83]
    case .mboxStoreConf, .mboxUploadConf: [0xA5]
    case .mboxDescr: [0x8B]
    case .cancelReq: [0xBE]
    case .cancelConf: [0xBF]
    case .acknowledgeInd, .mboxViewReq, .mboxUploadReq: []
    }
  }
}
