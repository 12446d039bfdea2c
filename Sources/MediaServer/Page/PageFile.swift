internal import CPageFiles
internal import Crypto
internal import FileSupport
internal import NIOCore

/// A file of the page, as it is sent.
struct PageFile: Sendable {
  /// The name below `/page/`.
  let name: String
  /// The `Content-Type`.
  let type: String
  /// A strong entity tag: the digest of the bytes.
  let entityTag: String
  /// The bytes.
  let bytes: ByteBuffer

  /// All files, by name.
  static let all: [String: PageFile] = {
    let files = (0..<mediatool_page_file_count()).map { index in
      let file = mediatool_page_file_at(index)
      return PageFile(
        name: String(cString: file.name), bytes: UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
    return Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }()

  private init(name: String, bytes: UnsafeBufferPointer<UInt8>) {
    self.name = name
    type = Self.type(of: name)
    let digest = SHA256.hash(data: Array(bytes)).prefix(12)
    entityTag = "\"\(Hexadecimal.encode(digest))\""
    self.bytes = ByteBuffer(bytes: bytes)
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "json": "application/json"
    default: "application/octet-stream"
    }
  }
}
