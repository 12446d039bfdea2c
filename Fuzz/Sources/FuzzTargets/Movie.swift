internal import MediaModel
@_spi(Fuzzing) internal import MediaProbe

/// Any bytes as an MP4 or QuickTime file: the facts that are read without FFmpeg are those that libavformat finds.
@_cdecl("mediatool_fuzz_movie")
public func fuzzMovie(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  guard let input = try? MediaInput(bytes: [UInt8](UnsafeBufferPointer(start: bytes, count: count))) else { return }
  let readers = MovieFuzzing(input)
  guard let movie = readers.movie, let demuxed = readers.demuxed, movie != demuxed else { return }
  fatalError("libavformat finds other facts\n\(movie)\n\(demuxed)")
}
