internal import Encodings
public import MediaModel

extension MMSMessage {
  /// One part of a multipart: a Content-Type, headers, and a body.
  public struct Part: Hashable, Sendable {
    /// The type of the body.
    public var contentType: ContentType
    /// The other headers, in order.
    public var headers: [WSPHeader]
    /// The body as transmitted. In a decoded message it is a slice of the message's octets.
    public var body: ArraySlice<UInt8>

    /// A part with these values.
    public init(contentType: ContentType, headers: [WSPHeader] = [], body: ArraySlice<UInt8>) {
      self.contentType = contentType
      self.headers = headers
      self.body = body
    }

    /// A part as this library writes it: name, Content-ID and Content-Location are the same name, to which the presentation refers (OMA-TS-MMS-CONF
    /// §10.2). Text is UTF-8, and declared so.
    ///
    /// A name that does not begin with ASCII gets no Content-Location: it would need a leading quote octet, for which mmsd-tng refuses the whole
    /// message.
    public init(type: MediaType, name: String, body: [UInt8]) {
      var parameters: [WSPHeader.Parameter] = []
      if type.topLevel == "text" { parameters.append(WSPHeader.Parameter(.charset, .integer(Charset.utf8.mib))) }
      parameters.append(WSPHeader.Parameter(.name, name))
      var headers = [WSPHeader(name: WSPHeader.contentID, value: .quoted(TextString("<\(name)>")))]
      if let first = name.utf8.first, first < 0x80 {
        headers.append(WSPHeader(name: WSPHeader.contentLocation, value: .text(TextString(name))))
      }
      self.init(
        contentType: ContentType(type.rawValue, parameters: parameters), headers: headers, body: body[...])
    }

    /// Content-ID without quotation marks and angle brackets.
    public var contentID: String? {
      guard let text = header(0x40, "content-id")?.text else { return nil }
      return Self.withoutBrackets(text)
    }

    /// The name by which SMIL refers to the part; nil without the header (WSP 0x0E, RFC 2557).
    public var contentLocation: String? { header(0x0E, "content-location")?.text }

    /// Content-Disposition in its coded form.
    public var disposition: ContentDisposition? {
      for header in headers { if case .disposition(let disposition) = header.value { return disposition } }
      return nil
    }

    /// The name that the sender gave the part: of its Content-Type, else the Content-Disposition's file name, else Content-Location, else Content-ID
    /// (OMA-TS-MMS-CONF §10.2). Untrusted text: never a path to write to.
    public var name: String? {
      let candidates = [contentType.text(.name)?.text, dispositionName, contentLocation, contentID]
      return candidates.lazy.compactMap { $0 }.first { !$0.isEmpty }
    }

    /// The file name of a Content-Disposition, coded or textual.
    private var dispositionName: String? {
      if let disposition, let name = disposition.fileName { return name }
      return textualHeader("content-disposition").flatMap { ContentDisposition.fileName(inWords: $0.text) }
    }

    /// The body with its transfer encoding decoded; without one, ``body`` itself.
    public var content: ArraySlice<UInt8> {
      guard let name = textualHeader("content-transfer-encoding"), let encoding = TransferEncoding(name: name.text)
      else {
        return body
      }
      return encoding.decoded(body)[...]
    }

    /// The content as text: in the declared charset, else UTF-8, else ISO-8859-1.
    public var text: String { (contentType.charset ?? .usASCII).text(content) }

    /// The parts of a multipart inside this one; nil if it is not a multipart.
    public var parts: [Part]? {
      guard contentType.isMultipart else { return nil }
      var reader = WSPReader(content)
      return reader.parts { _, _ in }
    }

    package static func withoutBrackets(_ text: String) -> String {
      text.hasPrefix("<") && text.hasSuffix(">") && text.count >= 2 ? String(text.dropFirst().dropLast()) : text
    }

    private func header(_ number: UInt8, _ word: String) -> TextString? {
      for header in headers {
        switch header.name {
        case .assigned(number): if let text = header.value.text { return text }
        case .token(let name): if name.isWord(word), let text = header.value.text { return text }
        case .assigned: break
        }
      }
      return nil
    }

    private func textualHeader(_ word: String) -> TextString? {
      for header in headers {
        if case .token(let name) = header.name, name.isWord(word), let text = header.value.text { return text }
      }
      return nil
    }
  }
}
