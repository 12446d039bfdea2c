internal import MediaLibrary
internal import MediaModel
internal import MediaService

/// What a caller is told of errors that no use case has turned into a `ServiceError`.
enum ErrorMapping {
  static func serviceError(for error: any Error) -> ServiceError {
    switch error {
    case let error as LibraryError:
      switch error.code {
      case .busy, .closed: return ServiceError(.busy, "The service has too much to do.", detail: "\(error)", retryAfter: 1)
      case .diskFull: return ServiceError(.diskFull, "The disk is full.", detail: "\(error)", retryAfter: 60)
      default: break
      }
    case let failure as MediaFailure:
      switch failure.code {
      case .busy, .unavailable:
        return ServiceError(.busy, "The service has too much to do.", detail: "\(failure)", retryAfter: 1)
      case .cancelled: return ServiceError(.busy, "The service is shutting down.", retryAfter: 5)
      default: return ServiceError(.unavailable, failure.message)
      }
    case is CancellationError: return ServiceError(.busy, "The service is shutting down.", retryAfter: 5)
    default: break
    }
    return ServiceError(.internalError, "The service has failed.", detail: "\(error)")
  }
}
