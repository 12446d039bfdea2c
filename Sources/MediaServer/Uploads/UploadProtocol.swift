internal import HTTPTypes
internal import MediaService

/// The protocol of a request, which its header fields decide (docs/uploads.md).
enum UploadProtocol: Hashable {
  /// tus 1.0: `Tus-Resumable`, whatever else is there. Phones add the fields of the IETF form to every upload.
  case tus
  /// The IETF form: `Upload-Complete`, or `Upload-Incomplete` in its first versions.
  case ietf(Interop)
  /// Neither.
  case plain

  /// The version of the IETF form that a client speaks.
  struct Interop: Hashable {
    /// The value of `Upload-Draft-Interop-Version`; nil without it, as the published form will be.
    var version: Int?
    /// Whether the request ends the file; nil for requests that do not state it, such as HEAD.
    var isLast: Bool?

    /// Versions that are spoken: those of iOS 17 (3), 18.0 (5), 18.1 (6) and later (8).
    static let spoken: Set<Int> = [3, 5, 6, 8]

    /// Whether interim answers (104) may be sent: only a client that states a version understands them.
    var allowsInterim: Bool { version.map(Self.spoken.contains) ?? false }

    /// The field that says whether the file ends, in this version.
    func completeness(_ isComplete: Bool) -> HTTPField {
      version == 3
        ? HTTPField(name: .uploadIncomplete, value: isComplete ? "?0" : "?1")
        : HTTPField(name: .uploadComplete, value: isComplete ? "?1" : "?0")
    }

    /// The type that the body of a PATCH must have; nil in versions that demand none.
    var appendType: String? { version.map { $0 >= 6 } ?? true ? "application/partial-upload" : nil }

    /// The status of a request that does not end the file.
    var partialStatus: HTTPResponse.Status { version.map { $0 < 6 } ?? false ? .created : .noContent }
  }

  /// The versions of tus that are spoken.
  static let tusVersion = "1.0.0"

  init(_ fields: HTTPFields) throws {
    if let version = fields[.tusResumable] {
      guard version == Self.tusVersion else { throw Problem.tusVersion }
      self = .tus
      return
    }
    let incomplete = try fields.flag(.uploadIncomplete)
    let complete = try fields.flag(.uploadComplete)
    let version = fields[.uploadInteropVersion].map { Int($0) ?? 0 }
    if complete == nil, incomplete == nil, version == nil {
      self = .plain
      return
    }
    if let version, !Interop.spoken.contains(version) {
      // Of another version nothing is known but what it does without resumption: the whole file in one request.
      guard complete ?? incomplete.map({ !$0 }) ?? true else {
        let versions = Interop.spoken.sorted().map(String.init).joined(separator: ", ")
        throw ServiceError(
          .invalidRequest,
          "Upload-Draft-Interop-Version \(version) is not supported; supported versions are \(versions).")
      }
      self = .plain
      return
    }
    let interop = Interop(version: version, isLast: version == 3 ? incomplete.map { !$0 } : complete)
    self = .ietf(interop)
  }
}

extension Problem {
  /// The answer to a request of another version of tus, or without one.
  static let tusVersion = Problem(
    .preconditionFailed,
    ServiceError(
      .init(rawValue: "protocolVersion"),
      "This request needs the header field Tus-Resumable: \(UploadProtocol.tusVersion)."),
    headers: [.tusVersion: UploadProtocol.tusVersion, .tusResumable: UploadProtocol.tusVersion])
}
