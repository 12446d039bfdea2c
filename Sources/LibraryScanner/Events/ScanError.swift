internal import Foundation
public import MediaLibrary
public import MediaModel

/// What ends a scan before its end. What was told until then is kept, and the next scan goes on from there.
public enum ScanError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The library cannot be read or written, or its disk is full.
  case library(LibraryError)
  /// No file can be decoded: the engine does not start, or was shut down. Never about one file, whose failure is its result.
  case engine(MediaFailure)
  /// The system lacks what a scan needs; one sentence, for the operator.
  case system(String)
  /// The options contradict each other; one sentence that says how.
  case invalidOptions(String)

  /// One line, for a log.
  public var description: String {
    switch self {
    case .library(let error): "\(error)"
    case .engine(let failure): failure.detail.map { "\(failure.message) \($0)" } ?? failure.message
    case .system(let message), .invalidOptions(let message): message
    }
  }

  init(_ error: any Error) {
    self = (error as? ScanError) ?? (error as? LibraryError).map { .library($0) } ?? .system("\(error)")
  }
}
