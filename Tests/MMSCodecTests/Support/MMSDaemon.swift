internal import Foundation
internal import TestSupport

/// mmsd-tng, a user agent in use: it fetches, reads and acknowledges what we write, and we read what it writes.
///
/// `Peers/mmsd-peer.py` starts it, on this machine alone.
struct MMSDaemon {
  /// Whether everything it needs is installed; says so once when something is not.
  static let isPresent: Bool = {
    do {
      _ = try Tool("mmsdtng", package: "mmsd-tng")
      _ = try Tool("dbus-daemon", package: "dbus")
      _ = try python.output(["-c", "import dbus, dbusmock"])
      return true
    } catch {
      print("skipped: mmsd-tng, dbus or python3-dbusmock is not installed (\(error))")
      return false
    }
  }()

  /// The system's Python, which has Debian's modules.
  private static let python = Tool(executable: URL(fileURLWithPath: "/usr/bin/python3"))

  /// What the daemon was asked to send.
  struct Order: Encodable {
    var recipients: [String]
    var subject: String
    var smil: String
    var attachments: [[String]]
  }

  /// What it did.
  struct Result: Decodable {
    struct Fetch: Decodable {
      var fetched: String
    }
    struct Attachment: Decodable {
      var id: String
      var type: String
      var file: String
      var offset: Int
      var length: Int
    }
    struct Message: Decodable {
      var status: String
      var subject: String
      var sender: String
      var recipients: [String]
      var smil: String
      var attachments: [Attachment]
    }
    var received: [String: Fetch?]
    var messages: [Message]
    var sent: String?
  }

  /// Runs it over the files of the folder.
  static func run(in folder: URL) throws -> Result {
    let script = Corpus.packageRoot.appendingPathComponent("Tests/MMSCodecTests/Peers/mmsd-peer.py")
    _ = try python.output([script.path, folder.path], seconds: 180)
    return try JSONDecoder().decode(
      Result.self, from: Data(contentsOf: folder.appendingPathComponent("result.json")))
  }
}
