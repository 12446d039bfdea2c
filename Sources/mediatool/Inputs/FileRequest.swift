internal import FileSupport
internal import Foundation
internal import MediaModel

/// A line of `--requests`: what an engine wants to know about one file (docs/design.md §7).
struct FileRequest: Sendable {
  /// The number of the line, from 1.
  let line: Int
  /// The JSON text of `id`, which comes back in the result unchanged; nil if there is none.
  var id: String?
  /// The name to take for the file, without folders; nil for that of its path.
  var name: String?
  /// The thumbnails to make instead of those of the command line; empty for these.
  var sizes: [SizeArgument] = []
  /// Why the request cannot be served; the source is then not opened.
  var refusal: MediaFailure?
  /// The path of the file, or its URL.
  var path = PathBytes("")
  /// The size that a remote source must have.
  var bytes: Int?
  /// The entity tag that a remote source must have.
  var etag: String?

  /// Reads a line that begins with a brace.
  /// - Parameter isPlainRead: Whether plain values are read without a decoder; both ways give the same request.
  init(json: [UInt8], line: Int, isPlainRead: Bool = true) {
    self.line = line
    do {
      if isPlainRead, let plain = PlainRequest(json: json), let source = plain.source {
        id = plain.id
        try take(Fields(source: source, name: plain.name, bytes: plain.bytes.map { WholeNumber($0) }, etag: plain.etag))
        return
      }
      let fields = try JSONDecoder().decode(Fields.self, from: Data(json))
      guard let members = JSONMembers.members(of: json) else { throw Self.invalid("The request is not a JSON object.") }
      try takeID(from: members)
      try take(fields)
    } catch let failure as MediaFailure {
      refusal = failure
    } catch let DecodingError.keyNotFound(key, _) {
      refusal = Self.invalid("The request has no \(key.stringValue).")
      takeWhatIsThere(json)
    } catch let DecodingError.typeMismatch(_, context), let DecodingError.valueNotFound(_, context) {
      refusal = Self.invalid("The request's \(context.codingPath.first?.stringValue ?? "value") has the wrong type.")
      takeWhatIsThere(json)
    } catch {
      refusal = Self.invalid("The line is not valid JSON.")
    }
  }

  /// A line that is too long to be read. Its id is found if it is in the beginning.
  init(tooLong line: Int, beginning: [UInt8], isJSON: Bool) {
    self.line = line
    let limit = isJSON ? PathList.longestRequest : PathList.longest
    refusal = Self.invalid("The line has more than \(limit.grouped) bytes.")
    guard isJSON, let text = JSONMembers.value(of: "id", inBeginning: beginning) else { return }
    // Read as the id of a whole request, it is one value of valid JSON, or none.
    let request = FileRequest(json: Array("{\"source\":\"a\",\"id\":".utf8) + text + [UInt8(ascii: "}")], line: line)
    if request.refusal == nil { id = request.id }
  }

  /// The request as an input of a command.
  /// - Parameter list: The list's path, which names a line that names no file.
  func input(in list: String) -> Input {
    var input = Input(path: path, content: .file)
    if let refusal {
      input = Input(path: PathBytes("\(list):\(line)"), content: .failed(refusal))
    } else if RemoteName.isRemote(path) {
      input = RemoteName.input(path, etag: etag, bytes: bytes)
    }
    input.request = self
    return input
  }

  private struct Fields: Decodable {
    var source: String
    var name: String?
    var sizes: [String]?
    var bytes: WholeNumber?
    var etag: String?
  }

  /// A number that `Int` cannot hold has the wrong type; the decoder reports it as damaged JSON.
  private struct WholeNumber: Decodable {
    let value: Int

    init(_ value: Int) { self.value = value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        value = try container.decode(Int.self)
      } catch {
        // Of what is no number in JSON, such as 01, the error is right.
        guard (try? container.decode(Double.self)) != nil else { throw error }
        throw DecodingError.typeMismatch(Int.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
      }
    }
  }

  private static let keys: Set<String> = ["id", "source", "bytes", "etag", "name", "sizes"]

  private mutating func takeID(from members: [(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]) throws {
    var seen: Set<String> = []
    for (key, value) in members {
      let key = String(decoding: key, as: UTF8.self)
      if key == "id" {
        // The decoder has not read it, and it will be a part of a line of JSON.
        guard JSONSyntax.isValue(value) else { throw Self.invalid("The line is not valid JSON.") }
        id = String(decoding: value, as: UTF8.self)
      }
      guard Self.keys.contains(key) else {
        throw Self.invalid("The request has an unknown key: \(DisplayText.visible(String(key.prefix(40)))).")
      }
      guard seen.insert(key).inserted else { throw Self.invalid("The request has \(key) twice.") }
    }
  }

  /// The id of a request that is refused, so that its sender finds it.
  private mutating func takeWhatIsThere(_ json: [UInt8]) {
    if let members = JSONMembers.members(of: json) { try? takeID(from: members) }
  }

  private mutating func take(_ fields: Fields) throws {
    guard !fields.source.isEmpty else { throw Self.invalid("The request's source is empty.") }
    guard fields.source.utf8.count <= PathList.longest else {
      throw Self.invalid("The request's source has more than \(PathList.longest.grouped) bytes.")
    }
    guard !fields.source.utf8.contains(0) else { throw Self.invalid("The request's source contains a NUL byte.") }
    path = PathBytes(fields.source)
    // Without a colon and slashes, the regular expression is not used: Swift parses it at each use, which takes most of the time of a line.
    if !RemoteName.isRemote(path), fields.source.contains("://"),
      let scheme = fields.source.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):\/\//)?.1
    {
      throw MediaFailure(
        .unsupported, "Sources of the scheme \(scheme) are not supported; name a file's path, or use https or s3.")
    }
    guard fields.bytes?.value ?? 0 >= 0 else { throw Self.invalid("The request's bytes are negative.") }
    (bytes, etag) = (fields.bytes?.value, fields.etag)
    if let name = fields.name {
      guard !name.isEmpty, !name.utf8.contains(where: { $0 == 0 || $0 == PathBytes.slash }) else {
        throw Self.invalid("The request's name is not a file name.")
      }
      self.name = name
    }
    for text in fields.sizes ?? [] {
      guard let size = SizeArgument(argument: text) else {
        throw Self.invalid(
          "The request's size \(DisplayText.visible(text)) is invalid; allowed: \(SizeArgument.allowed).")
      }
      guard !sizes.contains(where: { $0.request.name == size.request.name }) else {
        throw Self.invalid("The request has the size \(size.request.name) twice.")
      }
      sizes.append(size)
    }
  }

  private static func invalid(_ message: String) -> MediaFailure { MediaFailure(.invalidRequest, message) }
}
