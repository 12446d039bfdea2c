public import MediaModel
public import MediaProbe

/// How does it look small? Makes renditions and a placeholder of one picture.
///
/// Blocking: call it from a thread of your own, not from the cooperative pool. A value of this type may be used from many
/// threads at once.
public struct Thumbnailer: Sendable {
  /// How renditions are made.
  public struct Options: Sendable {
    /// Deadline and sizes. Default: ``MediaLimits``'s own.
    public var limits = MediaLimits()
    /// Whether the embedded thumbnail will do however small it is. Default false.
    public var draft = false
    /// Whether a placeholder is made. Default true.
    public var placeholder = true
    /// The defaults.
    public init() {}
  }

  /// The options that every call uses.
  public var options: Options

  /// A thumbnailer with those options.
  public init(options: Options = Options()) { self.options = options }

  /// Renditions of an open file whose facts are known. Never fails: what went wrong stands in ``ThumbnailResult/error``.
  public func render(
    _ input: borrowing MediaInput, info: MediaInfo, requests: [RenditionRequest]
  ) -> ThumbnailResult {
    ThumbnailResult(error: MediaFailure(.unsupported, "Not built yet."))
  }
}
