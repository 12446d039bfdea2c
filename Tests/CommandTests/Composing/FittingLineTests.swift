internal import AttachmentPolicy
internal import MediaModel
internal import MessageFitting
internal import Testing

@testable internal import MediatoolCommand

@Suite("The progress line of fitting") struct FittingLineTests {
  private func line(_ progress: MessageFitter.Progress, width: Int = 60) -> String {
    FittingLine.line(progress, names: ["1": "holidays/beach.mov"], width: width)
  }

  @Test func `The line states the encoding, its progress and its file`() {
    #expect(line(.measuring(done: 3, of: 12)) == "measured 3 of 12 images")
    let half = TranscodeProgress(encoding: 2, seconds: 4.3, duration: 10)
    #expect(line(.transcoding("1", half)) == "encoding 2, 43 %  holidays/beach.mov")
    #expect(line(.transcoding("2", half)) == "encoding 2, 43 %")
    #expect(line(.transcoding("2", TranscodeProgress(encoding: 1, seconds: 0.29, duration: 1))).hasSuffix("29 %"))
    let unknown = TranscodeProgress(encoding: 1, seconds: 75.9)
    #expect(line(.transcoding("1", unknown)) == "encoding 1, 1:15  holidays/beach.mov")
  }

  @Test func `A long name keeps its end, and the line its width`() {
    let text = line(.transcoding("1", TranscodeProgress(encoding: 1, seconds: 1, duration: 10)), width: 30)
    #expect(text.count < 30, "\(text)")
    #expect(text.hasPrefix("encoding 1, 10 %  "), "\(text)")
    #expect(text.hasSuffix("each.mov"), "\(text)")
  }
}
