import Foundation
import Logging
import MediaEngine
import MediaEngineInProcess
import MediaEngineService
import MediaModel
import ServiceLifecycle
import TestSupport
import Testing
import UnixSignals

extension Examples {
  @Test func `An engine is asked`() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let temporary = try TemporaryFolder()
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.image)))
    let (path, folder) = (try temporary.write(bytes, to: "in/picture.png"), temporary.url)

    let engine = try await MediaEngine.start(configuration)
    let request = MediaPreview.Request(renditions: ["grid", "message"].compactMap(RenditionRequest.named))
    do {
      let preview = try await engine.preview(.path(path), claim: .fileName(path), request)
      if let failure = preview.thumbnails.error ?? preview.info.error {
        print("\(path): \(failure.message)")
      }
      for rendition in preview.thumbnails.renditions {
        try Data(rendition.data).write(to: folder.appendingPathComponent("\(rendition.name).webp"), options: .atomic)
      }
    } catch let failure as MediaFailure where failure.code == .busy {
      print("\(path): \(failure.message)")
    }

    let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(written) == ["in", "grid.webp", "message.webp"])
    await engine.shutdown()
  }

  @Test func `A server passes the owner as the domain`() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let upload = [UInt8](try #require(Data(base64Encoded: Self.image)))
    let (account, name) = ("ada", "picture.png")

    configuration.domain = .isolated
    configuration.spares = 2
    let engine = try await MediaEngine.start(configuration)
    let request = MediaPreview.Request(renditions: ["grid"].compactMap(RenditionRequest.named))
    let preview = try await engine.preview(.bytes(upload), claim: .fileName(name), request, domain: .owner(account))

    #expect(preview.thumbnails.renditions.map(\.name) == ["grid"])
    await engine.shutdown()
  }

  @Test func `A file is decoded in the process`() async throws {
    let temporary = try TemporaryFolder()
    let path = try temporary.write([UInt8](try #require(Data(base64Encoded: Self.image))), to: "in/picture.png")

    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess(threads: 2)
    let engine = try await MediaEngine.start(configuration)
    let info = try await engine.probe(.path(path))
    print(info.type, info.width ?? 0, info.height ?? 0)
    await engine.shutdown()

    #expect(info.width == 8)
  }

  @Test func `An engine runs among the services of a server`() async throws {
    /// Uses the engine, then runs until it is shut down.
    struct Server: Service {
      let engine: MediaEngine
      let kinds: AsyncStream<MediaKind>.Continuation

      func run() async throws {
        kinds.yield(try await engine.probe(.bytes(Array("BEGIN:VCARD\r\n".utf8))).kind)
        try await gracefulShutdown()
      }
    }

    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let (kinds, continuation) = AsyncStream.makeStream(of: MediaKind.self)

    let engine = try await MediaEngine.start(configuration)
    let server = Server(engine: engine, kinds: continuation)
    let logger = Logger(label: "server")
    let group = ServiceGroup(services: [engine, server], gracefulShutdownSignals: [.sigterm], logger: logger)

    async let end: Void = group.run()
    #expect(await kinds.first { _ in true } == .contact)
    await group.triggerGracefulShutdown()
    try await end
    await #expect { _ = try await engine.probe(.bytes([1])) } throws: { ($0 as? MediaFailure)?.code == .cancelled }
  }
}
