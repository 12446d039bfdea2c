internal import MMSCodec
internal import Mail
internal import MediaModel
internal import Messaging

/// The JSON record of `modules` for one message (docs/design.md §7).
struct ModuleRecord: Encodable {
  let shown: ShownMessage

  private enum Keys: CodingKey { case number, type, messageType, direction, modules, defects, error }

  func encode(to encoder: any Encoder) throws {
    if let path = shown.path { try PathKeys.encode(path, as: "path", to: encoder) }
    var values = encoder.container(keyedBy: Keys.self)
    try values.encodeIfPresent(shown.number, forKey: .number)
    if let failure = shown.failure { return try values.encode(failure, forKey: .error) }
    if let message = shown.message {
      try MessageHeaders(message).encode(to: encoder)
      try values.encode(message.type.name, forKey: .messageType)
    }
    if let mail = shown.mail {
      try MailHeaders(header: mail.header).encode(to: encoder)
      try values.encode("mail", forKey: .type)
    } else {
      // Files and PDUs are multimedia messages.
      try values.encode(MessageType.mms, forKey: .type)
    }
    try values.encode(shown.isIncoming ? "incoming" : "outgoing", forKey: .direction)
    try values.encode(shown.modules.map(Module.init), forKey: .modules)
    if !shown.defects.isEmpty { try values.encode(shown.defects.map(\.description), forKey: .defects) }
  }

  private struct Module: Encodable {
    let shown: ShownModule

    private enum Keys: CodingKey { case from, error }

    func encode(to encoder: any Encoder) throws {
      if let path = shown.path { try PathKeys.encode(path, as: "path", to: encoder) }
      if let written = shown.written { try PathKeys.encode(written, as: "written", to: encoder) }
      var module = shown.module
      module.duration = module.duration?.rounded(toPlaces: 3)
      module.peaks = module.peaks?.map { ($0 * 1_000).rounded() / 1_000 }
      try module.encode(to: encoder)
      var values = encoder.container(keyedBy: Keys.self)
      if module.thumbnail != nil { try values.encodeIfPresent(shown.from, forKey: .from) }
      try values.encodeIfPresent(shown.failure, forKey: .error)
    }
  }
}
