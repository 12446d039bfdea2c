internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// Inputs from a tar file, and a shard that is written as a stream.
extension ShardTests {
  @Test("--tar - gives the members and, last, the statistics") func stream() throws {
    let list = try list()
    _ = try make(list)
    let file = try scratch.file("stream.tar", "")
    let output = try Command.run(
      ["batch", "--list", list, "--tar", "-"], output: .file(file.text), folder: scratch.path)
    #expect(output.status == 0, "\(output.errors)")
    #expect(try names("stream.tar") == names("out/00017.tar") + ["__stats__/00017.json"])
    let end = try Tool("tar", package: "tar").run(["-xOf", file.text, "__stats__/00017.json"]).bytes
    #expect(try JSONDecoder().decode(ShardStatistics.self, from: Data(end)).inputs == 5)
  }

  @Test("Files come out of a tar file on standard input as they do from a list") func archive() throws {
    let tar = try Tool("tar", package: "tar").run([
      "-C", Self.photos, "-cf", "-", "IMG_0001.jpg", "IMG_0003.jpg",
    ]).bytes
    try scratch.file("list.txt", "IMG_0001.jpg\nIMG_0003.jpg\n")
    _ = try Command.run(
      ["batch", "--list", scratch("list.txt"), "-o", scratch("out"), "--name", "photos", "--json"],
      folder: PathBytes(Self.photos))
    let file = try scratch.file("stream.tar", "")
    let output = try Command.run(
      ["batch", "--tar-from", "-", "--tar", "-", "--name", "photos"], input: tar, output: .file(file.text))
    #expect(output.status == 0, "\(output.errors)")
    let image = "photos-000000002.grid.webp"
    let tool = try Tool("tar", package: "tar")
    let listed = try tool.run(["-xOf", scratch("out/photos.tar").text, image]).bytes
    #expect(try tool.run(["-xOf", file.text, image]).bytes == listed)
    let json = try tool.run(["-xOf", file.text, "photos-000000001.json"]).text
    #expect(json.contains("\"path\":\"IMG_0001.jpg\""))
  }

  @Test("A sparse file or a link in a tar file is a failed result, and the files after it are in the shard")
  func unreadableMembers() throws {
    try scratch.file("in/holes.jpg", "")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch("in/holes.jpg").text))
    try file.truncate(atOffset: 100_000)
    try file.close()
    try scratch.link("in/link.jpg", to: "holes.jpg")
    let bytes = try Tool("tar", package: "tar").run([
      "--format=posix", "-S", "--hole-detection=raw", "-cf", "-", "-C", scratch("in").text, "holes.jpg", "link.jpg",
      "-C", Self.photos, "IMG_0001.jpg",
    ]).bytes
    try Data(bytes).write(to: URL(fileURLWithPath: scratch("in.tar").text))
    let output = try Command.run(["batch", "--tar-from", scratch("in.tar"), "-o", scratch("out"), "--json"])
    #expect(output.status == 0, "\(output.errors)")
    let lines = try String(contentsOfFile: scratch("out/in.ndjson").text, encoding: .utf8).split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].contains("\"code\":\"unsupported\""))
    #expect(lines[0].contains("\"path\":\"holes.jpg\""))
    #expect(lines[1].contains("\"code\":\"unsupported\""))
    #expect(lines[1].contains("\"path\":\"link.jpg\""))
    #expect(!lines[2].contains("\"error\""))
  }

  @Test("A tar file that is cut short ends the run with an error, and no shard") func cutArchive() throws {
    let tar = try Tool("tar", package: "tar").run(["-C", Self.photos, "-cf", "-", "IMG_0001.jpg"]).bytes
    try Data(tar.prefix(20_000)).write(to: URL(fileURLWithPath: scratch("in.tar").text))
    let output = try Command.run(["batch", "--tar-from", scratch("in.tar"), "-o", scratch("out"), "--json"])
    #expect(output.status == 70)
    #expect(output.errors.contains("cut short"), "\(output.errors)")
    #expect(scratch.files(below: "out").isEmpty)
  }
}
