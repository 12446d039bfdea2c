#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The C library's `iconv`, for charsets without a decoder in this module.
struct CharsetConverter: ~Copyable {
  private let descriptor: iconv_t

  /// A converter to UTF-8; nil if the machine's C library does not support the charset.
  private init?(from name: String) {
    guard let descriptor = iconv_open("UTF-8", name), descriptor != iconv_t(bitPattern: -1) else { return nil }
    self.descriptor = descriptor
  }

  deinit { iconv_close(descriptor) }

  /// The text in UTF-8; nil if the charset is not supported.
  ///
  /// `name` must come from the table of ``Charset``, never from a message: it decides which module the C library loads.
  static func text(_ octets: ArraySlice<UInt8>, from name: String) -> String? {
    guard let converter = CharsetConverter(from: name) else { return nil }
    return converter.text(octets)
  }

  /// Invalid octets become U+FFFD one by one; an incomplete character at the end is dropped.
  private func text(_ octets: ArraySlice<UInt8>) -> String {
    var input = octets.map { CChar(bitPattern: $0) }
    var result: [UInt8] = []
    result.reserveCapacity(octets.count * 2)
    var output = [CChar](repeating: 0, count: 4_096)
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var next = input.baseAddress
        var left = input.count
        while left > 0 {
          var free = output.baseAddress
          var room = output.count
          let before = left
          let status = iconv(descriptor, &next, &left, &free, &room)
          let code = errno
          result.append(contentsOf: output.prefix(output.count - room).lazy.map { UInt8(bitPattern: $0) })
          guard status == -1 else { continue }
          if code == EILSEQ, left > 0 {
            result.append(contentsOf: [0xEF, 0xBF, 0xBD])
            next = next.map { $0 + 1 }
            left -= 1
          } else if code != E2BIG || (left == before && room == output.count) {
            // Incomplete at the end, or no progress at all.
            return
          }
        }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
