public import ArgumentParser
public import FileSupport
internal import Glibc

/// Passes the bytes of the command line through the argument parser.
///
/// The parser takes strings, but a file name need not be UTF-8: `CommandLine.arguments` has replacement characters instead, so that the file
/// cannot be found. Here each byte that is not UTF-8 becomes a private-use character (U+10FF80…U+10FFFF), and becomes the byte again where a path
/// is taken. A name that contains such characters is converted byte by byte too, so that every name is restored exactly.
enum RawArguments {
  /// The arguments after the command's name, for the parser.
  static var ofThisProcess: [String] { bundled(unbundled) }

  /// The arguments one by one as typed, with the present name of the command.
  static var unbundled: [String] {
    let typed = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { argument in
        text(of: UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
      }
    }
    return withPresentVerb(typed)
  }

  /// Replaces a former name of a command, which scripts may still have, by its present one. Not an alias of the parser's, because help and completion
  /// list those.
  static func withPresentVerb(_ arguments: [String]) -> [String] {
    let index = arguments.first == "help" ? 1 : 0
    guard arguments.indices.contains(index), let verb = formerVerbs[arguments[index]] else { return arguments }
    var arguments = arguments
    arguments[index] = verb
    return arguments
  }

  private static let formerVerbs = ["places": "locations", "forget": "erase"]

  /// The arguments, with many consecutive files joined into one by NULs.
  ///
  /// The parser's time grows with the square of the number of files: 20,000 files from `*.jpg` take ten seconds. Among consecutive arguments
  /// without a dash, the first may be an option's value or a command; the others can only be files.
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

  /// Below this number the parser is fast enough, and its messages show the arguments as typed.
  static let smallRow = 250

  /// A string from which ``bytes(of:)`` restores the bytes.
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
  /// The path as typed, with any bytes.
  public init?(argument: String) { self.init(RawArguments.bytes(of: argument)) }

  /// Shown as a default value in the help.
  public var defaultValueDescription: String { text }
}
