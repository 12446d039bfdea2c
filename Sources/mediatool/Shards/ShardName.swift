internal import Crypto
internal import FileSupport

/// The name of a shard, and the keys of its samples.
///
/// WebDataset takes everything in front of the first dot of a member's name as the key of a sample, and a key must occur only once in
/// all shards. So keys are made from the shard's name and a number, never from the name of a source.
struct ShardName: Hashable, Sendable {
  /// As the user named it; the files of the shard begin with it.
  let text: String
  /// The beginning of all keys.
  let prefix: String

  /// The name of the shard of a list: the list's name without its extension.
  init?(list: PathBytes) {
    let name = list.lastComponent
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    self.init(String(decoding: name[..<dot], as: UTF8.self))
  }

  /// - Returns: Nil if it cannot be the beginning of a file name.
  init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.longest, !text.utf8.starts(with: ".".utf8),
      !text.utf8.contains(UInt8(ascii: "/")),
      text.unicodeScalars.allSatisfy(DisplayText.isHarmless)
    else { return nil }
    self.text = text
    let isKey = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    // The digest keeps keys of names apart that differ only in characters that a key cannot have.
    prefix =
      isKey && text.utf8.count <= 48
      ? text : Hexadecimal.encode(SHA256.hash(data: Array(text.utf8)).prefix(8))
  }

  /// The longest name in bytes: with an extension and the name of a temporary file it is still a file name.
  static let longest = 200

  /// The key of the sample from a line of the list, or of a member of a tar file, from 1.
  func key(_ number: Int) -> String {
    let digits = String(number)
    return "\(prefix)-\(String(repeating: "0", count: max(0, 9 - digits.count)))\(digits)"
  }

  /// The name of the tar file.
  var tar: String { "\(text).tar" }
  /// The name of the file with the results.
  var results: String { "\(text).ndjson" }
  /// The name of the file that marks the shard as done.
  var statistics: String { "\(text)\(Self.statisticsSuffix)" }

  /// The name of the last member of a stream. Readers of WebDataset skip it.
  var statisticsMember: String { "__stats__/\(prefix).json" }

  static let statisticsSuffix = ".stats.json"

  /// Whether a name is that of the tar file or the results of a shard.
  static func isFile(_ name: String) -> Bool { name.hasSuffix(".tar") || name.hasSuffix(".ndjson") }
}
