internal import MediaModel

@testable internal import MediaProbe

/// The facts of an image in memory, through the two functions that the probe calls.
func stillFacts(_ bytes: [UInt8], as type: MediaType) -> MediaInfo {
  stillFacts(ByteReader(bytes), as: type)
}

/// The same through windows, as a file is read.
func windowedStillFacts(_ bytes: [UInt8], as type: MediaType) -> MediaInfo {
  stillFacts(windowedReader(bytes), as: type)
}

func stillFacts(_ reader: ByteReader, as type: MediaType) -> MediaInfo {
  var info = MediaInfo(type: type, bytes: reader.count)
  if let header = StillReader.header(of: type, reader) {
    StillMetadata.apply(header, to: &info, reader: reader)
  }
  return info
}

/// A reader that fetches parts of the bytes, as of a file.
func windowedReader(_ bytes: [UInt8]) -> ByteReader {
  ByteReader(count: bytes.count) { (offset, count) throws(MediaFailure) in
    Array(bytes[min(offset, bytes.count)..<min(bytes.count, offset + count)])
  }
}
