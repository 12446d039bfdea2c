internal import FileSupport

/// An upload from its first byte until its answer is forgotten.
public struct Upload: Hashable, Sendable, Identifiable {
  /// 128 random bits as 32 hexadecimal digits: it cannot be guessed, and is safe as a file name.
  public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The digits.
    public let rawValue: String

    /// An id with these digits; nil for any other text.
    public init?(rawValue: String) {
      guard rawValue.utf8.count == 32, Hexadecimal.decode(rawValue) != nil else { return nil }
      self.rawValue = rawValue
    }

    /// A new id.
    public init() {
      var random = SystemRandomNumberGenerator()
      rawValue = Hexadecimal.encode((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// The digits.
    public var description: String { rawValue }
  }

  /// The protocol to which an upload belongs: in tus its length decides when it is complete, in the IETF form a request does.
  public enum Form: String, Hashable, Sendable {
    /// tus 1.0.
    case tus
    /// Resumable uploads for HTTP (draft-ietf-httpbis-resumable-upload).
    case ietf
  }

  /// How far an upload is.
  public enum State: String, Hashable, Sendable, Encodable {
    /// Bytes are missing.
    case receiving
    /// All bytes are there; the file is examined.
    case examining
    /// The file is an attachment.
    case finished
    /// The file was refused; its bytes are removed.
    case refused
    /// The client ended it; its bytes are removed.
    case deleted
    /// It was not continued in time; its bytes are removed.
    case expired

    /// Whether it can become an attachment.
    var isOpen: Bool { self == .receiving || self == .examining }
  }

  /// The id, which is the last part of its address.
  public let id: ID
  /// The owner, who alone may know of it.
  public let owner: String
  /// The protocol of its requests.
  public let form: Form
  /// The step that it has reached, such as ``State/receiving``, or how it ended.
  public internal(set) var state = State.receiving
  /// Size in bytes of the file, once it is known.
  public internal(set) var length: Int?
  /// Number of bytes that are on the disk.
  public internal(set) var offset = 0
  /// What the client states of the file.
  public internal(set) var claims: Claims
  /// The field `Upload-Metadata` of tus, repeated unchanged.
  public internal(set) var metadata: String?
  /// When it was created, in seconds since 1970.
  public let created: Int
  /// When it is removed unless more bytes arrive, or when its answer is forgotten, in seconds since 1970.
  public internal(set) var expires: Int
  /// The attachment that it became.
  public internal(set) var attachment: IngestedAttachment?
  /// Why it was refused.
  public internal(set) var refusal: ServiceError?

  init(id: ID = ID(), owner: String, form: Form, claims: Claims, created: Int, expires: Int) {
    (self.id, self.owner, self.form, self.claims) = (id, owner, form, claims)
    (self.created, self.expires) = (created, expires)
  }
}

extension Upload {
  /// What a client states of a file. Nothing of it is trusted, and no path is built from it.
  public struct Claims: Hashable, Sendable {
    /// The file name, for display alone.
    public var name: String?
    /// The media type.
    public var type: String?
    /// The SHA-256 of the whole file: 32 bytes, which are compared with those that arrive.
    public var digest: [UInt8]?
    /// The id of the draft to which the attachment is added.
    public var draft: String?

    /// Claims of a client. The name loses folders and control characters, and ends after 255 bytes.
    public init(name: String? = nil, type: String? = nil, digest: [UInt8]? = nil, draft: String? = nil) {
      (self.type, self.digest, self.draft) = (type.flatMap(Self.usable), digest, draft)
      self.name = name.flatMap(Self.displayName)
    }

    /// Types that say nothing of the file: those of the protocols, and curl's default.
    private static let generic: Set<String> = [
      "application/octet-stream", "application/offset+octet-stream", "application/partial-upload",
      "application/x-www-form-urlencoded", "binary/octet-stream",
    ]

    private static func usable(_ type: String) -> String? {
      let essence = String(type.prefix { $0 != ";" }.filter { !$0.isWhitespace }).lowercased()
      guard essence.contains("/"), essence.utf8.count <= 127, !generic.contains(essence) else { return nil }
      return essence
    }

    private static func displayName(_ name: String) -> String? {
      var kept = String.UnicodeScalarView()
      var bytes = 0
      for scalar in name.unicodeScalars {
        switch scalar.properties.generalCategory {
        // Also marks that change the direction of the text, which show `exe.jpg` as `gpj.exe`.
        case .control, .format, .lineSeparator, .paragraphSeparator: continue
        // Only what follows the last folder is the name.
        case _ where scalar == "/" || scalar == "\\": (kept, bytes) = (String.UnicodeScalarView(), 0)
        default:
          bytes += UTF8.width(scalar)
          if bytes <= 255 { kept.append(scalar) }
        }
      }
      let text = String(kept)
      return text.isEmpty || text == "." || text == ".." ? nil : text
    }
  }
}
