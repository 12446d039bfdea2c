public import FileSupport
internal import Foundation
public import MediaEngine
public import MediaLibrary

/// Scans folders into a library: finds the facts of every file, makes its thumbnails, and recognises moved files.
///
/// Only new and changed files are decoded; for the others, a scan costs a walk of the folders. A scan that was stopped or whose process was
/// killed continues the next time. A scanner has no state: one value serves any number of scans, one after another. Two scans of one library at
/// the same time repeat each other's work.
public struct MediaScanner: Sendable {
  let library: Library?
  let engine: LazyEngine
  /// Number of files examined at once, if the options do not set it.
  let jobs: Int

  /// A scanner that writes to a library.
  /// - Parameters:
  ///   - library: A library opened for writing.
  ///   - engine: The engine that decodes. Other jobs of the engine with a higher ``MediaScanner/Options/priority`` come first.
  public init(library: Library, engine: MediaEngine) {
    self.init(library: library, engine: LazyEngine { engine }, jobs: engine.running)
  }

  /// A scanner without a library: the facts of each file are in its event only.
  public init(engine: MediaEngine) { self.init(library: nil, engine: LazyEngine { engine }, jobs: engine.running) }

  /// A scanner whose engine starts when the first file has to be decoded.
  /// - Parameters:
  ///   - library: nil for a scanner without a library.
  ///   - jobs: Number of files examined at once, if the options do not set it.
  package init(library: Library?, engine: LazyEngine, jobs: Int) {
    (self.library, self.engine, self.jobs) = (library, engine, jobs)
  }

  /// Returns a scan of folders. It starts when its events are read; reading them twice scans twice.
  /// - Parameters:
  ///   - roots: Folders, by any path. A library stores their paths without links. A folder inside another one is scanned with it; a missing one is
  ///     a ``MediaScan/Event/problem(_:)``.
  ///   - options: The files to scan, and what to make of each.
  public func scan(_ roots: [PathBytes], options: Options = Options()) -> MediaScan {
    MediaScan(scanner: self, roots: roots, options: options)
  }
}
