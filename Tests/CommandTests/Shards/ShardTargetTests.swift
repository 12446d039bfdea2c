internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Where shards may be written") struct ShardTargetTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func occupy(_ name: String, with kind: String) throws {
    switch kind {
    case "folder": try scratch.folder(name)
    case "pipe": try scratch.fifo(name)
    case "socket": try scratch.socket(name)
    default: try scratch.link(name, to: "../target")
    }
  }

  private func identity(_ name: String) throws -> FileIdentity {
    try FileStatus(at: scratch(name), followsLinks: false).identity
  }

  @Test(
    "A folder, a symbolic link, a socket and a pipe at the name of a shard's file stay, and are an error before any file is read",
    arguments: ["00017.tar", "00017.ndjson", "00017.stats.json"], ["folder", "symbolic link", "socket", "pipe"])
  func inTheWay(name: String, kind: String) throws {
    try scratch.file("target", "old")
    try scratch.folder("out")
    try occupy("out/\(name)", with: kind)
    let before = try identity("out/\(name)")
    let list = try scratch.file("lists/00017.ndjson", "\(ShardTests.photos)/IMG_0001.jpg\n")
    let result = try Command.run(["batch", "--list", list, "-o", "out", "--json"], folder: scratch.path)
    #expect(result.status == 70)
    #expect(result.errors.contains("cannot write out/\(name): "), "\(result.errors)")
    #expect(result.errors.contains(kind), "\(result.errors)")
    #expect(result.output.isEmpty, "\(result.output)")
    #expect(try identity("out/\(name)") == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("out").text) == [name])
    #expect(FileManager.default.contents(atPath: scratch("target").text) == Data("old".utf8))
  }

  @Test(
    "What appears at the name of a shard's file while it is made is neither removed nor replaced",
    arguments: ["folder", "symbolic link", "socket", "pipe"])
  func appears(kind: String) throws {
    try scratch.folder("out")
    let folder = ShardFolder(path: scratch("out"))
    let file = try folder.begin("00017.tar")
    try file.append([1])
    for name in ["00017.tar", "00017.stats.json"] { try occupy("out/\(name)", with: kind) }
    let before = try [identity("out/00017.tar"), identity("out/00017.stats.json")]
    #expect(throws: Fault.self) { try folder.remove("00017.stats.json") }
    #expect(throws: Fault.self) { try folder.write([1], to: "00017.stats.json") }
    #expect(throws: Fault.self) { _ = try file.commit() }
    #expect(try [identity("out/00017.tar"), identity("out/00017.stats.json")] == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("out").text).sorted()
    #expect(names == ["00017.stats.json", "00017.tar"])
  }
}
