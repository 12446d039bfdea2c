internal import ArgumentParser
internal import Glibc

/// The bytes of the command line, carried through the argument parser.
///
/// The parser takes strings, and a file name is not always UTF-8: `CommandLine.arguments` puts replacement characters where it is
/// not, and the file can no longer be found. So each byte that is no UTF-8 becomes a private-use character of its own
/// (U+10FF80…U+10FFFF), and turns back into the byte where a path is taken. A name that holds such characters itself goes the same
/// way, byte by byte, so that every name comes back as it was.
enum RawArguments {
  /// The arguments after the command's own name, for the parser.
  static var ofThisProcess: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { argument in
        text(of: UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
      }
    }
  }

  /// A string from which ``bytes(of:)`` finds the bytes again.
  static func text(of bytes: some Collection<UInt8>) -> String {
    var text = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      var parser = UTF8.ForwardParser()
      var iterator = rest.makeIterator()
      let taken: Int
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded) where !reserved.contains(UTF8.decode(encoded)):
        text.unicodeScalars.append(UTF8.decode(encoded))
        rest = rest.dropFirst(encoded.count)
        continue
      case .valid(let encoded): taken = encoded.count
      case .error(let length): taken = length
      case .emptyInput: return text
      }
      // Every byte of a malformed sequence and of a four-byte character is 0x80 or more.
      for byte in rest.prefix(taken) {
        if let scalar = Unicode.Scalar(base + UInt32(byte)) { text.unicodeScalars.append(scalar) }
      }
      rest = rest.dropFirst(taken)
    }
    return text
  }

  /// The bytes that the user typed.
  static func bytes(of text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if reserved.contains(scalar) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value - base))
      } else {
        bytes += UTF8.encode(scalar).map(Array.init) ?? []
      }
    }
    return bytes
  }

  private static let base: UInt32 = 0x10_FF00
  private static let reserved =
    Unicode.Scalar(0x10_FF80 as UInt32).map { $0..."\u{10FFFF}" } ?? "\u{10FFFF}"..."\u{10FFFF}"
}

extension RawPath: ExpressibleByArgument {
  init?(argument: String) { self.init(RawArguments.bytes(of: argument)) }

  // Shown as a default value in the help.
  var defaultValueDescription: String { text }
}
