/// Which files and folders a walk takes.
public struct WalkFilter: Sendable {
  /// What is done with symbolic links below the root.
  public enum Links: Hashable, Sendable {
    /// They are passed over.
    case passedOver
    /// Those that lead to a regular file below the root are files; others are passed over. No folder is entered through a link, so that a walk
    /// ends and stays below its root.
    case followedToFiles
  }

  /// Whether symbolic links are followed; not by default.
  public var links = Links.passedOver
  /// Whether names that begin with a dot are taken.
  public var hidden = false
  /// Only files that one of these describes; all where there is none.
  public var including = IgnoreFile(patterns: [])
  /// Files and folders that these describe are left out, whatever a `.mediaignore` says.
  public var excluding = IgnoreFile(patterns: [])
  /// Folders that are not entered, by whatever path: those that a scan itself writes into.
  public var closed: Set<FileIdentity> = []

  /// Takes all that is not hidden.
  public init() {}

  /// Whether a name is one that a walk looks at, by itself.
  func takes(name: ArraySlice<UInt8>) -> Bool {
    // Those of this name are read, and are no inputs.
    if name.elementsEqual(IgnoreFile.name) { return false }
    return hidden || name.first != UInt8(ascii: ".")
  }

  /// Whether what lies at a path is taken.
  /// - Parameters:
  ///   - path: From the root, without a slash at either end.
  ///   - files: Those of the folders on the way, the root's first, each with the length of the path up to its folder's end and slash.
  func takes(_ path: ArraySlice<UInt8>, isFolder: Bool, files: [(start: Int, file: IgnoreFile)]) -> Bool {
    if !excluding.isEmpty, excluding.isIgnored(path, isFolder: isFolder) == true { return false }
    if !isFolder, !including.isEmpty, including.isIgnored(path, isFolder: false) != true { return false }
    for (start, file) in files.reversed() {
      if let ignored = file.isIgnored(path.dropFirst(start), isFolder: isFolder) { return !ignored }
    }
    return true
  }
}
