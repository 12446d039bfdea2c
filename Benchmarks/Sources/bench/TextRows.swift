internal import Foundation

/// The rows of the speed table that concern texts.
struct TextRows {
  /// mediatool in release.
  var tool: String
  /// The loop over Messaging that does nothing else.
  var loop: String
  /// Where outputs go.
  var output: String
  /// Texts, one per line.
  var plain: String { "\(texts.path)/texts.txt" }
  /// The same as JSON strings.
  var quoted: String { "\(texts.path)/texts.ndjson" }
  var texts: InputSet

  /// How many there are, and their bytes: they are the same on every machine.
  static let lines = 164_033
  static let bytes = 20_000_000

  /// The texts are words, of which about every tenth is a link, and now and then an emoji.
  init(tool: String, loop: String, output: String, folder: String) {
    (self.tool, self.loop, self.output) = (tool, loop, output)
    texts = InputSet(path: "\(folder)/texts") { beside in
      try FileManager.default.createDirectory(atPath: beside, withIntermediateDirectories: true)
      let texts = Self.texts(bytes: Self.bytes)
      try texts.map { $0 + "\n" }.joined().write(toFile: "\(beside)/texts.txt", atomically: true, encoding: .utf8)
      try texts.map { "\"\($0)\"\n" }.joined()
        .write(toFile: "\(beside)/texts.ndjson", atomically: true, encoding: .utf8)
    }
  }

  private static func texts(bytes: Int) -> [String] {
    let words = """
      the quick brown fox jumps over a lazy dog call me at +15551234567 or mail joe@example.com see http://example.com/path?q=1 and mozilla.org \
      tonight ok? Yes. it is you that he was for on are as with é 😀
      """.split(separator: " ")
    var state: UInt64 = 1
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var texts: [String] = []
    var left = bytes
    while left > 0 {
      let text = (0..<(3 + below(38))).map { _ in words[below(words.count)] }.joined(separator: " ")
      left -= text.utf8.count + 1
      texts.append(text)
    }
    return texts
  }

  var all: [Row] {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Peers/texts.py").standardized.path
    func ours(_ work: String) -> Command {
      Command(arguments: [loop, work, plain], folder: "\(output)/text-\(work)", lines: 1)
    }
    func peer(_ work: String) -> Command {
      Command(arguments: ["python3", script, work, plain], folder: "\(output)/python-\(work)", lines: 1)
    }
    return ["links", "segments"].map { work in
      Row(
        work: "\(work) of 20 MB of texts", ours: ours(work), peerName: "Python's regular expressions and sets",
        peer: peer(work), requirement: .throughput(megabytes: Double(Self.bytes) / 1e6, atLeast: 20), needs: [texts])
    } + [
      Row(
        work: "peak memory, mediatool text on 20 MB",
        ours: Command(
          arguments: ["sh", "-c", "exec \"$0\" text < \"$1\"", tool, quoted], folder: "\(output)/text",
          lines: Self.lines),
        requirement: .memory(below: 100), needs: [texts])
    ]
  }
}
