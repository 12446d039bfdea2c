public import MediaModel

extension AttachmentDraft {
  /// How far the bytes of one attachment have reached the server. An upload that failed starts again where it stopped.
  public enum UploadState: Hashable, Sendable {
    /// The upload has not started.
    case waiting
    /// The upload is running and has transferred this many bytes. A resumed upload continues from there (C10, C19).
    case uploading(bytesSent: Int)
    /// The server has all bytes.
    case uploaded
    /// The upload failed after transferring this many bytes.
    case failed(MediaFailure.Code, bytesSent: Int)

    /// Uploaded bytes, as far as the state states them.
    public var bytesSent: Int {
      switch self {
      case .waiting, .uploaded: 0
      case .uploading(let bytes), .failed(_, let bytes): bytes
      }
    }

    /// Whether a transition to `next` is valid.
    ///
    /// Reports arrive late and out of order: a progress report never reverts an upload that succeeded or failed.
    func canBecome(_ next: UploadState) -> Bool {
      switch (self, next) {
      case (.uploaded, .uploading), (.failed, .uploading): false
      case (.uploading(let before), .uploading(let after)): after >= before
      default: true
      }
    }

    /// The same state with the byte count clamped to the file size.
    func clamped(to bytes: Int) -> UploadState {
      switch self {
      case .uploading(let sent): .uploading(bytesSent: min(max(0, sent), max(0, bytes)))
      case .failed(let code, let sent): .failed(code, bytesSent: min(max(0, sent), max(0, bytes)))
      case .waiting, .uploaded: self
      }
    }
  }
}

/// `{"name":"uploading","bytesSent":…}`, `{"name":"failed","code":…,"bytesSent":…}`.
extension AttachmentDraft.UploadState: Codable {
  private enum CodingKeys: CodingKey { case name, bytesSent, code }

  /// Reads the keys that belong to `name`. A name of a newer version is an error; without `bytesSent`, no bytes were sent.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let bytes = try values.decodeIfPresent(Int.self, forKey: .bytesSent) ?? 0
    switch try values.decode(String.self, forKey: .name) {
    case "waiting": self = .waiting
    case "uploading": self = .uploading(bytesSent: bytes)
    case "uploaded": self = .uploaded
    case "failed": self = .failed(try values.decode(MediaFailure.Code.self, forKey: .code), bytesSent: bytes)
    case let name:
      throw DecodingError.dataCorruptedError(
        forKey: .name, in: values, debugDescription: "unknown upload state '\(name)'")
    }
  }

  /// Writes `name` and the keys that belong to it.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .waiting: try values.encode("waiting", forKey: .name)
    case .uploading(let bytes):
      try values.encode("uploading", forKey: .name)
      try values.encode(bytes, forKey: .bytesSent)
    case .uploaded: try values.encode("uploaded", forKey: .name)
    case .failed(let code, let bytes):
      try values.encode("failed", forKey: .name)
      try values.encode(code, forKey: .code)
      try values.encode(bytes, forKey: .bytesSent)
    }
  }
}
