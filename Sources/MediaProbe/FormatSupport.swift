/// What can be done with a format on this machine.
public struct FormatSupport: Hashable, Codable, Sendable {
  /// The format's usual name.
  public let name: String
  /// Whether files in it are understood.
  public let reads: Bool

  /// That format, understood or not.
  public init(name: String, reads: Bool) {
    self.name = name
    self.reads = reads
  }
}
