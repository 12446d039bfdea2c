internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("The image of a profile (R-CHAT-14, R-MYM-29)") struct AvatarTests {
  /// What stands in the addresses.
  private func address(_ profile: MediaService.Profile) throws -> String {
    let url = try #require(profile.avatar?.urls["128"])
    return String(try #require(url.split(separator: "/").last?.prefix { $0 != "?" }))
  }

  @Test("A profile image is kept as a square in every size, for its owner and for everyone with its address")
  func sizes()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    #expect(try await service.profile(of: .alice).avatar == nil)
    let photo = try await library.add("camera-roll/IMG_0001.jpg")
    let crop = PixelRect(x: 10, y: 20, width: 300, height: 200)
    let profile = try await service.setAvatar("\(photo.rawValue)", crop: crop, for: .alice)
    #expect(profile.avatar?.attachment == "\(photo.rawValue)")
    #expect(profile.avatar?.crop == crop)
    #expect(Set(profile.avatar?.urls.keys.map { $0 } ?? []) == ["64", "128", "256", "512"])
    #expect(try await service.profile(of: .alice).avatar == profile.avatar)
    let address = try address(profile)
    for size in MediaService.avatarSizes {
      let image = try await service.avatar(of: .alice, size: size)
      #expect(try await service.engine.probe(.bytes(image.bytes)).displaySize == PixelSize(width: size, height: size))
      #expect(try await service.avatar(at: address, size: size, for: .bob).bytes == image.bytes)
    }
    for size in [0, 65, 1_024] {
      #expect(await AttachmentLibrary.code { _ = try await service.avatar(of: .alice, size: size) } == .invalidRequest)
    }
    let nobody = Caller(owner: "eve", scope: [])
    #expect(await AttachmentLibrary.code { _ = try await service.avatar(at: address, for: nobody) } == .forbidden)
  }

  @Test("another image or another part has a new address, and the old one with its bytes is erased") func replaced()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let photo = try await library.add("camera-roll/IMG_0001.jpg")
    let other = try await library.add("camera-roll/IMG_0003.jpg")
    let first = try await service.setAvatar("\(photo.rawValue)", for: .alice)
    let bytes = try await service.avatar(of: .alice, size: 512).bytes
    let part = Array(bytes.dropFirst(100).prefix(60))
    #expect(try !library.folder.files(containing: part).isEmpty)
    // The same choice is the same image.
    #expect(try await service.setAvatar("\(photo.rawValue)", for: .alice).avatar == first.avatar)
    let crop = PixelRect(x: 0, y: 0, width: 100, height: 100)
    let cropped = try await service.setAvatar("\(photo.rawValue)", crop: crop, for: .alice)
    let replaced = try await service.setAvatar("\(other.rawValue)", for: .alice)
    #expect(Set(try [first, cropped, replaced].map(address)).count == 3)
    for old in [first, cropped] {
      let address = try address(old)
      #expect(await AttachmentLibrary.code { _ = try await service.avatar(at: address, for: .bob) } == .notFound)
    }
    _ = try await service.avatar(at: try address(replaced), for: .bob)
    await service.sweepErasures()
    #expect(try library.folder.files(containing: part) == [])
  }

  @Test("removed, erased and blocked images are not found at any address; the attachment stays when it is removed")
  func removed() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    func isFound(_ address: String) async -> [Bool] {
      [
        await AttachmentLibrary.code { _ = try await service.avatar(at: address, for: .bob) } == nil,
        await AttachmentLibrary.code { _ = try await service.avatar(of: .alice) } == nil,
      ]
    }
    func set() async throws -> (FileID, String) {
      let photo = try await library.add("camera-roll/IMG_0001.jpg")
      return (photo, try address(try await service.setAvatar("\(photo.rawValue)", for: .alice)))
    }
    let (photo, first) = try await set()
    _ = try await service.block(photo, reason: "test", by: .moderator)
    #expect(await isFound(first) == [false, false])
    _ = try await service.release(photo, by: .moderator)
    #expect(await isFound(first) == [true, true])
    try await service.removeAvatar(of: .alice)
    try await service.removeAvatar(of: .alice)
    #expect(await isFound(first) == [false, false])
    #expect(try await service.profile(of: .alice).avatar == nil)
    _ = try await service.original(photo, for: .caller(.alice))
    let second = try address(try await service.setAvatar("\(photo.rawValue)", for: .alice))
    _ = try await service.erase(photo, for: .alice)
    #expect(await isFound(second) == [false, false])
    let (_, third) = try await set()
    _ = try await service.eraseOwner(for: .alice)
    #expect(await isFound(third) == [false, false])
    #expect(try await service.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM profile_image") } == 0)
  }

  @Test("what is no image of the caller sets none: another's, a text, a part that is not inside") func refused()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let bobs = try await library.add("camera-roll/IMG_0001.jpg", owner: "bob")
    let card = try await library.add("camera-roll/ada.vcf")
    let photo = try await library.add("camera-roll/IMG_0003.jpg")
    for id in ["\(bobs.rawValue)", "999999", "x"] {
      #expect(await AttachmentLibrary.code { _ = try await service.setAvatar(id, for: .alice) } == .notFound)
    }
    #expect(
      await AttachmentLibrary.code { _ = try await service.setAvatar("\(card.rawValue)", for: .alice) } == .unavailable)
    let outside = PixelRect(x: 0, y: 0, width: 99_999, height: 1)
    #expect(
      await AttachmentLibrary.code {
        _ = try await service.setAvatar("\(photo.rawValue)", crop: outside, for: .alice)
      } == .invalidRequest)
    #expect(try await service.profile(of: .alice).avatar == nil)
  }
}
