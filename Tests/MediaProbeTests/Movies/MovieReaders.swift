internal import MediaModel

@testable internal import MediaProbe

/// The facts of an MP4 or QuickTime file by both readers.
struct MovieReaders {
  /// Read from the movie box; nil for an unusual file.
  let movie: MediaInfo?
  /// Found by libavformat; nil for a file of another type, and for one that is never passed to it.
  let demuxed: MediaInfo?

  init(_ input: borrowing MediaInput) {
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
    movie = ContainerProbe.readMovie(into: &read, structure, reader) ? read : nil
    ContainerProbe.demux("mov", into: &info, input: input, reader: reader, structure)
    demuxed = info
  }

  init(_ bytes: [UInt8]) throws { self.init(try MediaInput(bytes: bytes)) }
  init(path: String) throws { self.init(try MediaInput(path: path)) }
}

extension TinyMovie {
  /// The configuration of H.264 with a profile of eight bits, or of ten.
  static func avcC(profile: UInt8 = 77) -> [UInt8] { Bytes.box("avcC", [1, profile, 0, 30, 0xFF, 0xE0, 0]) }

  /// A movie that is read without FFmpeg.
  static func usual(
    width: Int = 320, height: Int = 240, matrix: [Int] = identity, extensions: [UInt8] = avcC()
  ) -> TinyMovie {
    TinyMovie(tracks: [.video(width: width, height: height, matrix: matrix, extensions: extensions)])
  }
}
