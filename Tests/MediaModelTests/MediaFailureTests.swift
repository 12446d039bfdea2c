internal import Foundation
internal import MediaModel
internal import Testing

@Suite struct MediaFailureTests {
  @Test("The codes of failures are those of the design")
  func theCodesMatchTheDesign() {
    // docs/design.md §3, and two more: for requests that do not fit a file, and for images that cannot be written. None may ever be renamed.
    let codes: [MediaFailure.Code] = [
      .notFound, .accessDenied, .unreadable, .empty, .unrecognized, .unsupported, .truncated, .corrupt, .encrypted,
      .tooLarge,
      .tooManyPixels, .tooManyFrames, .timedOut, .outOfMemory, .decoderCrashed, .cancelled, .invalidRequest,
      .wouldNotFit, .unwritable,
    ]
    let names = """
      notFound accessDenied unreadable empty unrecognized unsupported truncated corrupt encrypted tooLarge tooManyPixels
      tooManyFrames timedOut outOfMemory decoderCrashed cancelled invalidRequest wouldNotFit unwritable
      """
    #expect(codes.map(\.rawValue) == names.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  @Test("A failure is one object in JSON") func json() throws {
    let failure = MediaFailure(.corrupt, "The content is broken.", detail: "bad huffman code")
    let json = try JSONEncoder().encode(failure)
    #expect(
      try JSONDecoder().decode([String: String].self, from: json)
        == ["code": "corrupt", "message": "The content is broken.", "detail": "bad huffman code"])
    #expect(try JSONDecoder().decode(MediaFailure.self, from: json) == failure)
    let short = try JSONDecoder().decode(
      MediaFailure.self, from: Data(#"{"code":"empty","message":"It is empty."}"#.utf8))
    #expect(short == MediaFailure(.empty, "It is empty."))
  }

  @Test("The description of a failure includes its detail")
  func theDescriptionIncludesTheDetail() {
    #expect(MediaFailure(.empty, "It is empty.").description == "empty: It is empty.")
    #expect(
      MediaFailure(.corrupt, "It is broken.", detail: "VipsJpeg: …").description
        == "corrupt: It is broken. (VipsJpeg: …)")
  }

  @Test(
    "What the file is to blame for is never tried again, what the machine is to blame for elsewhere",
    arguments: [
      (MediaFailure.Code.corrupt, MediaFailure.Retry.never), (.timedOut, .never), (.decoderCrashed, .never),
      (.notFound, .never), (.busy, .later), (.unreadable, .later), (.outOfMemory, .elsewhere),
      (.unavailable, .elsewhere),
      (.unwritable, .elsewhere), (.init(rawValue: "ofALaterVersion"), .never),
    ])
  func retry(code: MediaFailure.Code, retry: MediaFailure.Retry) {
    #expect(MediaFailure(code, "It failed.").retry == retry)
  }
}
