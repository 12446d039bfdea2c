/// Camera raw files without their raw data: everything that a header reader looks at.
enum VendorRaw {
  /// EXIF of a camera: make, model, orientation, time and location.
  static func exif(_ make: String, width: Int = 6_000, height: Int = 4_000) -> TIFFFixture {
    var tiff = TIFFFixture(directories: [[]])
    tiff.directories = [
      [
        tiff.short(256, width), tiff.short(257, height), tiff.text(0x010F, make), tiff.text(0x0110, "Model 1"),
        tiff.short(0x0112, 8),
      ]
    ]
    tiff.children = [(0x8769, time(tiff)), (0x8825, location(tiff))]
    return tiff
  }

  private static func time(_ tiff: TIFFFixture) -> [TIFFFixture.Entry] {
    [tiff.text(0x9003, "2018:07:25 16:34:23"), tiff.text(0x9011, "+02:00")]
  }

  private static func location(_ tiff: TIFFFixture) -> [TIFFFixture.Entry] {
    [
      tiff.text(1, "N"), tiff.rational(2, (39, 1), (30, 1), (0, 1)), tiff.text(3, "W"),
      tiff.rational(4, (108, 1), (15, 1), (0, 1)),
    ]
  }

  static let thumbnail = JPEGFixture(size: (160, 120)).encoded
  static let preview = JPEGFixture(size: (1_620, 1_080)).encoded
  static let full = JPEGFixture(size: (6_000, 4_000)).encoded

  /// Canon CR3: the directories of EXIF and GPS are structures of their own.
  /// - Parameter hasTrack: Whether the JPEG in full size is there.
  static func cr3(hasTrack: Bool = true) -> [UInt8] {
    var main = exif("Maker")
    let (date, place) = (main.children[0].entries, main.children[1].entries)
    main.children = []
    let metadata: [UInt8] = [
      0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    let previews: [UInt8] = [
      0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
    ]
    let canon = box(
      "uuid", metadata, box("CNCV", ascii("CanonCR3_001/00.09.00/00.00.00")), box("CMT1", main.encoded),
      box("CMT2", TIFFFixture(directories: [date]).encoded), box("CMT3", TIFFFixture(directories: [date]).encoded),
      box("CMT4", TIFFFixture(directories: [place]).encoded),
      fullBox("THMB", be16(160), be16(120), be32(thumbnail.count), be16(1), be16(0), thumbnail))
    func movie(_ offset: Int) -> [UInt8] {
      let table = box(
        "stbl", fullBox("stsz", be32(full.count), be32(1)), fullBox("co64", be32(1), be64(offset)))
      return box("moov", canon, hasTrack ? box("trak", box("mdia", box("minf", table))) : [])
    }
    let prvw = box(
      "PRVW", be32(0), be16(1), be16(1_620), be16(1_080), be16(1), be32(preview.count), preview)
    let head = joined(box("ftyp", ascii("crx "), be32(1), ascii("crx isom")))
    let rest = box("uuid", previews, be64(1), prvw)
    let offset = head.count + movie(0).count + rest.count + 8
    return joined(head, movie(offset), rest, box("mdat", full))
  }

  /// Fujifilm RAF.
  static func raf(hasSize: Bool = true) -> [UInt8] {
    let jpeg = JPEGFixture(size: (1_920, 1_280), segments: [JPEGFixture.exif(exif("Maker").encoded)]).encoded
    let size = joined(be16(0x0111), be16(4), be16(4_000), be16(6_000))
    let whole = joined(be16(0x0100), be16(4), be16(4_100), be16(6_100))
    let directory = hasSize ? joined(be32(3), be16(0x0130), be16(2), be16(7), whole, size) : be32(0)
    let start = 160
    var head = ascii("FUJIFILMCCD-RAW 0201FF129502X-T1")
    head += [UInt8](repeating: 0, count: 84 - head.count)
    head += joined(
      be32(start), be32(jpeg.count), be32(start + jpeg.count), be32(directory.count),
      be32(start + jpeg.count + directory.count), be32(16))
    head += [UInt8](repeating: 0, count: start - head.count)
    return joined(head, jpeg, directory, [UInt8](repeating: 1, count: 16))
  }

  /// Panasonic RW2.
  /// - Parameter hasTime: Whether the file's own EXIF has the time, or only that of its JPEG.
  static func rw2(hasTime: Bool = true) -> [UInt8] {
    let jpeg = JPEGFixture(size: (1_920, 1_440), segments: [JPEGFixture.exif(exif("Maker").encoded)]).encoded
    var tiff = TIFFFixture(directories: [[]], data: [UInt8](repeating: 1, count: 16))
    tiff.directories = [
      [
        tiff.long(0x0111, 0xFFFF_FFFF), tiff.long(0x0117, 16), tiff.long(0x0118, 0), tiff.bytes(1, ascii("0310")),
        tiff.short(2, 4_816), tiff.short(3, 3_464), tiff.short(4, 4), tiff.short(5, 8),
        tiff.short(6, 3_460), tiff.short(7, 4_616), tiff.bytes(0x2E, jpeg), tiff.text(0x010F, "Maker"),
        tiff.text(0x0110, "Model 1"), tiff.short(0x0112, 8),
      ]
    ]
    if hasTime { tiff.children = [(0x8769, time(tiff))] }
    tiff.directories[0][2] = tiff.long(0x0118, tiff.dataOffset)
    var bytes = tiff.encoded
    bytes[2] = 0x55
    return bytes
  }
}
