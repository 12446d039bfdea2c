public import ArgumentParser
public import FileSupport
internal import Glibc

/// The bytes of the command line, carried through the argument parser.
///
/// The parser takes strings, and a file name is not always UTF-8: `CommandLine.arguments` puts replacement characters where it is
/// not, and the file can no longer be found. So each byte that is no UTF-8 becomes a private-use character of its own
/// (U+10FF80…U+10FFFF), and turns back into the byte where a path is taken. A name that holds such characters itself goes the same
/// way, byte by byte, so that every name comes back as it was.
enum RawArguments {
  /// The arguments after the command's own name, for the parser.
  static var ofThisProcess: [String] { bundled(unbundled) }

  /// The same, one by one as they were typed.
  static var unbundled: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { argument in
        text(of: UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
      }
    }
  }

  /// The same arguments, many files in a row put into one, with NULs between them.
  ///
  /// The parser's time grows with the square of the number of files: 20,000 that a shell put in place of `*.jpg` take ten seconds. In
  /// a row of arguments without a dash the first can be the value of an option, or a verb; those behind it can only be files.
  static func bundled(_ arguments: [String]) -> [String] {
    var bundled: [String] = []
    var rest = arguments[...]
    while !rest.isEmpty {
      let row = rest.prefix { !$0.hasPrefix("-") }
      if row.count <= Self.smallRow {
        bundled += row
      } else {
        bundled.append(row[row.startIndex])
        bundled.append(row.dropFirst().joined(separator: "\0"))
      }
      rest = rest.dropFirst(row.count)
      if let option = rest.popFirst() { bundled.append(option) }
    }
    return bundled
  }

  /// So few that the parser has no trouble, and its messages show them as they were typed.
  static let smallRow = 250

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

/// One file on the command line, or many in one argument (see ``RawArguments/bundled(_:)``).
struct PathArguments: ExpressibleByArgument {
  let paths: [PathBytes]

  init?(argument: String) {
    paths = RawArguments.bytes(of: argument).split(separator: 0, omittingEmptySubsequences: false).map { PathBytes($0) }
  }
}

extension PathBytes: ExpressibleByArgument {
  /// The path as it was typed, whatever its bytes.
  public init?(argument: String) { self.init(RawArguments.bytes(of: argument)) }

  /// Shown as a default value in the help.
  public var defaultValueDescription: String { text }
}
