extension Moderation {
  /// Why, by whom and when something was decided.
  public struct Decision: Hashable, Sendable, Codable {
    /// The reason, as it was given. That of a block is empty once what it was about has been erased.
    public var reason: String
    /// Who decided: the name of a moderator, `scanner` or `reports`; empty if it was not recorded.
    public var actor: String
    /// When, in seconds since 1970.
    public var time: Int

    /// - Parameter time: In seconds since 1970.
    public init(reason: String, actor: String, time: Int) {
      (self.reason, self.actor, self.time) = (reason, actor, time)
    }
  }

  /// The actor of what a scanner's verdict causes.
  public static let scanner = "scanner"
  /// The actor of what reports of readers cause.
  public static let readers = "reports"

  /// A blocked file content.
  public struct Block: Hashable, Sendable {
    /// The SHA-256 of every file that is blocked by this.
    public var content: ContentDigest
    /// Why it is blocked.
    public var decision: Decision
  }

  /// A page of blocked file contents.
  public struct BlockPage: Sendable {
    /// The blocked file contents.
    public var blocks: [Block]
    /// The cursor of the next page; nil on the last page.
    public var next: CatalogueFile.Cursor?
  }

  /// What was decided about a file and its content.
  public struct Standing: Hashable, Sendable {
    /// Why the file itself is quarantined; nil if it is not.
    public var quarantine: Decision?
    /// Why the file is protected; nil if it is not.
    public var protection: Decision?
    /// The digest of its content, if it was computed.
    public var content: ContentDigest?
    /// Why its content is blocked; nil if it is not.
    public var block: Decision?
    /// What a scanner found in its content; nil if none was asked.
    public var verdict: Verdict?
    /// Why its content is accepted although no scanner could look at it; nil if it is not.
    public var acceptance: Decision?
    /// Number of reports that no moderator has answered.
    public var reports: Int

    /// Whether nobody may see it.
    public var isHidden: Bool { quarantine != nil || block != nil || verdict?.state == .infected }
  }
}
