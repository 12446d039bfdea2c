internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaEngine
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Isolation of the decoders") struct IsolationTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// The libraries with decoders among those that a running command has mapped.
  private func decoders(
    _ arguments: [PathBytes], verb: PathBytes = "probe", of fixture: String = "camera-roll/IMG_0001.jpg"
  ) throws -> Set<String> {
    let command = try Command(
      [verb, "--files-from", "-"] + arguments, input: .pipe, drains: false, folder: scratch.path)
    command.write(Array("\(Fixture.path(fixture))\n".utf8))
    // Its result has come, so whatever decodes has been loaded; the list has no end yet, so it still runs.
    #expect(command.readLine().contains(fixture))
    let maps = try command.maps
    command.closeInput()
    #expect(try command.finish().status == 0)
    #expect(maps.contains("libc.so"))
    return Set(["libvips", "libavcodec", "libavformat", "libmagic", "libpoppler", "libheif"].filter(maps.contains))
  }

  @Test func `No decoder is in the process of the command`() throws {
    #expect(try decoders([]) == [])
  }

  @Test("A process loads the decoders that its files need, and no others")
  func inProcess() throws {
    let folder = scratch("out")
    #expect(try decoders(["--in-process"]) == ["libmagic"])
    #expect(try decoders(["--in-process", "-o", folder], verb: "thumbnail") == ["libmagic", "libvips"])
    let video = "videos/anamorphic.mpg"
    #expect(try decoders(["--in-process"], of: video) == ["libmagic", "libavcodec", "libavformat"])
    #expect(
      try decoders(["--in-process", "-o", folder], verb: "thumbnail", of: video)
        == ["libmagic", "libvips", "libavcodec", "libavformat"])
  }

  @Test("A worker that cannot load a library names it, although its standard error is nobody's")
  func unloadableLibrary() throws {
    let library = "/usr/lib/x86_64-linux-gnu/libvips.so.42"
    guard geteuid() == 0, FileManager.default.fileExists(atPath: library) else {
      print("not tested: only root can put a file in place of a library, for one process")
      return
    }
    try scratch.file("broken", "no library")
    let wrapper = [
      "unshare", "--mount", "sh", "-c", "mount --bind '\(scratch("broken").text)' \(library) && exec \"$@\"", "sh",
    ]
    for arguments in [["doctor"], ["thumbnail", "-o", scratch("out"), PathBytes(Fixture.path("color/grey.jpg"))]]
      as [[PathBytes]]
    {
      let result = try Command.run(arguments, wrapper: wrapper)
      #expect(result.status != 0, "\(arguments)")
      #expect(
        result.errors.contains("the worker cannot load a library")
          || result.output.contains("the worker cannot load a library"),
        "\(arguments): \(result.errors)\(result.output)")
      #expect(result.errors.contains("libvips.so.42") || result.output.contains("libvips.so.42"), "\(arguments)")
    }
  }

  @Test func `Workers and the process of the command give the same lines`() throws {
    let folder = PathBytes(Fixture.folder.appendingPathComponent("camera-roll").path)
    let workers = try Command.run(["probe", "--json", folder])
    let inProcess = try Command.run(["probe", "--json", "--in-process", folder])
    #expect(workers.output == inProcess.output)
    #expect(workers.status == inProcess.status)
    #expect(workers.output.split(separator: "\n").count > 10)
  }

  @Test func `No descriptor is left open, whatever the files are`() throws {
    let folder = Fixture.folder.appendingPathComponent("broken")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let command = try Command(
      ["thumbnail", "--jobs", "1", "--size", "16", "--files-from", "-", "-o", scratch("out")], input: .pipe,
      drains: false)
    func make(_ name: String) {
      command.write(Array("\(folder.path)/\(name)\n".utf8))
      #expect(command.readLine().contains(name))
    }
    make("truncated.jpg")
    let before = try command.descriptors
    for name in files { make(name) }
    // A result may be written before the last descriptor of its file is closed; one that is never closed stays.
    let end = Deadlines.after(Command.patience)
    while try command.descriptors > before, !Deadlines.hasPassed(end) { sched_yield() }
    #expect(try command.descriptors <= before)
    command.closeInput()
    #expect(try command.finish().status == 1)
  }

  @Test func `An engine that gets no worker is our fault and not the file's`() throws {
    let file = Input(path: PathBytes(Fixture.path("camera-roll/IMG_0001.jpg")), content: .file)
    let worker = scratch("worker").text
    try FileManager.default.createSymbolicLink(
      atPath: worker, withDestinationPath: BuiltProduct.path("mediatool-worker"))
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 1)
    (configuration.worker, configuration.spares, configuration.limits.jobsPerWorker) = (worker, 0, 1)
    let engine = FileEngine(engine: try MediaEngine.startBlocking(configuration), stop: try StopSignal())
    let info = try engine.info(of: file)
    #expect(info.error == nil)
    #expect(info.width != nil)
    // Its worker has done its one job, and there is no other.
    try FileManager.default.removeItem(atPath: worker)
    #expect(throws: Fault.self) { try engine.info(of: file) }
    #expect(throws: Fault.self) { try engine.images(of: file, info: info, requests: []) }
  }

  @Test func `The doctor reports which layers are active`() throws {
    let report = try #require(try Command.run(["doctor", "--json"]).records.first)
    let layers = try #require(report["isolation"] as? [String: Any])
    #expect(Set(layers.keys) == ["limits", "noDumps", "noPrivileges", "landlock", "seccomp", "namespaces"])
    let table = try Command.run(["doctor"]).output
    #expect(table.contains("Worker isolation"))
    #expect(table.contains("seccomp"))
    #expect(table.contains("namespaces"))
  }
}
