internal import AttachmentPolicy
internal import Foundation
internal import MediaModel
internal import PhotoTray
internal import Testing

@Suite("Tray states") struct StateTests {
  @Test(
    "R-TRAY-14, R-TRAY-15: undetermined, denied and restricted access are states of their own"
  )
  func withoutAccess() {
    let library = Library(Sample.photos(3))
    for (access, state) in [
      (Tray.LibraryAccess.notDetermined, Tray.State.notDetermined), (.denied, .denied), (.restricted, .restricted),
    ] {
      let tray = Sample.tray(library, access: access)
      #expect(tray.state == state)
      #expect(tray.items.isEmpty)
    }
    #expect(library.asked.isEmpty, "a library that may not be read is not asked")
  }

  @Test("R-TRAY-17: an empty library is a state of its own with the camera permissions") func empty() {
    var tray = Sample.tray(Library())
    tray.capture = Tray.CaptureAccess(camera: .granted, microphone: .denied)
    #expect(tray.state == .empty(Tray.CaptureAccess(camera: .granted, microphone: .denied)))
  }

  @Test("R-TRAY-13: limited access shows only the selected items") func limited() {
    let library = Library(Sample.photos(5))
    library.chosen = ["p1", "p3"]
    #expect(Sample.tray(library, access: .limited).names == ["p3", "p1"])
    library.chosen = []
    #expect(Sample.tray(library, access: .limited).state == .empty(Tray.CaptureAccess()))
  }

  @Test("R-TRAY-2: the tray shows the fifty newest items in a stable order, and never requests more") func fifty() {
    let library = Library(Sample.photos(1_000))
    let tray = Sample.tray(library)
    #expect(tray.names == (950..<1_000).reversed().map { "p\($0)" })
    #expect(library.asked == [50])
    #expect(tray.grid?.cells.count == 50)
    let sameSecond = Library(["b", "a", "c"].map { Sample.photo($0, time: 7) } + [Sample.photo("z", time: 6)])
    #expect(Sample.tray(sameSecond).names == ["c", "b", "a", "z"])
  }

  @Test("Too many items or duplicates from a source are tolerated") func unrulySource() {
    struct Unruly: PhotoSource {
      func newest(_ count: Int) -> [Tray.Item] { Sample.photos(200) + Sample.photos(200) }
      func missing(among assets: [AssetID]) -> Set<AssetID> { Set(assets) }
    }
    var tray = Tray(access: .full)
    _ = tray.load(from: Unruly())
    #expect(tray.names == (150..<200).reversed().map { "p\($0)" })
  }

  @Test("R-TRAY-18: a small library gives its true count and the empty cells of the last rows")
  func emptyCells() {
    func grid(_ count: Int, columns: Int, rows: Int) -> [Int]? {
      var tray = Sample.tray(Library(Sample.photos(count)))
      tray.layout = Tray.Layout(columns: columns, rows: rows)
      return tray.grid.map { [$0.cells.count, $0.emptyCells] }
    }
    #expect(grid(1, columns: 4, rows: 3) == [1, 11])
    #expect(grid(12, columns: 4, rows: 3) == [12, 0])
    #expect(grid(13, columns: 4, rows: 3) == [13, 3])
    #expect(grid(50, columns: 4, rows: 3) == [50, 2])
    #expect(grid(50, columns: 5, rows: 10) == [50, 0])
    #expect(grid(3, columns: 0, rows: -1) == [3, 0], "a row has at least one cell")
    #expect(grid(3, columns: .max, rows: 2) == [3, .max - 3])
  }

  @Test("Any layout has at least one cell per row, and no number traps") func layouts()
    throws
  {
    var tray = Sample.tray(Library(Sample.photos(3)))
    for (columns, rows) in [(0, 3), (-4, -3), (Int.min, Int.min), (Int.max, Int.min), (1, Int.min), (Int.min, Int.max)]
    {
      tray.layout.columns = columns
      tray.layout.rows = rows
      #expect(tray.grid.map { $0.emptyCells >= 0 } == true, "\(columns) × \(rows)")
      let json = Data(#"{"columns":\#(columns),"rows":\#(rows)}"#.utf8)
      tray.layout = try JSONDecoder().decode(Tray.Layout.self, from: json)
      #expect(tray.grid.map { $0.emptyCells >= 0 } == true, "\(columns) × \(rows)")
    }
    tray.layout = Tray.Layout()
    tray.layout.columns = 0
    #expect(tray.grid?.emptyCells == 0, "one cell in a row, three rows, three photos")
  }

  @Test("R-TRAY-3: a video has a badge with its duration; a photo has none") func badges() {
    let tray = Sample.tray(Library([Sample.video("v", duration: 12.5), Sample.photo("p")]))
    #expect(tray.cell("v")?.item.info.kind == .video)
    #expect(tray.cell("v")?.badgeDuration == 12.5)
    #expect(tray.cell("p")?.item.info.kind == .image)
    #expect(tray.cell("p")?.badgeDuration == nil)
  }

  @Test("R-TRAY-10: a cell that cannot be selected is disabled and has a reason") func disabled() {
    var broken = Sample.photo("broken")
    broken.info.error = MediaFailure(.truncated, "?")
    let large = Sample.photo("large", bytes: 104_857_601)
    var tray = Sample.tray(Library([broken, large, Sample.photo("good")]))
    #expect(tray.cell("large")?.reason == .fileTooLarge(limit: 104_857_600, actual: 104_857_601))
    #expect(tray.cell("broken")?.reason == .unreadable(.truncated))
    #expect(tray.cell("good")?.isEnabled == true)
    #expect(tray.cell("good")?.reason == nil)
    #expect(tray.cell("large")?.isEnabled == false)
    #expect(tray.cell("broken")?.isEnabled == false)
    // The tap on it does nothing but say so.
    #expect(
      tray.select("large") == [.draft(.refused("large", [.fileTooLarge(limit: 104_857_600, actual: 104_857_601)]))])
    #expect(tray.draft.items.isEmpty)
  }

  @Test("R-TRAY-19: a photo needs the camera, a video also the microphone, and the next step is stated") func capture()
  {
    func step(
      _ camera: Tray.CaptureAccess.Permission, _ microphone: Tray.CaptureAccess.Permission,
      _ purpose: Tray.CaptureAccess.Purpose
    )
      -> Tray.CaptureAccess.Step
    {
      Tray.CaptureAccess(camera: camera, microphone: microphone).step(for: purpose)
    }
    #expect(step(.granted, .denied, .photo) == .ready)
    #expect(step(.granted, .denied, .video) == .openSettings)
    #expect(step(.granted, .granted, .video) == .ready)
    #expect(step(.notDetermined, .notDetermined, .photo) == .ask(camera: true, microphone: false))
    #expect(step(.granted, .notDetermined, .video) == .ask(camera: false, microphone: true))
    #expect(step(.notDetermined, .denied, .video) == .openSettings)
    #expect(step(.denied, .granted, .photo) == .openSettings)
    #expect(step(.restricted, .granted, .photo) == .unavailable)
    #expect(step(.denied, .restricted, .video) == .unavailable)
  }
}
