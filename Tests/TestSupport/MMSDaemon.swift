public import Foundation

/// mmsd-tng, a user agent in use: it fetches, reads and acknowledges what we write, and we read what it writes.
///
/// `Peers/mmsd-peer.py` starts it, on this machine alone.
public enum MMSDaemon {
  /// Whether everything it needs is installed; says so once when something is not.
  public static let isPresent: Bool = {
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
  static let python = Tool(executable: URL(fileURLWithPath: "/usr/bin/python3"))

  /// What starts the daemon.
  static let script = Corpus.packageRoot.appendingPathComponent("Tests/MMSCodecTests/Peers/mmsd-peer.py")

  /// What the daemon was asked to send.
  public struct Order: Encodable, Sendable {
    /// The addresses.
    public var recipients: [String]
    /// The subject.
    public var subject: String
    /// The presentation; empty for none.
    public var smil: String
    /// The name, type and path of each file.
    public var attachments: [[String]]

    /// Creates an order.
    /// - Parameter attachments: The name, type and path of each file.
    public init(recipients: [String], subject: String, smil: String, attachments: [[String]]) {
      (self.recipients, self.subject, self.smil, self.attachments) = (recipients, subject, smil, attachments)
    }
  }

  /// What it did.
  public struct Result: Decodable, Sendable {
    /// What was fetched after a push.
    public struct Fetch: Decodable, Sendable {
      /// The name that was fetched.
      public var fetched: String
    }
    /// A file of a message.
    public struct Attachment: Decodable, Sendable {
      /// The Content-ID.
      public var id: String
      /// The type with its parameters.
      public var type: String
      /// The path of the file that has it.
      public var file: String
      /// Where it begins in the file, in bytes.
      public var offset: Int
      /// Its bytes.
      public var length: Int
    }
    /// A message that the daemon has.
    public struct Message: Decodable, Sendable {
      /// The status in the words of the daemon.
      public var status: String
      /// The subject.
      public var subject: String
      /// The address of the sender.
      public var sender: String
      /// The addresses.
      public var recipients: [String]
      /// The presentation; empty for none.
      public var smil: String
      /// The files.
      public var attachments: [Attachment]
    }
    /// What was fetched, by name; nil if nothing was.
    public var received: [String: Fetch?]
    /// The messages of the daemon.
    public var messages: [Message]
    /// The status of the message that it sent.
    public var sent: String?
  }

  /// Runs it over the files of the folder.
  public static func run(in folder: URL) throws -> Result {
    _ = try python.output([script.path, folder.path], seconds: 3_600)
    return try JSONDecoder().decode(
      Result.self, from: Data(contentsOf: folder.appendingPathComponent("result.json")))
  }
}
