internal import GRDB
internal import MediaLibrary
internal import MediaModel
internal import MessageStore

extension ServiceError {
  /// The error of the service for an error of the library, the engine or the database. What they say in detail is for the log alone.
  public init(mapping error: any Error) {
    switch error {
    case let error as ServiceError: self = error
    case let error as LibraryError: self.init(error)
    case let error as MediaFailure: self.init(error)
    case let error as MessageStore.Failure: self.init(error)
    case is CancellationError: self = .stopped
    case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
      self.init(.diskFull, "The disk of the service is full; try again later.", detail: "\(error)", retryAfter: 60)
    case let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode):
      self.init(.busy, "The service is overloaded; try again later.", detail: "\(error)", retryAfter: 1)
    default: self = .failed(detail: "\(error)")
    }
  }

  /// Calls a closure, with its errors as those of the service.
  static func mapping<Value>(_ body: () async throws -> Value) async throws(ServiceError) -> Value {
    do { return try await body() } catch { throw ServiceError(mapping: error) }
  }

  /// The caller has gone, or the service shuts down: nobody reads the answer.
  private static let stopped = ServiceError(.busy, "The request was cancelled.", retryAfter: 1)

  private init(_ error: LibraryError) {
    switch error.code {
    case .busy, .locked, .closed:
      self.init(
        .busy, "The service is overloaded; try again later.", detail: error.description, retryAfter: 1)
    case .diskFull:
      self.init(
        .diskFull, "The disk of the service is full; try again later.", detail: error.description, retryAfter: 60)
    // Such as a cursor of another listing.
    case .invalidRequest: self.init(.invalidRequest, error.message, detail: error.detail)
    case .versionConflict:
      self.init(
        .versionConflict, error.message, detail: error.detail,
        numbers: error.currentVersion.map { ["current": $0] } ?? [:])
    default: self = .failed(detail: error.description)
    }
  }

  private init(_ error: MessageStore.Failure) {
    switch error.code {
    case .notFound: self = .notFound
    case .refused, .blocked: self.init(.refused, error.message, detail: error.detail)
    case .draftChanged: self.init(.conflict, error.message, detail: error.detail, retryAfter: 1)
    case .unrecognized: self.init(.unavailable, error.message, detail: error.detail)
    case .locked: self.init(.busy, "The service is overloaded; try again later.", detail: error.detail, retryAfter: 1)
    case .diskFull:
      self.init(.diskFull, "The disk of the service is full; try again later.", detail: error.detail, retryAfter: 60)
    default:
      self.init(.internalError, "The service failed; its log has the reason.", detail: error.description)
    }
  }

  private init(_ failure: MediaFailure) {
    switch failure.code {
    case .busy, .unavailable, .cancelled:
      self.init(
        .busy, "The service is overloaded; try again later.", detail: failure.description, retryAfter: 1)
    // The engine's messages are safe for users; its details are not.
    default: self.init(.unavailable, failure.message, detail: failure.description)
    }
  }
}
