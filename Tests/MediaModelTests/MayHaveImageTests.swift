internal import Testing

@testable internal import MediaModel

@Suite("Files that may have an image") struct MayHaveImageTests {
  @Test(
    "the declared name or type decides by its extension or name",
    arguments: [
      ("a.jpg", true), ("folder.d/a.JPG", true), ("-.pdf", true), ("a.vcf", true), ("a.mp3", true), ("a.mkv", true),
      ("a.txt", false), ("a.jpg.zip", false), ("a.docx", false), ("a.mid", false), ("a", false), ("a.", false),
      ("photo.jpg/a", false), ("a.unheard-of", false),
    ])
  func names(name: String, expected: Bool) {
    #expect(MediaType.Claim.fileName(name).mayHaveImage == expected)
  }

  /// Swift finds the last character of a run of flags by reading the whole run.
  @Test("the time for a long name is linear") func longName() {
    let flags = String(repeating: "\u{1F1E6}", count: 100_000)
    #expect(!MediaType.Claim.fileName(flags).mayHaveImage)
    #expect(MediaType.Claim.fileName(flags + ".jpg").mayHaveImage)
  }

  @Test("a declared type is compared without its parameters") func types() {
    #expect(MediaType.Claim.mediaType("IMAGE/JPEG; q=1").mayHaveImage)
    #expect(MediaType.Claim.mediaType("image/unheard-of").mayHaveImage)
    #expect(!MediaType.Claim.mediaType("text/plain;charset=utf-8").mayHaveImage)
  }

  @Test("of a failed file there is an image only if a part of it may be decodable") func failures() {
    var info = MediaInfo(type: .jpeg, bytes: 1)
    #expect(info.mayHaveImage)
    for code in [MediaFailure.Code.truncated, .corrupt, .tooManyFrames] {
      info.error = MediaFailure(code, "Damaged.")
      #expect(info.mayHaveImage, "\(code)")
    }
    for code in [MediaFailure.Code.timedOut, .decoderCrashed, .changed, .tooLarge] {
      info.error = MediaFailure(code, "Failed.")
      #expect(!info.mayHaveImage, "\(code)")
    }
  }
}
