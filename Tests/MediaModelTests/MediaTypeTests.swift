internal import Foundation
internal import Testing

@testable internal import MediaModel

@Suite struct MediaTypeTests {
  @Test("Every row of the table of types is well-formed")
  func everyRowOfTheTableIsWellFormed() {
    let names = MediaType.table.map(\.0)
    #expect(Set(names).count == names.count, "a name stands twice")
    for (name, _, extensions) in MediaType.table {
      #expect(name == name.lowercased())
      #expect(name.split(separator: "/", omittingEmptySubsequences: false).count == 2, "\(name)")
      #expect(!name.contains { $0.isWhitespace }, "\(name)")
      #expect(!name.contains(";"), "\(name)")
      let list = extensions.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      #expect(!list.isEmpty, "\(name)")
      #expect(list.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() && !$0.contains(".") }, "\(name)")
      #expect(Set(list).count == list.count, "\(name) has an extension twice")
    }
  }

  @Test("Each extension of a type leads back to the type, in any case")
  func thePreferredExtensionMapsBackToTheType() throws {
    for name in MediaType.known.keys {
      let type = MediaType(name)
      let usual = try #require(type.preferredExtension, "\(name)")
      #expect(type.extensions.first == usual)
      for known in type.extensions {
        #expect(MediaType.types(forExtension: known).contains(type), "\(name) .\(known)")
        #expect(MediaType.types(forExtension: known.uppercased()).contains(type), "\(name) .\(known)")
      }
    }
  }

  @Test("Every type found by an extension lists that extension") func typesOfExtension() {
    for (name, types) in MediaType.byExtension {
      #expect(!types.isEmpty)
      #expect(Set(types).count == types.count)
      for type in types { #expect(type.extensions.contains(name)) }
    }
    #expect(MediaType.types(forExtension: "") == [])
    #expect(MediaType.types(forExtension: ".jpg") == [])
    #expect(MediaType.types(forExtension: "nosuch") == [])
  }

  /// The kind of a known type of one of the four top levels is that level, with these exceptions.
  @Test("The kind of a type follows its top level, except for contacts")
  func kindsFollowTheTopLevel() {
    for (name, entry) in MediaType.known {
      let expected: MediaKind? =
        switch MediaType(name).topLevel {
        case "image": .image
        case "video": .video
        case "audio": .audio
        case "text": name == "text/vcard" ? .contact : .text
        default: nil
        }
      if let expected { #expect(entry.kind == expected, "\(name)") }
    }
  }

  @Test(
    "A type outside the table has the kind of its top level",
    arguments: [
      ("image/x-unheard-of", .image), ("video/x-unheard-of", .video), ("audio/x-unheard-of", .audio),
      ("text/x-swift", .text),
      ("application/x-unheard-of", .other), ("font/woff2", .other), ("", .other), ("image", .image), ("/", .other),
      ("text/vcard", .contact), ("application/pdf", .document), ("application/json", .text),
      ("application/zip", .archive),
      ("application/octet-stream", .other),
    ] as [(String, MediaKind)])
  func aTypeOutsideTheTableHasTheKindOfItsTopLevel(name: String, kind: MediaKind) {
    #expect(MediaType(name).kind == kind)
  }

  @Test(
    "Older names of contact and calendar types map to the registered ones",
    arguments: [
      ("text/x-vCard", "text/vcard", .contact, .contact), ("text/directory", "text/vcard", .contact, .contact),
      ("application/vcard", "text/vcard", .contact, .contact), ("text/vcard", "text/vcard", .contact, .contact),
      ("text/x-vCalendar", "text/calendar", .text, .calendar), ("application/ics", "text/calendar", .text, .calendar),
      ("text/calendar", "text/calendar", .text, .calendar), ("text/plain", "text/plain", .text, .text),
    ] as [(String, String, MediaKind, MediaIcon)])
  func olderNames(name: String, registered: String, kind: MediaKind, icon: MediaIcon) {
    let type = MediaType(name)
    #expect(type.registered == MediaType(registered))
    #expect(type.kind == kind)
    #expect(type.preferredExtension == MediaType(registered).preferredExtension)
    #expect(MediaIcon(info: MediaInfo(type: type, bytes: 1)) == icon)
    // A name leads to one type, the registered one.
    for known in type.extensions {
      #expect(!MediaType.types(forExtension: known).contains(type) || type == type.registered)
    }
  }

  @Test("A type outside the table has no extension")
  func aTypeOutsideTheTableHasNoExtension() {
    #expect(MediaType("image/x-unheard-of").preferredExtension == nil)
    #expect(MediaType("image/x-unheard-of").extensions == [])
  }

  @Test("Names of types are compared without case")
  func namesAreComparedWithoutCase() {
    #expect(MediaType("Image/JPEG") == .jpeg)
    #expect(MediaType(rawValue: "IMAGE/JPEG").preferredExtension == "jpg")
    #expect(MediaType("Image/JPEG").description == "image/jpeg")
  }

  @Test("The constants for types are in the table")
  func theConstantsAreInTheTable() {
    for type in [
      MediaType.octetStream, .plainText, .jpeg, .png, .gif, .webp, .heic, .heif, .avif, .tiff, .bmp, .svg, .jxl, .pdf,
    ] { #expect(MediaType.known[type.rawValue] != nil, "\(type)") }
  }

  @Test("A media type is a string in JSON") func json() throws {
    let json = try JSONEncoder().encode([MediaType.jpeg])
    #expect(try JSONDecoder().decode([String].self, from: json) == ["image/jpeg"])
    #expect(try JSONDecoder().decode([MediaType].self, from: Data(#"["IMAGE/PNG"]"#.utf8)) == [.png])
  }

  @Test("The kinds have the names of the JSON")
  func theKindsMatchTheJSON() {
    #expect(
      MediaKind.allCases.map(\.rawValue)
        == ["image", "video", "audio", "document", "contact", "text", "archive", "other"])
  }
}
