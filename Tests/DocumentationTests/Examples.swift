import AttachmentPolicy
import FileSupport
import Foundation
import MediaModel
import MediaProbe
import PhotoTray
import TestSupport
import Testing
import Thumbnails
import Transcoding

/// The examples of the documentation, compiled and run; the imports are plain, as in a reader's own file. `PagesTests` holds the
/// pages to these lines, so that neither can be changed alone.
@Suite struct Examples {
  /// A PNG of 8 × 8 pixels, the left half red, the right half blue: IHDR, IDAT, IEND and nothing else.
  static let image =
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAFElEQVR42mP4z8AAR0jM/wxDSwIA6TA/wcg4RrMAAAAASUVORK5CYII="

  func withImage(_ body: (_ path: String, _ folder: URL) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.image)))
    try body(folder.write(bytes, to: "in/picture.png"), folder.url)
  }

  @Test(arguments: [
    (
      #"{"kind":"image","type":"image/jpeg","bytes":9,"width":4000,"height":3000}"#,
      PixelRect(x: 500, y: 0, width: 3_000, height: 3_000)
    ),
    (#"{"kind":"image","type":"image/jpeg","bytes":9,"error":{"code":"corrupt","message":"?"}}"#, nil),
  ])
  func `A line of the command is read`(json: String, crop: PixelRect?) throws {
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
      print("no image: \(failure.message)")
    }

    #expect(requests.first?.crop == crop)
  }

  @Test func `Facts are found`() throws {
    try withImage { path, _ in
      let prober = MediaProber()
      let info = prober.facts(ofFile: path)
      if let size = info.displaySize {
        print("\(info.type), \(size.width) × \(size.height), \(info.bytes) bytes")
      }
      if let taken = info.takenAt {
        print("taken at \(taken) (source: \(info.takenAtSource?.rawValue ?? "unknown"))")
      }
      if let mismatch = info.mismatch {
        print("called \(mismatch.declared), but it is \(info.type)")
      }
      if let failure = info.error {
        print("\(path): \(failure.message)")
      }

      #expect(info.type == .png)
      #expect(info.bytes == Data(base64Encoded: Self.image)?.count)
    }
  }

  @Test func `A video is made to fit`() throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.url
    let path = temporary.path("video.mp4")
    _ = try Tool("ffmpeg", package: "ffmpeg").output([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=15:duration=1", "-pix_fmt", "yuv420p", path,
    ])

    let input = try MediaInput(path: path)
    let info = MediaProber().facts(of: input, claim: .fileName(path))
    var request = TranscodeRequest(format: .mp4(.level13), maxBytes: 280_000)
    request.box = PixelSize(width: 640, height: 480)
    let result = Transcoder().transcode(input, info: info, request)
    if let file = result.file {
      try Data(file.data).write(to: folder.appendingPathComponent("small.mp4"), options: .atomic)
      print("\(file.duration) s, \(file.width ?? 0) × \(file.height ?? 0), \(file.data.count) bytes")
    } else if let seconds = result.fittingDuration {
      print("only \(seconds) s of it would fit")
    } else if let failure = result.error {
      print("\(path): \(failure.message)")
    }

    #expect(result.file.map { $0.data.count <= 280_000 } == true)
  }

  @Test func `Small images are made`() throws {
    try withImage { path, folder in
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
      #expect(result.renditions.count == 3)
      #expect(result.error == nil)
      for rendition in result.renditions {
        let file = folder.appendingPathComponent(rendition.name + (rendition.type == .jpeg ? ".jpg" : ".webp"))
        #expect(try Data(contentsOf: file) == Data(rendition.data))
      }
    }
  }

  private var photo: MediaInfo {
    var info = MediaInfo(type: .jpeg, bytes: 2_000_000)
    (info.width, info.height) = (4_000, 3_000)
    return info
  }

  @Test func `A selection is evaluated`() {
    let found = [(name: "a.jpg", info: photo), (name: "empty.jpg", info: MediaInfo(type: .jpeg, bytes: 0))]
    var draft = AttachmentDraft(text: "look")

    let rules = AttachmentRules.Preset.photoTray.rules
    let selection = found.map { MediaAttachment(id: MediaAttachment.ID($0.name), name: $0.name, info: $0.info) }
    let verdict = rules.verdict(for: selection, given: draft)
    for file in verdict.files where !file.accepted {
      print(file.id, file.reasons.map(\.code.rawValue))
    }
    for event in draft.add(selection, under: rules) {
      if case .added(let id, let place) = event { print("\(id) is number \(place + 1)") }
    }
    print(draft.canSend(under: rules) ? "ready" : "not yet: \(draft.sendBlockers(under: rules))")

    #expect(verdict.files.map(\.accepted) == [true, false])
    #expect(draft.items.map(\.id) == ["a.jpg"])
    #expect(!draft.canSend(under: rules))
  }

  private struct Album: PhotoSource {
    let items: [Tray.Item]
    func newest(_ count: Int) -> [Tray.Item] { Array(items.prefix(count)) }
    func missing(among assets: [AssetID]) -> Set<AssetID> { Set(assets).subtracting(items.map(\.id)) }
  }

  @Test func `A tray is opened`() {
    let library = Album(items: [3, 2, 1].map { Tray.Item(id: AssetID("IMG_000\($0)"), time: $0, info: photo) })

    var tray = Tray(access: .full, rules: AttachmentRules.Preset.photoTray.rules)
    _ = tray.load(from: library)
    for event in tray.select("IMG_0002") {
      if case .draft(.refused(_, let reasons)) = event { print("not this one: \(reasons)") }
    }
    _ = tray.apply(Tray.LibraryChange(removed: ["IMG_0001"]), from: library)
    if case .grid(let grid) = tray.state {
      for cell in grid.cells {
        print(cell.selected.map(String.init) ?? "-", cell.id, cell.isEnabled)
      }
    }

    #expect(tray.items.map(\.id) == ["IMG_0003", "IMG_0002"])
    #expect(tray.draft.index(of: "IMG_0002" as AssetID) == 0)
  }

  @Test func `A folder is walked`() throws {
    let temporary = try TemporaryFolder()
    for name in ["a.jpg", "b/c.jpg", "b/d.tmp", "cache/e.jpg"] { try temporary.write([1, 2], to: name) }
    let folder = PathBytes(temporary.url.path)

    var filter = FolderWalk.Filter()
    filter.excluding = FolderWalk.IgnoreFile(text: Array("*.tmp\ncache/".utf8))
    var walk = FolderWalk(root: folder, filter: filter)
    let list = try AtomicFile(at: folder.appending("list.txt".utf8))
    var current = folder
    while let event = walk.next() {
      switch event {
      case .entered(let entered): current = PathBytes(entered.path)
      case .file(let file): try list.append(current.appending(file.name).bytes + Array("\t\(file.status.bytes)\n".utf8))
      case .filesEnded: continue
      case .problem(let problem): print(PathBytes(problem.path), problem.failure.message)
      }
    }
    try list.commit()

    let written = try String(contentsOfFile: temporary.path("list.txt"), encoding: .utf8)
    #expect(written == ["a.jpg", "b/c.jpg"].map { "\(folder)/\($0)\t2\n" }.joined())
  }
}
