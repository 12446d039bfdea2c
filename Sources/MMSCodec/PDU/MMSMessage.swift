/// A PDU of OMA-TS-MMS-ENC 1.3 as a value. `init(decoding:)` reads one, ``encoded()`` writes it.
///
/// ```swift
/// var answer = MMSMessage(.notifyRespInd, transactionID: notification.transactionID, version: .v12)
/// answer[.status] = .retrieved
/// let octets = try answer.encoded()
/// ```
public struct MMSMessage: Hashable, Sendable {
  /// The type of the PDU.
  public var type: MessageType
  /// X-Mms-Transaction-ID, which connects an answer to its request; nil if there is none.
  public var transactionID: TextString?
  /// X-Mms-MMS-Version; nil if it is missing or invalid.
  public var version: Version?
  /// All other fields except Content-Type, in the order of the wire, including application headers.
  public var fields: [MMSField]
  /// The content of the message; nil for a PDU without content.
  public var content: Content?

  /// A PDU of that type.
  /// - Parameter version: Default 1.3.
  public init(
    _ type: MessageType, transactionID: TextString? = nil, version: Version? = .v13, fields: [MMSField] = [],
    content: Content? = nil
  ) {
    self.type = type
    self.transactionID = transactionID
    self.version = version
    self.fields = fields
    self.content = content
  }

  /// The first value of a field. Setting it replaces that value in place, or appends one; nil removes all values.
  public subscript<Value>(key: MMSField.Key<Value>) -> Value? {
    get { fields.lazy.compactMap { $0.name == .known(key.name) ? key.read($0.value) : nil }.first }
    set {
      guard let newValue else { return fields.removeAll { $0.name == .known(key.name) } }
      let field = MMSField(key.name, key.write(newValue))
      if let index = fields.firstIndex(where: { $0.name == field.name }) {
        fields[index] = field
      } else {
        fields.append(field)
      }
    }
  }

  /// All values of a repeatable field: To, Cc, Bcc, Previously-Sent-By. Setting them inserts them at the position of the first.
  public subscript<Value>(all key: MMSField.Key<Value>) -> [Value] {
    get { fields.compactMap { $0.name == .known(key.name) ? key.read($0.value) : nil } }
    set {
      let name = MMSField.Name.known(key.name)
      let index = fields.firstIndex { $0.name == name } ?? fields.endIndex
      fields.removeAll { $0.name == name }
      fields.insert(contentsOf: newValue.map { MMSField(key.name, key.write($0)) }, at: index)
    }
  }

  /// The values of an application header, whatever the case of its name.
  public func applicationHeaders(_ name: String) -> [String] {
    fields.compactMap { field in
      guard case .application(let word) = field.name, word.isWord(name), case .text(let text) = field.value else {
        return nil
      }
      return text.text
    }
  }

  /// The parts, in order; a single one for a body that is not a multipart, none without a body.
  public var parts: [Part] {
    switch content?.body {
    case .parts(let parts): parts
    case .octets(let octets):
      content.map { [Part(contentType: $0.type, body: octets)] } ?? []
    case nil: []
    }
  }
}

extension MMSMessage {
  /// The content of a message: a Content-Type and the body after it.
  public struct Content: Hashable, Sendable {
    /// The two forms of a body.
    public enum Body: Hashable, Sendable {
      /// The parts of a multipart, in their order in the message.
      case parts([Part])
      /// The body of any other type, not decoded.
      case octets(ArraySlice<UInt8>)
    }

    /// The type of the whole.
    public var type: ContentType
    /// The parts of a multipart body, or the octets of a body of another type.
    public var body: Body

    /// A multipart.
    public init(type: ContentType, parts: [Part]) {
      self.type = type
      body = .parts(parts)
    }

    /// A body that is not a multipart.
    public init(type: ContentType, octets: ArraySlice<UInt8>) {
      self.type = type
      body = .octets(octets)
    }
  }
}
