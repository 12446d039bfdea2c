/// Writes the members of a tar file in the format ustar (POSIX.1-1988), which every reader knows.
///
/// Time, user and group are zero, so that equal members give equal bytes. A member is a regular file with mode 0644.
enum TarWriter {
  /// Size of a block; headers and contents begin at multiples of it.
  static let block = 512
  /// The longest name of a member, in bytes.
  static let longestName = 100
  /// The end of a tar file: two blocks of zeros.
  static let end = [UInt8](repeating: 0, count: 2 * block)

  /// The blocks of a member: header, content, padding.
  /// - Parameters:
  ///   - name: At most ``longestName`` bytes of ASCII, which the caller ensures; a longer name is cut.
  ///   - content: Less than 8 GiB, as everything in memory that is an image or a record.
  static func member(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var bytes = header(name, count: content.count)
    bytes += content
    bytes += [UInt8](repeating: 0, count: (block - content.count % block) % block)
    return bytes
  }

  private static func header(_ name: String, count: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: block)
    func put(_ text: some Sequence<UInt8>, at offset: Int) {
      for (index, byte) in text.enumerated() where offset + index < block { header[offset + index] = byte }
    }
    func octal(_ number: Int, digits: Int) -> [UInt8] {
      let text = String(number, radix: 8)
      return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
    }
    put(name.utf8.prefix(longestName), at: 0)
    put(octal(0o644, digits: 7), at: 100)
    put(octal(0, digits: 7), at: 108)
    put(octal(0, digits: 7), at: 116)
    put(octal(count, digits: 11), at: 124)
    put(octal(0, digits: 11), at: 136)
    put("        ".utf8, at: 148)
    put("0".utf8, at: 156)
    put("ustar".utf8, at: 257)
    put("00".utf8, at: 263)
    put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + [0], at: 148)
    return header
  }
}
