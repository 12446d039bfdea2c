internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("A service that is killed while it receives uploads", .serialized) struct UploadKillTests {
  private static let kills = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? 20 : 4
  private static let uploads = 10
  private static let bytes = 400_000

  /// Bytes of an upload by its number.
  private static func text(_ number: Int) -> [UInt8] { UploadKit.text(bytes, seed: UInt64(number)) }

  /// Creates ten uploads, or goes on with those of the last process, and notes each offset that the service reports, until it is killed.
  private static func receive(in path: String, killedAfter microseconds: UInt32) async throws {
    Thread.detachNewThread {
      usleep(microseconds)
      kill(getpid(), SIGKILL)
    }
    let folder = UncheckedFolder(path)
    let service = try await folder.open()
    let log = open(path + "/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    func note(_ number: Int, _ upload: Upload, _ offset: Int) {
      let line = "\(number) \(upload.id) \(offset)\n"
      _ = line.withCString { write(log, $0, strlen($0)) }
    }
    var known = Log(path).uploads
    for number in 0..<uploads where known[number] == nil {
      let upload = try await service.create(bytes)
      note(number, upload, 0)
      known[number] = (upload.id, 0)
    }
    while true {
      for number in 0..<uploads {
        guard let (id, _) = known[number] else { continue }
        let upload = try await service.resumeUpload(id, for: UploadKit.ada)
        guard upload.state == .receiving else { continue }
        let end = min(bytes, upload.offset + 7_001)
        let after = try await service.send(
          Array(text(number)[upload.offset..<end]), to: upload, at: upload.offset)
        note(number, after, after.offset)
      }
    }
  }

  @Test(
    "Every offset that was reported is on the disk after a kill, no offset decreases, and every upload is finished at last"
  )
  func kills() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("")
    for turn in 0..<Self.kills {
      let microseconds = UInt32(300_000 + turn * 97_000 % 900_000)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, microseconds = microseconds as UInt32] in
        try await UploadKillTests.receive(in: path, killedAfter: microseconds)
      }
      let service = try await UncheckedFolder(path).open()
      for (number, (id, reported)) in Log(path).uploads {
        let upload = try await service.upload(id, for: UploadKit.ada)
        #expect(upload.offset >= reported, "upload \(number)")
        if upload.state == .receiving, upload.offset > 0 {
          let part = try Data(contentsOf: URL(fileURLWithPath: "\(path)/library/uploads/\(id)"))
          #expect(part.count == upload.offset)
          #expect([UInt8](part) == Array(Self.text(number)[..<upload.offset]))
        }
      }
      try await service.close()
    }
    let service = try await UncheckedFolder(path).open()
    for (number, (id, _)) in Log(path).uploads {
      var upload = try await service.resumeUpload(id, for: UploadKit.ada)
      if upload.state == .receiving {
        upload = try await service.send(Array(Self.text(number)[upload.offset...]), to: upload, at: upload.offset)
      }
      let attachment = try #require(upload.attachment)
      let row = try #require(try await service.library.catalogue.file(attachment.id))
      #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: row.stamp.path.description))) == Self.text(number))
    }
    try await service.close()
  }
}

/// A folder that outlives the process that uses it.
private struct UncheckedFolder {
  let path: String

  init(_ path: String) { self.path = path }

  func open() async throws -> MediaService {
    var configuration = MediaService.Configuration(library: .init(folder: .init(path + "/library")))
    configuration.limits.freeBytes = 0
    return try await MediaService.open(configuration, engine: try await UploadKit.engine.value)
  }
}

/// What the killed processes noted: the last offset of each upload.
private struct Log {
  private(set) var uploads: [Int: (id: Upload.ID, offset: Int)] = [:]

  init(_ path: String) {
    let text = (try? String(contentsOfFile: path + "/log", encoding: .utf8)) ?? ""
    // A last line without an end was not noted.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let parts = line.split(separator: " ")
      guard parts.count == 3, let number = Int(parts[0]), let id = Upload.ID(rawValue: String(parts[1])),
        let offset = Int(parts[2])
      else { continue }
      uploads[number] = (id, offset)
    }
  }
}
