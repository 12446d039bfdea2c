internal import FileSupport

/// Reads the members of a tar stream, one after another: ustar, its extensions of pax and GNU for long names, and the format before it.
///
/// The stream is untrusted. A member's content is read in pieces and never held here; names and extended headers are bounded. A stream with a wrong
/// checksum, an impossible number or a missing end is an error, because nothing after it can be found.
struct TarReader: ~Copyable {
  /// Why a stream cannot be read further.
  struct Damage: Error {
    let message: String
  }

  /// A member, before its content.
  struct Member {
    /// The type of a member.
    enum Kind {
      case file
      case folder
      /// A file without its holes: the content is the bytes between them, in some formats after a list of where they belong.
      case sparse
      /// A link, a device or a pipe, which has no content of its own.
      case other
    }

    /// The name as stored: of any bytes.
    var name: PathBytes
    var kind: Kind
    /// Size of the content in bytes.
    var count: Int
  }

  /// The longest name, and the largest extended header.
  static let longestName = 65_536
  private static let largestHeader = 1_048_576

  private let read: @Sendable () throws -> [UInt8]
  private var buffer: ArraySlice<UInt8> = []
  /// Bytes of the current member that were not read, and the padding after them.
  private var left = 0
  private var padding = 0
  /// Whether a valid header was read.
  private var isBegun = false

  /// - Parameter read: Returns the next bytes of the stream; none at its end.
  init(read: @escaping @Sendable () throws -> [UInt8]) { self.read = read }

  /// The next member; nil at the end of the archive. What was not read of the member before is skipped.
  mutating func next() throws -> Member? {
    while left > 0 { _ = try content() }
    try skip(padding)
    padding = 0
    var longName: [UInt8]?
    var fields = Fields()
    while true {
      guard let header = try header() else { return nil }
      let count = try Self.number(header[124..<136], of: "size")
      switch header[156] {
      case UInt8(ascii: "L"): longName = Array(try body(count).prefix { $0 != 0 })
      case UInt8(ascii: "K"), UInt8(ascii: "g"): _ = try body(count)
      case UInt8(ascii: "x"): fields = try Fields(try body(count))
      case let type:
        if type == UInt8(ascii: "S") { try skipMap(after: header) }
        let size = fields.size ?? count
        let kind: Member.Kind =
          switch type {
          case UInt8(ascii: "S"): .sparse
          case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): fields.isSparse ? .sparse : .file
          // D is a folder with a list of its names, of an incremental backup by GNU tar.
          case UInt8(ascii: "5"), UInt8(ascii: "D"): .folder
          default: .other
          }
        // Links, devices and folders may state a size and have no content. Members of other types have one (POSIX).
        left = (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(type) ? 0 : size
        padding = (TarWriter.block - left % TarWriter.block) % TarWriter.block
        let name = fields.sparseName ?? fields.path ?? longName ?? Self.name(in: header)
        // Before POSIX a folder was a file whose name ends with a slash.
        let isFolder = kind == .folder || (kind == .file && name.last == PathBytes.slash && size == 0)
        return Member(name: PathBytes(name), kind: isFolder ? .folder : kind, count: left)
      }
    }
  }

  /// The next bytes of the current member; none at its end.
  mutating func content() throws -> [UInt8] {
    guard left > 0 else { return [] }
    if buffer.isEmpty { try fill() }
    let piece = buffer.prefix(left)
    buffer = buffer.dropFirst(piece.count)
    left -= piece.count
    return Array(piece)
  }

  /// Skips the blocks in which GNU's old format goes on with the map of a sparse file. The last byte of each map, before padding, shows whether another one
  /// follows.
  private mutating func skipMap(after header: [UInt8]) throws {
    var continues = header[482] != 0
    while continues { continues = try take(TarWriter.block)[504] != 0 }
  }

  /// The next header; nil at the end of the archive.
  private mutating func header() throws -> [UInt8]? {
    guard let block = try block() else { return nil }
    guard block.contains(where: { $0 != 0 }) else {
      // A block of zeros ends the archive. What follows it is read, so that the writer of a pipe is not stopped.
      repeat { buffer = try read()[...] } while !buffer.isEmpty
      return nil
    }
    let stated = try? Self.number(block[148..<156], of: "checksum")
    var sum = 0
    var signed = 0
    for (index, byte) in block.enumerated() {
      let byte = (148..<156).contains(index) ? UInt8(ascii: " ") : byte
      sum += Int(byte)
      // Old programs added the bytes as signed ones.
      signed += Int(Int8(bitPattern: byte))
    }
    guard stated == sum || stated == signed else {
      throw Damage(
        message: isBegun
          ? "a header has the wrong checksum"
          : "it does not begin with a header; if it is compressed, decompress it first")
    }
    isBegun = true
    return block
  }

  private mutating func block() throws -> [UInt8]? {
    if buffer.isEmpty {
      buffer = try read()[...]
      if buffer.isEmpty { throw Damage(message: "its end is missing") }
    }
    return try take(TarWriter.block)
  }

  /// The body of an extended header.
  private mutating func body(_ count: Int) throws -> [UInt8] {
    guard count <= Self.largestHeader else { throw Damage(message: "an extended header is too long") }
    let body = try take(count)
    try skip((TarWriter.block - count % TarWriter.block) % TarWriter.block)
    return body
  }

  private mutating func take(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      if buffer.isEmpty { try fill() }
      let piece = buffer.prefix(count - bytes.count)
      bytes += piece
      buffer = buffer.dropFirst(piece.count)
    }
    return bytes
  }

  private mutating func skip(_ count: Int) throws { _ = try take(count) }

  private mutating func fill() throws {
    buffer = try read()[...]
    if buffer.isEmpty { throw Damage(message: "it is cut short") }
  }

  private static func name(in header: [UInt8]) -> [UInt8] {
    let name = header[0..<100].prefix { $0 != 0 }
    let isPOSIX = header[257..<263].elementsEqual("ustar\0".utf8)
    let prefix = isPOSIX ? header[345..<500].prefix { $0 != 0 } : []
    return prefix.isEmpty ? Array(name) : prefix + [PathBytes.slash] + name
  }

  /// A number in octal digits, or in GNU's binary form for large ones.
  private static func number(_ field: ArraySlice<UInt8>, of what: String) throws -> Int {
    func impossible() -> Damage { Damage(message: "a header has an impossible \(what)") }
    var number = 0
    if let first = field.first, first & 0x80 != 0 {
      guard first == 0x80 else { throw impossible() }
      for byte in field.dropFirst() {
        guard number < 1 << 47 else { throw impossible() }
        number = number << 8 | Int(byte)
      }
      return number
    }
    let digits = field.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit), number < 1 << 47 else { throw impossible() }
      number = number << 3 | Int(digit - UInt8(ascii: "0"))
    }
    return number
  }

  /// The records of an extended header of pax: `LENGTH KEY=VALUE\n`.
  private struct Fields {
    var path: [UInt8]?
    var size: Int?
    /// Whether the file is sparse, in one of GNU's formats for pax.
    var isSparse = false
    /// Its name; `path` is then one that GNU tar has made up.
    var sparseName: [UInt8]?

    init() {}

    init(_ body: [UInt8]) throws {
      var rest = body[...]
      while let first = rest.first, first != 0 {
        let digits = rest.prefix { $0 != UInt8(ascii: " ") }
        guard let count = Int(String(decoding: digits, as: UTF8.self)), count > digits.count + 1, count <= rest.count
        else { throw Damage(message: "an extended header has a record of an impossible length") }
        let record = rest.prefix(count).dropFirst(digits.count + 1).dropLast()
        rest = rest.dropFirst(count)
        guard let sign = record.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let value = record[(sign + 1)...]
        switch String(decoding: record[..<sign], as: UTF8.self) {
        case "path": path = try Self.name(value)
        case "size":
          guard let size = Int(String(decoding: value, as: UTF8.self)), (0..<1 << 50).contains(size) else {
            throw Damage(message: "a header has an impossible size")
          }
          self.size = size
        case let key where key.hasPrefix("GNU.sparse."):
          isSparse = true
          if key == "GNU.sparse.name" { sparseName = try Self.name(value) }
        default: continue
        }
      }
    }

    private static func name(_ value: ArraySlice<UInt8>) throws -> [UInt8] {
      guard value.count <= TarReader.longestName else { throw Damage(message: "a name is too long") }
      return Array(value)
    }
  }
}
