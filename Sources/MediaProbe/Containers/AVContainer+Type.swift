package import MediaModel

extension AVContainer {
  /// Opens the container of a file whose type is known, as the facts were found in it.
  /// - Throws: `unsupported` where no reader is allowed for the type; else as ``init(_:demuxer:decoders:)``.
  package init(_ input: borrowing MediaInput, type: MediaType) throws(MediaFailure) {
    guard let demuxer = Demuxers.name(for: type, input.reader()) else {
      throw MediaFailure(.unsupported, "This kind of container is not supported.")
    }
    try self.init(input, demuxer: demuxer, decoders: Demuxers.decoders)
  }

  /// The names of the decoders that may be opened, for readers in C.
  package static var decoderList: String { Demuxers.decoders.joined(separator: ",") }
}
