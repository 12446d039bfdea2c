extension FolderWalk {
  /// The files and folders that a walk visits.
  public struct Filter: Sendable {
    /// How symbolic links below the root are treated.
    public enum Links: Hashable, Sendable {
      /// Neither links to files nor links to folders are visited.
      case skipped
      /// A link to a regular file below the root counts as a file; other links are skipped. No folder is entered through a link, so that a walk
      /// ends and stays below its root.
      case followedToFiles
    }

    /// How symbolic links are treated. Default: skipped.
    public var links = Links.skipped
    /// Whether names that begin with a dot are visited. Default false.
    public var hidden = false
    /// Patterns of the files to visit. Default none: all files.
    public var including = IgnoreFile(patterns: [])
    /// Patterns of files and folders to skip; a `.mediaignore` cannot include them again.
    public var excluding = IgnoreFile(patterns: [])
    /// Folders that are never entered, by any path: those into which a scan writes.
    public var closed: Set<FileIdentity> = []

    /// Visits everything that is not hidden.
    public init() {}

    /// Whether a walk considers a name at all, before any pattern.
    func takes(name: ArraySlice<UInt8>) -> Bool {
      // Ignore files are read as patterns, and are not inputs.
      if name.elementsEqual(IgnoreFile.name) { return false }
      return hidden || name.first != UInt8(ascii: ".")
    }

    /// Whether a path is visited.
    /// - Parameters:
    ///   - path: Relative to the root, without a slash at either end.
    ///   - files: The ignore files of the folders on the way, the root's first, each with the length of its folder's path including the slash.
    func takes(_ path: ArraySlice<UInt8>, isFolder: Bool, files: [(start: Int, file: IgnoreFile)]) -> Bool {
      if !excluding.isEmpty, excluding.isIgnored(path, isFolder: isFolder) == true { return false }
      if !isFolder, !including.isEmpty, including.isIgnored(path, isFolder: false) != true { return false }
      for (start, file) in files.reversed() {
        if let ignored = file.isIgnored(path.dropFirst(start), isFolder: isFolder) { return !ignored }
      }
      return true
    }
  }
}
