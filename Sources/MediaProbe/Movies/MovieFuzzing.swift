public import MediaModel

/// The facts of an MP4 or QuickTime file by both readers, which must not differ (docs/decisions/0015): for tests, and for the package Fuzz, which cannot use
/// `package` names.
@_spi(Fuzzing) public struct MovieFuzzing: Sendable {
  /// Read from the movie box; nil for an unusual file.
  public let movie: MediaInfo?
  /// Found by libavformat, which is not asked about an unusual file: some damaged ones take it seconds, which the deadline of a worker bounds.
  public let demuxed: MediaInfo?

  /// Reads a file twice.
  public init(_ input: borrowing MediaInput) {
    let reader = input.reader()
    guard let type = TypeDecider.type(of: reader), Demuxers.name(for: type, reader) == "mov" else {
      (movie, demuxed) = (nil, nil)
      return
    }
    let structure = ContainerStructure(of: type, input, reader)
    var info = MediaInfo(type: type, bytes: input.size)
    info.error = structure.failure
    guard structure.isReadable else {
      (movie, demuxed) = (nil, nil)
      return
    }
    var read = info
    guard ContainerProbe.readMovie(into: &read, structure, reader) else {
      (movie, demuxed) = (nil, nil)
      return
    }
    movie = read
    ContainerProbe.demux("mov", into: &info, input: input, reader: reader, structure)
    demuxed = info
  }
}
