public import Foundation

/// The corpus of real files that lies beside a development checkout; nothing of it is part of the project.
public enum Corpus {
  /// The package's own folder.
  public static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Where the corpus lies when it is there.
  public static let folder = packageRoot.deletingLastPathComponent().appendingPathComponent("shared/corpus")

  /// Whether it is there; says so once when it is not.
  public static let isPresent: Bool = {
    let present = FileManager.default.fileExists(atPath: folder.appendingPathComponent("MANIFEST.json").path)
    if !present { print("skipped, no corpus") }
    return present
  }()

  /// A file of the corpus by its path in the manifest.
  public static func path(_ relative: String) -> String { folder.appendingPathComponent(relative).path }
}
