internal import ArgumentParser
internal import FileSupport
internal import MediaEngine
internal import Testing

@testable internal import MediatoolCommand

@Suite("The files of a list") struct ListedFilesTests {
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test("past its limit, the files of a list are as unknown as those of a pipe") func limited() throws {
    let (first, second) = (try scratch.file("a.jpg"), try scratch.file("b.jpg"))
    let list = try scratch.file("list.txt", "\(first.text)\n\(second.text)\n")
    let options = try InputOptions.parse(["--files-from", list.text])
    let identity = try #require(FileIdentity(of: Input(path: first, content: .file)))
    for (limit, isUnknown) in [(1, true), (2, false)] {
      let stop = try StopSignal()
      let listed = try #require(ListedFiles(options, requests: nil, stop: stop, limit: limit))
      #expect(!listed.isUnknown)
      #expect(try listed.contains(identity))
      #expect(listed.isUnknown == isUnknown)
    }
  }
}
