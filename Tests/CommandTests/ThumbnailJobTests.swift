internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaEngineProtocol
internal import MediaModel
internal import Testing

@testable internal import MediatoolCommand

@Suite("One file through thumbnail") struct ThumbnailJobTests {
  let scratch: Scratch
  let stop: StopSignal
  init() throws {
    scratch = try Scratch()
    stop = try StopSignal()
  }

  /// A job whose images are made by the test.
  private func job(
    sizes: [String] = ["grid"], render: @escaping @Sendable ([RenditionRequest]) -> ThumbnailResult
  ) throws -> ThumbnailJob {
    let request = MediaPreview.Request(renditions: sizes.compactMap { RenditionRequest.named($0) })
    return ThumbnailJob(request: request, folder: try OutputFolder(scratch("out"))) { _, job in
      var result = MediaJobResult(info: MediaInfo(type: .plainText, bytes: 1))
      result.thumbnails = render(job.images?.requests ?? [])
      return JobAnswer(result)
    }
  }

  private func image(_ name: String, _ bytes: [UInt8], type: MediaType = .webp) -> Rendition {
    Rendition(name: name, type: type, width: 1, height: 2, from: .image, data: bytes)
  }

  private func input(_ path: PathBytes, _ name: String) -> Input {
    var input = Input(path: path, content: .file)
    input.outputName = name
    return input
  }

  @Test func `Images are named by file, size and extension`() throws {
    let file = try scratch.file("a.txt")
    let job = try job(sizes: ["grid", "view"]) { requests in
      ThumbnailResult(renditions: requests.map { self.image($0.name, [7], type: $0.name == "view" ? .jpeg : .webp) })
    }
    let record = try job.record(of: input(file, "2018/07/a"), stop: stop)
    #expect(scratch.files(below: "out") == ["2018/07/a.grid.webp", "2018/07/a.view.jpg"])
    #expect(record.renditions.map(\.file) == [scratch("out/2018/07/a.grid.webp"), scratch("out/2018/07/a.view.jpg")])
    #expect(record.renditions.map(\.rendition.bytes) == [1, 1])
    #expect(record.error == nil)
  }

  @Test func `The next run replaces what this one wrote`() throws {
    let file = try scratch.file("a.txt")
    for content: [UInt8] in [[1, 1, 1, 1], [2]] {
      let job = try job { _ in ThumbnailResult(renditions: [self.image("grid", content)]) }
      _ = try job.record(of: input(file, "a"), stop: stop)
      #expect(FileManager.default.contents(atPath: scratch("out/a.grid.webp").text) == Data(content))
    }
    #expect(scratch.files(below: "out") == ["a.grid.webp"])
  }

  @Test func `A name that cannot be written is an error of that file alone`() throws {
    let file = try scratch.file("a.txt")
    // A file stands where a folder would have to.
    try scratch.file("out/a")
    let job = try job { _ in ThumbnailResult(renditions: [self.image("grid", [1])]) }
    let failed = try job.record(of: input(file, "a/b"), stop: stop)
    #expect(failed.error?.code == .unwritable)
    #expect(failed.renditions.isEmpty)
    let written = try job.record(of: input(file, "b"), stop: stop)
    #expect(written.error == nil)
    #expect(scratch.files(below: "out") == ["a", "b.grid.webp"])
  }

  @Test func `An error of a file is beside its images`() throws {
    let file = try scratch.file("a.txt")
    let truncated = MediaFailure(.truncated, "It ends early.")
    let job = try job(sizes: ["grid", "view"]) { _ in
      ThumbnailResult(renditions: [self.image("view", [1])], error: truncated)
    }
    let record = try job.record(of: input(file, "a"), stop: stop)
    #expect(record.error == truncated)
    #expect(record.renditions.map(\.rendition.name) == ["view"])
  }

  @Test func `A file that cannot be opened has only its error`() throws {
    let missing = MediaFailure(.notFound, "No.")
    let folder = try OutputFolder(scratch("out"))
    let job = ThumbnailJob(request: MediaPreview.Request(renditions: []), folder: folder) { _, job in
      JobAnswer(missing, of: job)
    }
    let record = try job.record(of: input(scratch("none"), "none"), stop: stop)
    #expect(record.error == missing)
    #expect(record.bytesRead == nil)
    #expect(record.icon == nil)
  }

  @Test func `A file known to be unreadable is not sent to a worker`() throws {
    let job = try job { _ in
      Issue.record("rendered")
      return ThumbnailResult()
    }
    let denied = MediaFailure(.accessDenied, "No.")
    let record = try job.record(of: Input(path: "closed", content: .failed(denied)), stop: stop)
    #expect(record.error == denied)
  }

  @Test func `An engine without workers ends the run`() throws {
    let folder = try OutputFolder(scratch("out"))
    let job = ThumbnailJob(request: MediaPreview.Request(renditions: []), folder: folder) {
      (_, _) throws(MediaFailure) in
      throw MediaFailure(.unavailable, "No worker.")
    }
    #expect(throws: Fault.self) { try job.record(of: input(scratch("a"), "a"), stop: stop) }
  }

  @Test func `A slash before a combining mark separates folders, too`() throws {
    let folder = try OutputFolder(scratch("out"))
    _ = try folder.writeNew([1], to: "sub/\u{301}a").get()
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("out/sub").text) == ["\u{301}a"])
  }

  @Test func `A file is replaced in one step, and no temporary file remains`() throws {
    let path = scratch("out/a")
    try OutputFile.write([1], to: path)
    let before = open(scratch("out/a").text, O_RDONLY | O_CLOEXEC)
    defer { close(before) }
    try OutputFile.write([2], to: path)
    // Who has it open still has the old file whole.
    var byte: UInt8 = 0
    #expect(read(before, &byte, 1) == 1)
    #expect(byte == 1)
    #expect(scratch.files(below: "out") == ["a"])
    // The folder stands where the file should: nothing is left of the try.
    try scratch.file("out/folder/x")
    #expect(throws: FileError.self) { try OutputFile.write([3], to: scratch("out/folder")) }
    #expect(scratch.files(below: "out") == ["a", "folder/x"])
  }

  @Test func `A symbolic link in the output folder is neither replaced nor followed`() throws {
    try scratch.file("precious", "keep")
    try scratch.folder("out")
    try scratch.link("out/a", to: "../precious")
    let error = #expect(throws: FileError.self) { try OutputFile.write([1], to: scratch("out/a")) }
    // The other images can be written all the same.
    #expect(error?.isOfThisPath == true)
    #expect(FileManager.default.contents(atPath: scratch("precious").text) == Data("keep".utf8))
  }
}
