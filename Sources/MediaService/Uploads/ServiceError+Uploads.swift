internal import AttachmentPolicy
internal import FileSupport
internal import MediaModel

extension ServiceError.Code {
  /// The offset of a request is not that of the upload; `numbers` has both as `expected` and `provided`. Other errors after which an upload
  /// continues have `expected`, too.
  public static let offsetMismatch = ServiceError.Code(rawValue: "offsetMismatch")
  /// The length of a request or of an upload contradicts what was stated before.
  public static let lengthMismatch = ServiceError.Code(rawValue: "lengthMismatch")
  /// The request was ended by a newer one for the same upload.
  public static let takenOver = ServiceError.Code(rawValue: "takenOver")
  /// The body ended before its stated length. What arrived of a resumable upload is kept.
  public static let incomplete = ServiceError.Code(rawValue: "incomplete")
}

extension ServiceError {
  static let uploadGone = ServiceError(.gone, "The upload was refused, deleted or has expired; start a new one.")
  static let takenOver = ServiceError(.takenOver, "A newer request for this upload has replaced this one.")
  static let incomplete = ServiceError(
    .incomplete, "The body is shorter than its stated length; send the rest, or the whole file again.")

  static func offsetMismatch(expected: Int, provided: Int) -> ServiceError {
    ServiceError(
      .offsetMismatch, "Upload-Offset does not match the offset of the upload; ask for it with HEAD.",
      numbers: ["expected": expected, "provided": provided])
  }

  /// The bytes of one request do not match its checksum. They are removed; the upload continues at its offset.
  static func wrongPiece(offset: Int) -> ServiceError {
    ServiceError(
      .checksumMismatch, "The bytes do not match the checksum; send them again.", numbers: ["expected": offset])
  }

  /// A request with a checksum has too many bytes. The upload continues at its offset.
  static func pieceTooLarge(offset: Int, actual: Int?) -> ServiceError {
    let limit = Upload.Checksum.maxBytes
    var all = numbers(limit, actual)
    all["expected"] = offset
    return ServiceError(
      .tooLarge,
      "A request with a checksum must state its length, of at most \(HumanNumbers.limit(limit)); send smaller pieces.",
      numbers: all)
  }

  /// - Parameter offset: The offset at which the upload continues. Default nil: it has ended.
  static func inconsistentLength(_ message: String, limit: Int?, actual: Int?, offset: Int? = nil) -> ServiceError {
    var all = numbers(limit, actual)
    all["expected"] = offset
    return ServiceError(.lengthMismatch, message, numbers: all)
  }

  static func fileTooLarge(limit: Int, actual: Int?) -> ServiceError {
    let sentence =
      if let actual {
        fileTooLarge(HumanNumbers.sizes(actual, limit: limit))
      } else {
        "The file is larger than the limit of \(HumanNumbers.limit(limit))."
      }
    return ServiceError(.tooLarge, sentence, numbers: numbers(limit, actual))
  }

  private static func fileTooLarge(_ sizes: (actual: String, limit: String)) -> String {
    "The file is \(sizes.actual); the limit is \(sizes.limit)."
  }

  private static func numbers(_ limit: Int?, _ actual: Int?) -> [String: Int] {
    var numbers: [String: Int] = [:]
    numbers["limit"] = limit
    numbers["actual"] = actual
    return numbers
  }

  /// The error of an operation on a part file.
  init(_ error: FileError, _ operation: String) {
    if error.isDiskFull {
      self.init(
        .diskFull, "The disk of the service is full; try again later.", detail: "cannot \(operation): \(error)",
        retryAfter: 60)
    } else {
      self = .failed(detail: "cannot \(operation): \(error)")
    }
  }

  /// The refusal of a file by the policy: by its type, by its size, or by anything else.
  static func refusal(_ verdict: Verdict) -> ServiceError {
    let reasons = verdict.files.flatMap(\.reasons)
    for reason in reasons {
      switch reason {
      case .kindNotAllowed, .typeNotAllowed, .typeMismatch:
        return ServiceError(.unsupportedType, "The policy does not allow files of this type.", verdict: verdict)
      default: continue
      }
    }
    for case .fileTooLarge(let limit, let actual) in reasons {
      return ServiceError(
        .tooLarge, fileTooLarge(HumanNumbers.sizes(actual, limit: limit)),
        numbers: ["limit": limit, "actual": actual], verdict: verdict)
    }
    return ServiceError(.refused, "The policy refuses the file; `verdict` has the reasons.", verdict: verdict)
  }
}
