public import FileSupport

/// Where a library keeps its data, and where what can be made again.
public struct LibraryLocation: Hashable, Sendable {
  /// The folder of data that cannot be made again: the catalogue, originals that the library owns, drafts.
  public var data: PathBytes
  /// The folder of data that can be made again: renditions.
  public var cache: PathBytes

  /// One folder for both, which can be moved as a whole.
  public init(folder: PathBytes) { (data, cache) = (folder, folder) }

  /// A library in two folders.
  public init(data: PathBytes, cache: PathBytes) { (self.data, self.cache) = (data, cache) }

  /// The user's own library: `mediatool` in `$XDG_DATA_HOME` and `$XDG_CACHE_HOME`, with the defaults `~/.local/share` and `~/.cache`. A variable
  /// that is not an absolute path is ignored (XDG Base Directory Specification 0.8).
  /// - Returns: nil if there is no home folder either.
  public static func standard(environment: [String: String]) -> LibraryLocation? {
    func base(_ variable: String, _ fallback: String) -> PathBytes? {
      if let value = environment[variable], value.utf8.first == PathBytes.slash { return PathBytes(value) }
      guard let home = environment["HOME"], home.utf8.first == PathBytes.slash else { return nil }
      return PathBytes(home).appending(fallback.utf8)
    }
    guard let data = base("XDG_DATA_HOME", ".local/share"), let cache = base("XDG_CACHE_HOME", ".cache") else {
      return nil
    }
    return LibraryLocation(data: data.appending("mediatool".utf8), cache: cache.appending("mediatool".utf8))
  }

  /// The file of the catalogue.
  var catalogue: PathBytes { data.appending("catalogue.sqlite".utf8) }
  /// The folder of originals that the library owns.
  public var originals: PathBytes { data.appending("originals".utf8) }
  /// The folder of drafts.
  public var drafts: PathBytes { data.appending("drafts".utf8) }
  /// The folder of renditions.
  public var renditions: PathBytes { cache.appending("renditions".utf8) }
}
