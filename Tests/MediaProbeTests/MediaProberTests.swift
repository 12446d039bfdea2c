internal import Foundation
internal import MediaModel
internal import Testing

@testable internal import MediaProbe

/// The entry: a path or an open file, and always a result.
@Suite struct MediaProberTests {
  @Test func `An empty file is empty`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/empty.jpg"
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      let info = MediaProber().facts(ofFile: path)
      #expect(info.error?.code == .empty)
      #expect(info.bytes == 0)
      #expect(info.kind == .other)
      #expect(info.type == .octetStream)
      #expect(info.extension == nil)
      #expect(info.mismatch == nil)
    }
  }

  @Test func `A missing file is not found`() {
    #expect(MediaProber().facts(ofFile: "/no such folder/no such file.jpg").error?.code == .notFound)
  }

  @Test func `Directories, devices and pipes are not opened`() throws {
    try withTemporaryFolder { folder in
      #expect(MediaProber().facts(ofFile: folder).error?.code == .unreadable)
      #expect(MediaProber().facts(ofFile: "/dev/zero").error?.code == .unreadable)
      // Opening a pipe that nobody writes to would wait for ever.
      let pipe = folder + "/pipe.jpg"
      #expect(mkfifo(pipe, 0o600) == 0)
      #expect(MediaProber().facts(ofFile: pipe).error?.code == .unreadable)
    }
  }

  @Test func `An unreadable file is access denied`() throws {
    if geteuid() == 0 {
      print("skipped, root may read every file")
      return
    }
    try withTemporaryFolder { folder in
      let path = folder + "/secret.jpg"
      #expect(FileManager.default.createFile(atPath: path, contents: Data([0xFF, 0xD8, 0xFF, 0xDB])))
      #expect(chmod(path, 0) == 0)
      #expect(MediaProber().facts(ofFile: path).error?.code == .accessDenied)
    }
  }

  @Test func `The name of a file is compared with its content`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/video.jpg"
      #expect(FileManager.default.createFile(atPath: path, contents: Data(TinyMovie().bytes)))
      let info = MediaProber().facts(ofFile: path)
      #expect(info.type.rawValue == "video/mp4")
      #expect(info.mismatch == MediaInfo.Mismatch(declared: "jpg", by: .extension, class: .kind))
    }
  }

  @Test func `A client's claim is compared with the content`() throws {
    let input = try MediaInput(bytes: Array("<html>".utf8))
    let info = MediaProber().facts(of: input, claim: .mediaType("image/gif"))
    #expect(info.mismatch == MediaInfo.Mismatch(declared: "image/gif", by: .client, class: .active))
    #expect(MediaProber().facts(of: input).mismatch == nil)
  }

  @Test(arguments: [
    Signature("video", TinyMovie().bytes, ""), Signature("audio", TinyAudio.wav(), ""),
    Signature("text", Array("text".utf8), ""), Signature("image", [0xFF, 0xD8, 0xFF, 0xDB], ""),
    Signature("document", TinyPDF.document(pages: 1), ""),
  ])
  func `A passed deadline is a result`(_ file: Signature) throws {
    var prober = MediaProber()
    prober.options.limits.probeSeconds = 0
    let info = prober.facts(of: try MediaInput(bytes: file.bytes), claim: .fileName("a.gif"))
    #expect(info.error?.code == .timedOut)
    #expect(info.bytes == file.bytes.count)
    #expect(info.mismatch == nil)
  }

  @Test func `The deadline is cleared afterwards`() throws {
    var prober = MediaProber()
    prober.options.limits.probeSeconds = 0
    let input = try MediaInput(bytes: TinyAudio.wav())
    #expect(prober.facts(of: input).error?.code == .timedOut)
    #expect(try input.read(at: 0, count: 4) == Array("RIFF".utf8))
  }

  private func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }
}
