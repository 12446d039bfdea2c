internal import Foundation

/// The rows of the speed table that concern multimedia messages.
struct MessageRows {
  /// The loop over our codec.
  var loop: String
  /// Where outputs go.
  var output: String
  /// Python with python-messaging.
  var python: String
  var pythonLoop: String
  var luaScript: String
  /// A message of 300 kB, and one small enough for a packet of a capture file.
  var large: String { "\(messages.path)/large.mms" }
  var small: String { "\(messages.path)/small.mms" }
  var capture: String { "\(messages.path)/small.pcap" }
  var messages: InputSet

  static let captured = 100
  static let runs = 2_000

  /// The virtual environment `venv` is scripts/bench's.
  init(loop: String, venv: String, peers: String, output: String, folder: String) {
    (self.loop, self.output) = (loop, output)
    python = "\(venv)/bin/python"
    pythonLoop = "\(peers)/python-messaging-loop.py"
    luaScript = "\(peers)/mms.lua"
    messages = InputSet(path: "\(folder)/messages-mms") { beside in
      try FileManager.default.createDirectory(atPath: beside, withIntermediateDirectories: true)
      for words in [
        ["make", "\(beside)/large.mms", "306000"], ["make", "\(beside)/small.mms", "255000"],
        ["capture", "\(beside)/small.mms", "\(Self.captured)", "\(beside)/small.pcap"],
      ] {
        _ = try Command(arguments: [loop] + words, folder: "\(output)/making").run()
      }
    }
  }

  private func ours(_ verb: String, _ file: String, _ count: Int) -> Command {
    Command(arguments: [loop, verb, file, "\(count)"], folder: "\(output)/pdu-loop", lines: 1)
  }

  private func pythons(_ verb: String, _ count: Int) -> Command {
    Command(arguments: [python, pythonLoop, verb, large, "\(count)"], folder: "\(output)/python-messaging", lines: 1)
  }

  var all: [Row] {
    let megabytes = Double(Self.runs) * 0.307
    let words = ["-X", "lua_script:\(luaScript)", "-r", capture, "-T", "fields", "-e", "mmse.message_type"]
    let tshark = Command(
      arguments: ["tshark"] + words + ["-e", "wsp.parameter.name"], folder: "\(output)/tshark", lines: Self.captured)
    return [
      Row(
        work: "decoding \(Self.runs) messages of 300 kB", ours: ours("decode", large, Self.runs),
        requirement: .throughput(megabytes: megabytes, atLeast: 200), needs: [messages]),
      Row(
        work: "encoding \(Self.runs) messages of 300 kB", ours: ours("encode", large, Self.runs),
        requirement: .throughput(megabytes: megabytes, atLeast: 200), needs: [messages]),
      Row(
        work: "decoding 20 messages of 300 kB", ours: ours("decode", large, 20), peerName: "python-messaging",
        peer: pythons("decode", 20), requirement: .speed(atLeast: 10), needs: [messages]),
      Row(
        work: "encoding 20 messages of 300 kB", ours: ours("encode", large, 20), peerName: "python-messaging",
        peer: pythons("encode", 20), requirement: .speed(atLeast: 10), needs: [messages]),
      Row(
        work: "decoding \(Self.captured) messages of 255 kB", ours: ours("decode", small, Self.captured),
        peerName: "tshark", peer: tshark, requirement: .speed(atLeast: 5), needs: [messages]),
    ]
  }
}
