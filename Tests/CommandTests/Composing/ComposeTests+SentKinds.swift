internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// A location in every kind of file that a message can carry, besides those of the test of several files.
extension ComposeTests {
  private static let location = Array("GPS 48.2082 16.3738".utf8)

  /// Files of `testdata/formats`, with the arguments of exiftool that write a location into a copy.
  private static let written: [(String, [String])] = {
    let exif = [
      // Minor: a codestream of JPEG XL becomes a file with boxes.
      "-m", "-EXIF:GPSLatitude=48.2082", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=16.3738",
      "-EXIF:GPSLongitudeRef=E", "-XMP:GPSLatitude=48.2082",
    ]
    let xmp = ["-XMP:GPSLatitude=48.2082", "-XMP:GPSLongitude=16.3738"]
    let user = ["-XMP:GPSLatitude=48.2082", "-UserData:GPSCoordinates=48.2082, 16.3738"]
    return [
      ("picture.heic", exif), ("picture.avif", exif), ("lossy.webp", exif), ("interlaced.png", exif),
      ("picture.tif", exif), ("picture.jxl", exif), ("picture.gif", xmp), ("clip.mov", user), ("clip.3gp", user),
      ("tone.3gp", user),
    ]
  }()

  /// Sends one file in a message, and returns the file that the recipient gets.
  private func sent(_ file: PathBytes, in scratch: Scratch) throws -> PathBytes {
    let big = try scratch.file("big.json", #"{"name":"big","maxMessageBytes":9000000,"contentClass":"modern"}"#)
    let (out, parts) = (scratch("m.mms"), scratch("parts"))
    let composed = try Command.run(["compose", "--to", number, "--profile", big, file, "-o", out, "--json"])
    #expect(composed.status == 0, "\(composed.errors) \(composed.output)")
    #expect(try Command.run(["modules", out, "-o", parts, "--json"]).status == 0)
    let names = scratch.files(below: "parts")
    try #require(names.count == 1)
    return parts.appending(names[0].utf8)
  }

  /// Whether the bytes of a file have the location as text.
  private func hasLocation(_ file: PathBytes) throws -> Bool {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.text))
    return ["48.208", "16.373"].contains { bytes.range(of: Data($0.utf8)) != nil }
  }

  @Test(
    "D6.10: an image or video of any type is sent without the location that exiftool finds in it", arguments: written)
  func noLocationInImages(name: String, arguments: [String]) throws {
    let scratch = try Scratch()
    let exiftool = try Tool("exiftool", package: "libimage-exiftool-perl")
    let file = scratch(name)
    try FileManager.default.copyItem(atPath: Fixture.path("formats/\(name)"), toPath: file.text)
    _ = try exiftool.run(["-overwrite_original", "-q"] + arguments + [file.text])
    func reveals(_ file: PathBytes) throws -> Bool {
      let text = try exiftool.run(["-ee", "-a", "-u", "-G1", "-n", file.text]).text
      return ["48.2", "16.37"].contains { text.contains($0) }
    }
    #expect(try reveals(file), "the file has what is to be removed")
    let part = try sent(file, in: scratch)
    #expect(try !reveals(part))
    #expect(try !hasLocation(part))
  }

  @Test("D6.10: AMR, MIDI and iCalendar are sent without a location in their bytes, which exiftool does not read")
  func noLocationInBytes() throws {
    var track: [UInt8] = [0, 0xFF, 1, UInt8(Self.location.count)]
    track += Self.location
    track += [0, 0xFF, 0x2F, 0]
    var midi = try Fixture.bytes("formats/scale.mid")
    // Type 1, with one track more.
    (midi[9], midi[11]) = (1, midi[11] + 1)
    midi += Array("MTrk".utf8)
    midi += [0, 0, 0, UInt8(track.count)]
    midi += track
    let calendar = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:1", "DTSTAMP:20240101T000000Z",
      "DTSTART:20240101T120000Z", "SUMMARY:Lunch", "GEO:48.2082;16.3738", "END:VEVENT", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
    let files: [(String, [UInt8])] = [
      ("tone.amr", try Fixture.bytes("formats/tone.amr") + Self.location), ("scale.mid", midi),
      ("lunch.ics", Array(calendar.utf8)),
    ]
    for (name, bytes) in files {
      let scratch = try Scratch()
      try Data(bytes).write(to: URL(fileURLWithPath: scratch(name).text))
      #expect(try hasLocation(scratch(name)), "\(name)")
      #expect(try !hasLocation(sent(scratch(name), in: scratch)), "\(name)")
    }
  }

  /// A contact or calendar with an image, by the line before its base64 and the lines after it.
  private static let holders: [(name: String, head: String, end: String)] = [
    ("ada.vcf", "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Ada\r\nPHOTO;JPEG;ENCODING=BASE64:", "\r\n\r\nEND:VCARD\r\n"),
    ("ada.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nPHOTO;ENCODING=b;TYPE=JPEG:", "\r\nEND:VCARD\r\n"),
    ("ada.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nPHOTO:data:image/jpeg;base64,", "\r\nEND:VCARD\r\n"),
    (
      "lunch.ics",
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20240101T000000Z\r\n"
        + "ATTACH;FMTTYPE=image/jpeg;ENCODING=BASE64;VALUE=BINARY:", "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    ),
  ]

  @Test("D6.10: an image inside a contact or a calendar is sent without the location that exiftool finds in it")
  func noLocationInEmbeddedImages() throws {
    let exiftool = try Tool("exiftool", package: "libimage-exiftool-perl")
    let scratch = try Scratch()
    let photo = scratch("photo.jpg")
    try FileManager.default.copyItem(atPath: Fixture.path("color/grey.jpg"), toPath: photo.text)
    let written = ["-EXIF:GPSLatitude=48.2082", "-EXIF:GPSLatitudeRef=N", "-XMP:GPSLongitude=16.3738"]
    _ = try exiftool.run(["-overwrite_original", "-q"] + written + [photo.text])
    let base64 = try Data(contentsOf: URL(fileURLWithPath: photo.text)).base64EncodedString(
      options: [.lineLength64Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
    for (name, head, end) in Self.holders {
      let scratch = try Scratch()
      let text = head + base64.replacingOccurrences(of: "\r\n", with: "\r\n ") + end
      try Data(text.utf8).write(to: URL(fileURLWithPath: scratch(name).text))
      /// What exiftool finds in the image of a contact or calendar.
      func facts(_ file: PathBytes) throws -> String {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file.text)), as: UTF8.self)
        let unfolded = text.replacingOccurrences(of: "\r\n ", with: "")
        let line = try #require(
          unfolded.split(separator: "\r\n").first { $0.hasPrefix("PHOTO") || $0.hasPrefix("ATTACH") })
        let data = try #require(line.split { ":,".contains($0) }.last.flatMap { Data(base64Encoded: String($0)) })
        let image = scratch("image.jpg")
        try data.write(to: URL(fileURLWithPath: image.text))
        return try exiftool.run(["-ee", "-a", "-u", "-G1", "-n", image.text]).text
      }
      let before = try facts(scratch(name))
      #expect(before.contains("48.2"), "\(head): the file has what is to be removed")
      #expect(before.contains("16.37"), "\(head): the file has what is to be removed")
      let after = try facts(try sent(scratch(name), in: scratch))
      #expect(after.contains("ImageWidth") || after.contains("Image Width"), "\(head): the image is still there")
      #expect(!after.contains("48.2"), "\(head): \(after)")
      #expect(!after.contains("16.37"), "\(head): \(after)")
    }
  }
}
