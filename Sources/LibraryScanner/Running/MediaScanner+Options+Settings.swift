internal import FileSupport
internal import MediaLibrary
internal import MediaModel

extension MediaScanner.Options {
  /// What to make of each file, as the catalogue stores it.
  var recipe: ScanRecipe { ScanRecipe(renditions: renditions, digests: digest) }

  /// Refuses options that contradict each other.
  /// - Parameter keeps: Whether there is a library.
  func check(keeps: Bool) throws(MediaScanner.Failure) {
    if let name = renditions.sorted().first(where: { RenditionRequest.named($0) == nil }) {
      throw .invalidOptions(
        "Unknown size '\(name)'; expected \(RenditionRequest.named.map(\.name).joined(separator: ", ")).")
    }
    if rechecks, !digest { throw .invalidOptions("`rechecks` compares digests and needs `digest`; set both.") }
    if watch, isDryRun { throw .invalidOptions("A watch and a dry run cannot be combined; turn one of them off.") }
    guard !keeps else { return }
    let useless = [
      (watch, "watch"), (isDryRun, "isDryRun"), (!retry.isEmpty, "retry"), (!renditions.isEmpty, "renditions"),
      (rechecks, "rechecks"), (quarantinesSimilar, "quarantinesSimilar"),
    ]
    if let option = useless.first(where: \.0)?.1 {
      throw .invalidOptions("\(option) needs a library; create the scanner with one.")
    }
  }

  /// The settings of the walk and of the comparison with the catalogue.
  func settings(library: Library?) -> ScanSource.Settings {
    var settings = ScanSource.Settings()
    settings.filter.hidden = hidden
    settings.filter.including = FolderWalk.IgnoreFile(patterns: include.map(\.pattern))
    settings.filter.excluding = FolderWalk.IgnoreFile(patterns: exclude.map(\.pattern))
    if let library {
      // The folders into which a scan writes are no input.
      for folder in [library.location.data, library.location.cache] + (library.options.copy.map { [$0] } ?? []) {
        if let handle = try? FolderHandle.open(folder.bytes) { settings.filter.closed.insert(handle.identity) }
      }
    }
    settings.staysOnFileSystem = staysOnFileSystem
    settings.recipe = recipe
    settings.retry.codes = retry
    settings.namesUnchanged = reportsUnchanged
    settings.rechecks = rechecks
    return settings
  }
}
