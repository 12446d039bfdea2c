public import FileSupport
internal import Foundation
public import MediaEngine
public import MediaLibrary

/// Scans folders into a library: finds the facts of every file, makes its thumbnails, and knows again what was moved.
///
/// Only what is new or changed is decoded; a rescan of the rest costs a walk of the folders. A scan that is stopped, or whose process is killed, goes
/// on where it was the next time. A scanner holds no state of its own: one value serves any number of scans, one after another. Two scans of one
/// library at the same time do each other's work.
public struct MediaScanner: Sendable {
  let library: Library?
  let engine: LazyEngine
  /// Files that are looked into at once, where the options do not say.
  let jobs: Int

  /// A scanner into a library.
  /// - Parameters:
  ///   - library: Opened for writing.
  ///   - engine: Decodes. Others may use it meanwhile: a scan goes behind what a person waits for (``ScanOptions/priority``).
  public init(library: Library, engine: MediaEngine) {
    self.init(library: library, engine: LazyEngine { engine }, jobs: engine.running)
  }

  /// A scanner that keeps nothing: the facts of each file stand in its event alone.
  public init(engine: MediaEngine) { self.init(library: nil, engine: LazyEngine { engine }, jobs: engine.running) }

  /// A scanner whose engine starts when the first file has to be decoded.
  /// - Parameters:
  ///   - library: nil for a scanner that keeps nothing.
  ///   - jobs: Files that are looked into at once, where the options do not say.
  package init(library: Library?, engine: LazyEngine, jobs: Int) {
    (self.library, self.engine, self.jobs) = (library, engine, jobs)
  }

  /// A scan of folders. It begins when its events are asked for; asking for them twice scans twice.
  /// - Parameters:
  ///   - roots: Folders, by any path. Into a library they are scanned by the path that they have without links. One that lies in another is scanned
  ///     with it; one that is not there is a ``ScanEvent/problem(_:)``.
  ///   - options: What is made of each file, and which files.
  public func scan(_ roots: [PathBytes], options: ScanOptions = ScanOptions()) -> MediaScan {
    MediaScan(scanner: self, roots: roots, options: options)
  }
}
