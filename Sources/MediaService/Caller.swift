internal import AttachmentPolicy
internal import MediaLibrary

/// Who makes a request: whoever authenticated it states this, and the service trusts it.
public struct Caller: Hashable, Sendable {
  /// What a caller may do at all, whatever the attachment.
  public struct Scope: OptionSet, Hashable, Sendable {
    /// The bits of the scopes.
    public let rawValue: Int
    /// The scopes of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Read what the caller owns, and what others let it read.
    public static let read = Scope(rawValue: 1)
    /// Upload, label, send and erase what the caller owns.
    public static let write = Scope(rawValue: 2)
    /// Block and release files of any owner (R-MYM-26).
    public static let moderate = Scope(rawValue: 4)
    /// Read and write.
    public static let owner: Scope = [.read, .write]
  }

  /// The name of the owner in whose name the caller acts: the `sub` of a token.
  public var owner: String
  /// Labels of attachments of others that the caller may read (`aud_labels` of a token), such as `g:42`.
  public var labels: Set<String>
  /// What the caller may do.
  public var scope: Scope
  /// When the access of the caller expires, in seconds since 1970: event streams end then. nil if never.
  public var expires: Int?

  /// A caller that acts for an owner.
  /// - Parameters:
  ///   - labels: Default none: the caller reads its own attachments alone.
  ///   - scope: Default ``Scope/owner``.
  ///   - expires: Default nil.
  public init(owner: String, labels: Set<String> = [], scope: Scope = .owner, expires: Int? = nil) {
    (self.owner, self.labels, self.scope, self.expires) = (owner, labels, scope, expires)
  }
}

extension Caller {
  /// Whether the caller acts for this owner.
  ///
  /// By bytes, as the catalogue distinguishes owners: Swift takes canonically equivalent names as equal.
  func isOwner(_ name: String) -> Bool { NameBytes.areEqual(owner, name) }

  /// Whether a file is the caller's; a file without an owner is nobody's.
  func owns(_ file: CatalogueFile) -> Bool { file.isOwned(by: owner) }

  /// Fails unless the token has these scopes.
  /// - Throws: ``ServiceError/Code/forbidden``, with the name of the first one that is missing.
  func require(_ scope: Scope) throws(ServiceError) {
    let missing = [(Scope.read, "read"), (.write, "write"), (.moderate, "moderate")].first {
      scope.contains($0.0) && !self.scope.contains($0.0)
    }
    if let missing { throw ServiceError(.forbidden, "The token needs the scope `\(missing.1)`.") }
  }
}

extension CatalogueFile {
  /// Whether it belongs to an owner, by the bytes of the name.
  func isOwned(by name: String) -> Bool { owner.map { NameBytes.areEqual($0, name) } ?? false }
}
