internal import AttachmentPolicy
internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// Uploads that carry a preview of themselves which shows something else: testdata/previews is red, with green previews.
@Suite("Forged previews of uploads") struct ForgedPreviewTests {
  private static let files = Fixture.all(in: "previews/").map(\.path)

  @Test("D6.30: the placeholder and every rendition of an upload show its image, never the preview that it carries")
  func image() async throws {
    let kit = try await UploadKit.open { $0.rules = AttachmentRules() }
    #expect(Self.files.count > 15)
    for path in Self.files {
      let bytes = try Fixture.bytes(path)
      let name = String(path.dropFirst("previews/".count))
      let added = try await kit.service.attach(
        Pieces(bytes), length: bytes.count, claims: Upload.Claims(name: name, digest: UploadKit.sha256(bytes)),
        for: UploadKit.ada)
      #expect(added.failure == nil, "\(path)")
      #expect(added.placeholder?.color.isColor(near: [208, 32, 32]) == true, "\(path)")
      for size in ["grid", "view", "message"] {
        let request = try #require(MediaService.RenditionName(named: size, format: .webp))
        let rendition = try await kit.service.rendition(request, of: added.id, for: .caller(UploadKit.ada))
        let again = try await kit.service.engine.preview(
          .bytes(rendition.bytes), MediaPreview.Request(renditions: []), domain: .owner("ada"))
        let color = try #require(again.thumbnails.placeholder?.color)
        #expect(color.isColor(near: [208, 32, 32]), "\(path), \(size): \(color)")
      }
    }
  }
}
