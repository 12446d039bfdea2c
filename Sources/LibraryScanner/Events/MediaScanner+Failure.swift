internal import Foundation
public import MediaLibrary
public import MediaModel

extension MediaScanner {
  /// An error that ends a scan early. Everything reported before is in the catalogue, and the next scan continues from there.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The library cannot be read or written, or its disk is full.
    case library(LibraryError)
    /// The engine does not start or was shut down, so no file can be decoded. The failure of a single file is a part of its event instead.
    case engine(MediaFailure)
    /// A system resource is missing; one sentence for the administrator.
    case system(String)
    /// The options contradict each other; one sentence that names the conflict.
    case invalidOptions(String)

    /// One line for a log.
    public var description: String {
      switch self {
      case .library(let error): "\(error)"
      case .engine(let failure): failure.detail.map { "\(failure.message) \($0)" } ?? failure.message
      case .system(let message), .invalidOptions(let message): message
      }
    }

    init(_ error: any Error) {
      self = (error as? Failure) ?? (error as? LibraryError).map { .library($0) } ?? .system("\(error)")
    }
  }
}
