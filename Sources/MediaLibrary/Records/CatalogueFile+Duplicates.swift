extension CatalogueFile {
  /// Content that several files share.
  public struct Duplicates: Hashable, Sendable {
    /// The digest; nil for hard links of one file whose digest was never computed.
    public var digest: ContentDigest?
    /// Size of one of the files in bytes.
    public var bytes: Int
    /// Number of files.
    public var files: Int
    /// One of the files, for its name and its thumbnail.
    public var example: FileID
  }
}

extension CatalogueFile.Duplicates {
  /// Contents that several files have, with the cursor of the next page.
  public struct Page: Sendable {
    /// The file contents, in the order of the listing.
    public var groups: [CatalogueFile.Duplicates]
    /// The cursor of the next page; nil on the last page.
    public var next: CatalogueFile.Cursor?
  }
}
