import Foundation
import MediaEngine
import MediaEngineInProcess
import MediaModel
import MediaProbe
import TestSupport
import Testing
import Thumbnails

/// The examples of the documentation, compiled and run; the imports are plain, as in a reader's own file. `PagesTests` holds the
/// pages to these lines, so that neither can be changed alone.
@Suite struct Examples {
  /// A PNG of 8 × 8 pixels, the left half red, the right half blue: IHDR, IDAT, IEND and nothing else.
  private static let picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR42mP4z8AAR0jM/wxDSwIA6TA/wcg4RrMAAAAASUVORK5CYII="

  private func withPicture(_ body: (_ path: String, _ folder: URL) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.picture)))
    try body(folder.write(bytes, to: "in/picture.png"), folder.url)
  }

  @Test(arguments: [
    (
      #"{"kind":"image","type":"image/jpeg","bytes":9,"width":4000,"height":3000}"#,
      PixelRect(x: 500, y: 0, width: 3_000, height: 3_000)
    ),
    (#"{"kind":"image","type":"image/jpeg","bytes":9,"error":{"code":"corrupt","message":"?"}}"#, nil),
  ])
  func readingALineOfTheCommand(json: String, crop: PixelRect?) throws {
    let line = Data(json.utf8)
    var requests: [RenditionRequest] = []

    let info = try JSONDecoder().decode(MediaInfo.self, from: line)
    if let size = info.displaySize {
      let side = min(size.width, size.height)
      var request = RenditionRequest(name: "square", box: PixelSize(width: 512, height: 512))
      request.crop = PixelRect(x: (size.width - side) / 2, y: (size.height - side) / 2, width: side, height: side)
      request.encoding = .maxBytes(60_000)
      requests.append(request)
    } else if let failure = info.error {
      print("no picture: \(failure.message)")
    }

    #expect(requests.first?.crop == crop)
  }

  @Test func findingFacts() throws {
    try withPicture { path, _ in
      let prober = MediaProber()
      let info = prober.facts(ofFile: path)
      if let size = info.displaySize {
        print("\(info.type), \(size.width) × \(size.height), \(info.bytes) bytes")
      }
      if let taken = info.takenAt {
        print("taken at \(taken), says \(info.takenAtSource?.rawValue ?? "nobody")")
      }
      if let mismatch = info.mismatch {
        print("called \(mismatch.declared), but it is \(info.type)")
      }
      if let failure = info.error {
        print("\(path): \(failure.message)")
      }

      #expect(info.type == .png && info.bytes == Data(base64Encoded: Self.picture)?.count)
    }
  }

  @Test func makingSmallPictures() throws {
    try withPicture { path, folder in
      let input = try MediaInput(path: path)
      let info = MediaProber().facts(of: input, claim: .fileName(path))
      var square = RenditionRequest(name: "square", box: PixelSize(width: 96, height: 96), fit: .cover(.attention))
      square.format = .jpeg
      let requests = [square] + ["grid", "message"].compactMap(RenditionRequest.named)
      let result = Thumbnailer().render(input, info: info, requests: requests)
      for rendition in result.renditions {
        let name = "\(rendition.name).\(rendition.type.preferredExtension ?? "bin")"
        try Data(rendition.data).write(to: folder.appendingPathComponent(name), options: .atomic)
      }
      if let failure = result.error {
        print("\(path): \(failure.message)")
      }

      #expect(requests.map(\.name) == ["square", "grid", "message"])
      #expect(result.renditions.count == 3 && result.error == nil)
      for rendition in result.renditions {
        let file = folder.appendingPathComponent(rendition.name + (rendition.type == .jpeg ? ".jpg" : ".webp"))
        #expect(try Data(contentsOf: file) == Data(rendition.data))
      }
    }
  }

  @Test func askingAnEngine() async throws {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let temporary = try TemporaryFolder()
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.picture)))
    let (path, folder) = (try temporary.write(bytes, to: "in/picture.png"), temporary.url)

    let engine = try await MediaEngine.start(configuration)
    let request = TileRequest(renditions: ["grid", "message"].compactMap(RenditionRequest.named))
    do {
      let tile = try await engine.tile(.path(path), claim: .fileName(path), request)
      if let failure = tile.thumbnails.error ?? tile.info.error {
        print("\(path): \(failure.message)")
      }
      for rendition in tile.thumbnails.renditions {
        try Data(rendition.data).write(to: folder.appendingPathComponent("\(rendition.name).webp"), options: .atomic)
      }
    } catch let refusal as MediaFailure where refusal.code == .busy {
      print("Come back in a moment.")
    }

    let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(written) == ["in", "grid.webp", "message.webp"])
    await engine.shutdown()
  }
}
