extension Moderation {
  /// A report of a reader about a file, about a moment without one, or about a trip.
  public struct Report: Hashable, Sendable {
    /// The file; nil if it is about a moment or a trip.
    public var file: FileID?
    /// The moment; nil if it is about a file or a trip.
    public var moment: Moment.ID?
    /// The trip; nil if it is about a file or a moment.
    public var trip: Trip.ID?
    /// Who reported it.
    public var reader: String
    /// The reason, as the reader gave it.
    public var reason: String
    /// When, in seconds since 1970.
    public var time: Int
  }

  /// Reports of users in pages, with a cursor.
  public struct ReportPage: Sendable {
    /// At most as many as were asked for, most recent first.
    public var reports: [Report]
    /// The cursor of the next page; nil on the last page.
    public var next: CatalogueFile.Cursor?
  }

  // MARK: Reports

  /// Records the report of a reader about a file. A reader has one report per file; another one replaces it.
  /// - Parameters:
  ///   - threshold: The number of readers whose reports quarantine the file until a moderator decides. Nil: reports never do. Protected files are not quarantined.
  /// - Returns: Whether the file is quarantined because of this report; nil if there is no such file.
  public func report(
    _ file: FileID, by reader: String, reason: String, at time: Int, threshold: Int?
  ) throws(LibraryError) -> Bool? {
    try database.report(file, Decision(reason: reason, actor: reader, time: time), threshold: threshold)
  }

  /// The reports about files, moments and trips that no moderator has answered, most recent first.
  public func reports(after: CatalogueFile.Cursor?, limit: Int) throws(LibraryError) -> ReportPage {
    try database.reports(after: after, limit: limit)
  }

  /// Discards the reports about files, which stay as they are. ``release(_:reason:by:at:)`` does it, too.
  /// - Returns: The number of reports.
  @discardableResult
  public func dismissReports(
    about files: [FileID], reason: String = "", by actor: String, at time: Int
  ) throws(LibraryError) -> Int {
    try database.dismissReports(about: files, Decision(reason: reason, actor: actor, time: time))
  }
}
