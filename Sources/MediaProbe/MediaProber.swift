public import MediaModel

/// What is it? Finds the facts of one file by its content.
///
/// Blocking: call it from a thread of your own, not from the cooperative pool. A value of this type may be used from many
/// threads at once.
public struct MediaProber: Sendable {
  /// What is looked for, and how far.
  public typealias Options = ProbeOptions
  /// What somebody claims the file to be.
  public typealias Claim = MediaClaim

  /// The options that every call uses.
  public var options: Options

  /// A prober with those options.
  public init(options: Options = Options()) { self.options = options }

  /// Facts of the file at `path`; its extension is compared with the content. Never fails: what went wrong stands in `MediaInfo.error`.
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

  /// Facts of an open file. Never fails: what went wrong stands in `MediaInfo.error`.
  public func facts(of input: borrowing MediaInput, claim: Claim? = nil) -> MediaInfo {
    input.set(deadline: .after(seconds: options.limits.probeSeconds))
    var info = content(of: input)
    if let claim, info.error?.code != .empty { info.mismatch = ClaimCheck.mismatch(claim, info.type, info.kind) }
    if options.digest {
      input.set(deadline: .after(seconds: options.digestSeconds))
      do { info.sha256 = try Digest.sha256(of: input) } catch {
        // Facts that were found stay, and so does the reason that came first.
        if info.error == nil { info.error = error }
      }
    }
    input.clearDeadline()
    return info
  }

  /// Type first, then whoever knows that type.
  private func content(of input: borrowing MediaInput) -> MediaInfo {
    guard input.size > 0 else { return .unknown(input, .emptyFile) }
    let reader = input.reader()
    guard let type = TypeDecider.type(of: reader) else {
      return .unknown(
        input, reader.failure ?? MediaFailure(.unrecognized, "Its content is of no known type."))
    }
    var info = MediaInfo(type: type, bytes: input.size)
    switch info.kind {
    case .image:
      // A burst is read like its first image.
      let form: MediaType = type == .heicSequence ? .heic : type == .heifSequence ? .heif : type
      if let header = StillReader.header(of: form, reader) {
        StillMetadata.apply(header, to: &info, reader: reader)
      }
    case .video, .audio: ContainerProbe.apply(to: &info, input: input, reader: reader)
    case .other where type == .ogg: ContainerProbe.apply(to: &info, input: input, reader: reader)
    case .document, .contact, .text, .archive, .other: DocumentProbe.apply(to: &info, input: input, reader: reader)
    }
    // A reader takes a failed read for the end of the file; it is no fact about the file.
    if let failure = reader.failure { info.error = failure }
    return info
  }
}

extension MediaInfo {
  /// A file of which nothing but its size is known.
  fileprivate static func unknown(_ input: borrowing MediaInput, _ failure: MediaFailure) -> MediaInfo {
    var info = MediaInfo(type: .octetStream, bytes: input.size)
    info.extension = nil
    info.error = failure
    return info
  }
}
