/// The hold of an app that keeps one mail at a time: which mail it is, which of its parts are on the disk, and what was asked of the server (R-MAIL-3).
///
/// A state machine without a clock or I/O: it takes events, and returns effects. Store it after each event, before you carry out its effects. A
/// restored one resumes with ``Event/restored``. Deletion, reply and a mail that is gone from the server change the state only once they are
/// confirmed (R-MAIL-4, R-MAIL-5). A UID is sent only to a mailbox whose UIDVALIDITY was found to be that of the mail since the app was started.
public struct MailHold: Hashable, Codable, Sendable {
  /// What the one place of a hold contains.
  public enum State: String, Hashable, Codable, Sendable {
    /// No mail: the next one is asked for.
    case empty
    /// One mail: the next one is not asked for.
    case full
  }

  /// A mail on its server.
  public enum Identity: Hashable, Codable, Sendable {
    /// IMAP: the UIDVALIDITY of the mailbox, and the UID (RFC 9051 §2.3.1.1).
    case imap(validity: UInt32, uid: UInt32)
    /// POP3: the unique id (RFC 1939 §7).
    case pop3(uidl: String)
  }

  /// The e-mail that the client handles now, as it is stored between two starts of the client.
  public struct Held: Hashable, Codable, Sendable {
    /// Where the mail is on its server, by which it is recognised after a start.
    public let identity: Identity
    /// Its parts; nil until they are known. With POP3 that is when the last byte of the mail is there.
    public internal(set) var structure: MailStructure?
    /// Whether the server does not have it any more. It is held until the reply to it is answered.
    public internal(set) var isGone = false
    /// The parts of which something is on the disk, by section.
    public internal(set) var parts: [String: Part] = [:]
  }

  /// A part on the disk.
  public struct Part: Hashable, Codable, Sendable {
    /// The decoder after the last piece that was written. Its counts are the offset of the next piece, and the size of the file.
    public internal(set) var decoder: MailPartDecoder
    /// Whether the file is complete.
    public internal(set) var isComplete: Bool
  }

  /// What was asked of the server and is not confirmed.
  public enum Request: Hashable, Codable, Sendable {
    /// To delete the mail. Repeating it does no harm.
    case deletion
    /// The sending of a reply, which the caller names.
    case reply(id: String)
    /// A reply of which it is unknown whether it was sent, because the app ended meanwhile.
    case unconfirmedReply(id: String)
  }

  /// The held mail; nil if the hold is empty.
  public internal(set) var held: Held?
  /// What is not confirmed; nil if nothing is.
  public internal(set) var request: Request?
  /// The reason why the last deletion or reply failed, as the caller stated it.
  public internal(set) var failure: String?
  /// The mail that was released last. It is not held again.
  public internal(set) var released: Identity?
  /// The UIDVALIDITY of the mailbox that is selected since the app was started; nil until it is known.
  var selectedValidity: UInt32?

  /// Seconds until a held mail is looked for on the server: 30 minutes by default.
  public var checkInterval: Double
  /// Seconds until an empty hold asks for the next mail: 5 minutes by default.
  public var fetchInterval: Double

  /// Creates an empty hold. Its first event is ``Event/restored``.
  public init(checkInterval: Double = 1_800, fetchInterval: Double = 300) {
    (self.checkInterval, self.fetchInterval) = (checkInterval, fetchInterval)
  }

  /// Whether a mail is held.
  public var state: State { held == nil ? .empty : .full }
}
