internal import CPageFiles
internal import Crypto
internal import FileSupport
internal import NIOCore

/// A file of the page, as it is sent.
struct PageFile: Sendable {
  /// The bytes of a file in one of its encodings.
  struct Encoded: Sendable {
    /// A strong entity tag: the digest of the file, and the name of the encoding.
    let entityTag: String
    let bytes: ByteBuffer
  }

  /// The name below `/page/`.
  let name: String
  /// The `Content-Type`.
  let type: String
  /// The file as it is.
  let plain: Encoded
  /// The file compressed with gzip (RFC 1952), once per process; nil if it would not be smaller. The files are the same for everybody, so the
  /// sizes say nothing about a secret.
  let compressed: Encoded?

  /// All files, by name.
  static let all: [String: PageFile] = {
    let files = (0..<mediatool_page_file_count()).map { index in
      let file = mediatool_page_file_at(index)
      return PageFile(file)
    }
    return Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }()

  private init(_ file: mediatool_page_file) {
    name = String(cString: file.name)
    type = Self.type(of: name)
    let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
    let digest = Hexadecimal.encode(SHA256.hash(data: Array(bytes)).prefix(12))
    plain = Encoded(entityTag: "\"\(digest)\"", bytes: ByteBuffer(bytes: bytes))
    let packed = [UInt8](unsafeUninitializedCapacity: file.count) { buffer, count in
      count = buffer.baseAddress.map { mediatool_page_file_gzip(file, $0, buffer.count) } ?? 0
    }
    compressed = packed.isEmpty ? nil : Encoded(entityTag: "\"\(digest)-gzip\"", bytes: ByteBuffer(bytes: packed))
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
