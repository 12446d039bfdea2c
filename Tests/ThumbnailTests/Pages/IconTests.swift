internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

@Suite struct IconTests {
  private func render(_ path: String, _ requests: [RenditionRequest] = [.box(32)]) throws -> ThumbnailResult {
    let input = try MediaInput(path: path)
    return Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: requests)
  }

  @Test(arguments: [
    ("formats/utf8.txt", MediaIcon.text), ("formats/page.html", .text), ("formats/table.csv", .spreadsheet),
    ("formats/sums.xlsx", .spreadsheet), ("formats/talk.pptx", .presentation), ("formats/letter.docx", .document),
    ("formats/open.odp", .presentation), ("formats/lunch.ics", .calendar), ("formats/archive.zip", .archive),
    ("formats/two.vcf", .contact), ("formats/scale.mid", .audio),
  ])
  func `Files without an image have an icon and no error`(name: String, icon: MediaIcon) throws {
    let result = try render(Fixture.path(name))
    #expect(result.icon == icon)
    #expect(result.error == nil)
    #expect(result.renditions.isEmpty)
  }

  @Test func `A failure comes with an icon`() throws {
    let input = try MediaInput(bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xD9])
    let result = Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: [.box(32)])
    #expect(result.error != nil)
    #expect(result.icon == .image)
    #expect(try render(Fixture.path("broken/empty.jpg")).icon == .file)
  }

  @Test func `An image comes without an icon`() throws {
    #expect(try render(Fixture.path("formats/picture.jpg")).icon == nil)
    #expect(try render(Fixture.path("formats/picture.jpg"), []).icon == nil, "the placeholder was made")
    #expect(try render(Fixture.path("broken/truncated.jpg")).icon == nil)
    var options = Thumbnailer.Options()
    options.placeholder = false
    let input = try MediaInput(path: Fixture.path("formats/picture.jpg"))
    let nothing = Thumbnailer(options: options).render(input, info: MediaProber().facts(of: input), requests: [])
    #expect(nothing.icon == nil, "nothing was asked for")
    #expect(nothing.error == nil, "nothing was asked for")
  }
}
