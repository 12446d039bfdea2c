internal import FileSupport
internal import GRDB
internal import MediaLibrary
public import Messaging

extension MessageStore {
  /// The reason why an operation of a message store failed.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name for the reason. More may be added; none is ever renamed.
    public struct Code: RawRepresentable, Hashable, Sendable {
      /// The stable name, such as `messagesLocked`, in JSON and in logs.
      public let rawValue: String
      /// A code, which need not be one of those below.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// Another process has the store open.
      public static let locked = Code(rawValue: "messagesLocked")
      /// A newer version wrote the store; this one cannot read it.
      public static let newerSchema = Code(rawValue: "messagesNewer")
      /// The file is the database of another program.
      public static let notAStore = Code(rawValue: "notAMessageStore")
      /// The store was opened for reading and cannot be changed.
      public static let readOnly = Code(rawValue: "messagesReadOnly")
      /// The thread, message or draft does not exist, or was deleted (R-MMS-54).
      public static let notFound = Code(rawValue: "notFound")
      /// The state of the message does not allow it; ``MessageStore/Failure/reason`` says why.
      public static let refused = Code(rawValue: "refused")
      /// The message cannot be sent; ``MessageStore/Failure/message`` names the blockers of its composition.
      public static let blocked = Code(rawValue: "blocked")
      /// The draft was changed since it was read.
      public static let draftChanged = Code(rawValue: "draftChanged")
      /// There is no file for an attachment.
      public static let fileMissing = Code(rawValue: "fileMissing")
      /// The data is not a message.
      public static let unrecognized = Code(rawValue: "unrecognized")
      /// The stored data is inconsistent; ``MessageStore/verify(repairs:)`` may help.
      public static let corrupt = Code(rawValue: "messagesCorrupt")
      /// The disk is full. The store is unchanged.
      public static let diskFull = Code(rawValue: "diskFull")
      /// A system call failed.
      public static let system = Code(rawValue: "systemError")
    }

    /// The stable name of the reason.
    public var code: Code
    /// One sentence with the way out, which is safe to show to any user.
    public var message: String
    /// Why a transfer is refused; nil for other codes.
    public var reason: MessageErrorCode?
    /// The message of the system or the database, for the administrator.
    public var detail: String?

    /// - Parameters:
    ///   - message: One sentence with the way out, which is safe to show to any user.
    ///   - detail: For the administrator.
    public init(_ code: Code, _ message: String, reason: MessageErrorCode? = nil, detail: String? = nil) {
      (self.code, self.message, self.reason, self.detail) = (code, message, reason, detail)
    }

    /// The code, the message and the detail in one line, for a log.
    public var description: String { "\(code.rawValue): \(message)" + (detail.map { " (\($0))" } ?? "") }

    init(_ reason: MessageErrorCode) {
      let sentence =
        switch reason {
        case .unknownOutcome: "The message may have been sent already; resend it only if it did not arrive."
        case .attachmentMissing: "The file of an attachment is missing or damaged; attach it to a new message."
        default: reason.sentence
        }
      self.init(reason == .notFound ? .notFound : .refused, sentence, reason: reason)
    }

    /// Whether the same operation on the same data fails again, whatever the system does meanwhile.
    var isPermanent: Bool { code == .fileMissing || code == .corrupt }

    static let openForReading = Failure(
      .readOnly, "The message store is open for reading only; open it for writing.")

    static func noThread(_ id: MessageStore.Thread.ID) -> Failure {
      Failure(.notFound, "The thread \(id.rawValue) does not exist; it may have been deleted.")
    }

    static func noMessage(_ id: MessageStore.Message.ID) -> Failure {
      Failure(
        .notFound, "The message \(id.rawValue) does not exist; it may have been deleted.", reason: .notFound)
    }

    static func noDraft(_ id: MessageStore.Draft.ID) -> Failure {
      Failure(.notFound, "The draft \(id.rawValue) does not exist; it may have been sent or deleted.")
    }

    /// Runs a body, with the errors of files and of the database as errors of the store.
    static func mapping<Value>(at folder: PathBytes, _ body: () throws -> Value) throws(Failure) -> Value {
      do { return try body() } catch let error as Failure { throw error } catch let error as LibraryError {
        switch error.code {
        case .locked:
          throw Failure(
            .locked, "Another process has the message store open; try again when it has finished.",
            detail: error.sentence)
        case .diskFull:
          throw Failure(.diskFull, "The disk is full; free some space and try again.", detail: error.sentence)
        default: throw Failure(.system, error.message, detail: error.sentence)
        }
      } catch let error as DatabaseError {
        throw Failure(error, at: folder)
      } catch {
        throw Failure(
          .corrupt,
          "A stored message cannot be read; `mediatool messages --verify` names it, and `MessageStore.verify(repairs: true)` repairs it.",
          detail: "\(folder): \(error)")
      }
    }

    private init(_ error: DatabaseError, at folder: PathBytes) {
      let detail = "\(folder): \(error)"
      switch error.resultCode {
      case .SQLITE_FULL: self.init(.diskFull, "The disk is full; free some space and try again.", detail: detail)
      case .SQLITE_CORRUPT:
        self.init(.corrupt, "The database of the message store is damaged; restore it from a backup.", detail: detail)
      case .SQLITE_CANTOPEN:
        self.init(
          .system, "The message store cannot be opened; check the owner and the permissions of its folder.",
          detail: detail)
      case .SQLITE_NOTADB:
        self.init(
          .notAStore, "messages.sqlite is not the database of a message store; name another folder.", detail: detail)
      default:
        self.init(
          .system, "The message store cannot be read or written; check the owner and the permissions of its folder.",
          detail: detail)
      }
    }
  }
}

extension MessageErrorCode {
  /// An SMS was handed to the network, and the process ended before the answer came: it may have been sent.
  public static let unknownOutcome = MessageErrorCode(rawValue: "unknownOutcome")
  /// The file of an attachment is missing or damaged.
  public static let attachmentMissing = MessageErrorCode(rawValue: "attachmentMissing")
}
