internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

@Suite struct ContactTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  private func render(_ card: String) throws -> ThumbnailResult {
    let input = try MediaInput(bytes: Array(card.utf8))
    return Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: [.box(48)])
  }

  @Test(arguments: ["pages/photo-2.1.vcf", "pages/photo-3.0.vcf", "pages/photo-4.0.vcf"])
  func `The image of a contact is its photo`(name: String) throws {
    let result = try studio.render(Fixture.path(name), [.box(48)])
    #expect(result.error == nil)
    #expect(result.icon == nil)
    #expect(result.placeholder != nil)
    let rendition = try #require(result.renditions.first)
    #expect(rendition.width == 48)
    #expect(rendition.height == 48)
    #expect(rendition.from == .embedded)
    // Sky above, hills below.
    let photo = try studio.pixels(of: rendition)
    #expect(photo[24, 4][2] > photo[24, 4][0])
    #expect(photo[24, 44][2] < photo[24, 44][1])
  }

  @Test func `A contact without a photo has an icon and no error`() throws {
    for card in ["BEGIN:VCARD\nFN:Ada\nEND:VCARD\n", "BEGIN:VCARD\nFN:Ada\nPHOTO:\nEND:VCARD\n"] {
      let result = try render(card)
      #expect(result.error == nil)
      #expect(result.renditions.isEmpty)
      #expect(result.icon == .contact)
    }
  }

  @Test(arguments: ["AAAA", "JVBERi0xLjQK", "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjxn"])
  func `A corrupt photo gives an error and an icon`(base64: String) throws {
    let result = try render("BEGIN:VCARD\nFN:Ada\nPHOTO;ENCODING=b:\(base64)\nEND:VCARD\n")
    #expect(result.error?.code == .corrupt)
    #expect(result.renditions.isEmpty)
    #expect(result.icon == .contact)
  }

  /// A pipe that nobody writes to: whoever opens it to read waits for ever.
  @Test(arguments: ["PHOTO;VALUE=uri:file://", "PHOTO;VALUE=URL;TYPE=JPEG:file://", "PHOTO:file://", "PHOTO:"])
  func `A linked photo is not fetched`(property: String) throws {
    let pipe = studio.folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let result = try render("BEGIN:VCARD\nVERSION:4.0\nFN:Ada\n\(property)\(pipe)\nEND:VCARD\n")
    #expect(result.renditions.isEmpty)
    #expect(result.icon == .contact)
  }

  @Test func `The limits apply to the photo`() throws {
    var options = Thumbnailer.Options()
    options.limits.pixels = 96 * 96 - 1
    let result = try studio.render(Fixture.path("pages/photo-3.0.vcf"), [.box(48)], options: options)
    #expect(result.error?.code == .tooManyPixels)
    #expect(result.icon == .contact)
  }
}
