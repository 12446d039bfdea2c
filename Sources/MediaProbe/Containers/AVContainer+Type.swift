package import MediaModel

extension AVContainer {
  /// Opens the container of a file of known type with the demuxer that the prober uses.
  ///
  /// - Throws: `unsupported` if no demuxer is allowed for the type; otherwise as ``init(_:demuxer:decoders:)``.
  package init(_ input: borrowing MediaInput, type: MediaType) throws(MediaFailure) {
    guard let demuxer = Demuxers.name(for: type, input.reader()) else {
      throw MediaFailure(.unsupported, "The container format \(type) is not supported.")
    }
    try self.init(input, demuxer: demuxer, decoders: Demuxers.decoders)
  }

  /// The names of the allowed decoders, comma-separated, for C code.
  package static var decoderList: String { Demuxers.decoders.joined(separator: ",") }
}
