public import MediaModel

/// Determines the type and the facts of a file from its content.
///
/// Blocking: call it from your own thread, not from the cooperative pool. One value may be used from many threads
/// concurrently.
public struct MediaProber: Sendable {
  /// Options: which facts to find, and the limits.
  public typealias Options = ProbeOptions
  /// The declared name or type of a file.
  public typealias Claim = MediaType.Claim

  /// The options for every call.
  public var options: Options

  /// By default, a prober does not compute the digest.
  public init(options: Options = Options()) { self.options = options }

  /// Returns the facts of the file at `path`, and compares its extension with the content. Errors are in
  /// `MediaInfo.error`.
  public func facts(ofFile path: String) -> MediaInfo {
    do throws(MediaFailure) {
      let input = try MediaInput(path: path)
      return facts(of: input, claim: .fileName(path))
    } catch {
      var info = MediaInfo(type: .octetStream, bytes: 0)
      info.extension = nil
      info.error = error
      return info
    }
  }

  /// Returns the facts of an open file. Errors are in `MediaInfo.error`.
  public func facts(of input: borrowing MediaInput, claim: Claim? = nil) -> MediaInfo {
    input.set(deadline: .after(seconds: options.limits.probeSeconds))
    var info = content(of: input)
    if let claim, info.error?.code != .empty { info.mismatch = ClaimCheck.mismatch(claim, info.type, info.kind) }
    if options.digest {
      input.set(deadline: .after(seconds: options.digestSeconds))
      do { info.sha256 = try Digest.sha256(of: input) } catch {
        // Facts that were found are kept, and so is the first error.
        if info.error == nil { info.error = error }
      }
    }
    input.clearDeadline()
    return info
  }

  /// Determines the type, then calls the reader for that type.
  private func content(of input: borrowing MediaInput) -> MediaInfo {
    guard input.size > 0 else { return .unknown(input, .emptyFile) }
    let reader = input.reader()
    guard let type = TypeDecider.type(of: reader) else {
      return .unknown(
        input, reader.failure ?? MediaFailure(.unrecognized, "The content matches no known file type."))
    }
    var info = MediaInfo(type: type, bytes: input.size)
    switch info.kind {
    case .image:
      if let header = StillReader.header(of: type, reader) {
        StillMetadata.apply(header, to: &info, reader: reader)
      }
    case .video, .audio: ContainerProbe.apply(to: &info, input: input, reader: reader)
    case .other where type == .ogg: ContainerProbe.apply(to: &info, input: input, reader: reader)
    case .document, .contact, .text, .archive, .other: DocumentProbe.apply(to: &info, input: input, reader: reader)
    }
    // A reader treats a failed read as the end of the file, which says nothing about the file.
    if let failure = reader.failure { info.error = failure }
    return info
  }
}

extension MediaInfo {
  /// The facts of a file of which only the size is known.
  fileprivate static func unknown(_ input: borrowing MediaInput, _ failure: MediaFailure) -> MediaInfo {
    var info = MediaInfo(type: .octetStream, bytes: input.size)
    info.extension = nil
    info.error = failure
    return info
  }
}
