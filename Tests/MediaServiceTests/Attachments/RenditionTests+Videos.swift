internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediaService

extension RenditionTests {
  @Test("A poster is the frame at a position of the video, and of no other file")
  func poster() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let video = try await library.add("camera-roll/VID_0008.mp4")
    let image = try await library.add("camera-roll/IMG_0001.jpg")
    #expect(try await service.poster(of: video, at: 0, accepting: [.webp], for: .caller(.alice)).type == .webp)
    #expect(try await service.poster(of: video, for: .caller(.alice)).type == .jpeg)
    let code = { (id: FileID, second: Int) in
      await AttachmentLibrary.code { _ = try await service.poster(of: id, at: second, for: .caller(.alice)) }
    }
    #expect(await code(video, 100_000) == .invalidRequest)
    #expect(await code(video, -1) == .invalidRequest)
    #expect(await code(image, 0) == .unavailable)
  }

  @Test("A storyboard is an index that refers to the signed URL of its image; both are made once")
  func storyboard() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/VID_0008.mp4")
    let index = try await service.storyboard(of: id, for: .caller(.alice))
    let text = String(decoding: index.bytes, as: UTF8.self)
    #expect(text.hasPrefix("WEBVTT\n\n"))
    #expect(index.type.rawValue == "text/vtt")
    let address = service.address(of: .storyboardImage, of: id, generation: 0)
    let relative = try #require(address.split(separator: "/").last)
    #expect(text.contains("\n\(relative)#xywh=0,0,"))
    let image = try await service.storyboardImage(of: id, for: .caller(.alice))
    #expect(image.type == .webp)
    let names = try await service.library.catalogue.renditions(of: id).map(\.name).sorted()
    #expect(names == ["storyboard.vtt", "storyboard.webp"])
    #expect(try await service.storyboard(of: id, for: .caller(.alice)) == index)
  }

  @Test("A waveform is a hundred peaks of an audio file, and of no other file")
  func waveform() async throws {
    struct Waveform: Decodable { let peaks: [Double] }
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/Voice 001.m4a")
    let made = try await service.waveform(of: id, for: .caller(.alice))
    let peaks = try JSONDecoder().decode(Waveform.self, from: Data(made.bytes)).peaks
    #expect(peaks.count == 100)
    #expect(peaks.allSatisfy { (0...1).contains($0) })
    #expect(try await service.waveform(of: id, for: .caller(.alice)) == made)
    let image = try await library.add("camera-roll/IMG_0001.jpg")
    #expect(
      await AttachmentLibrary.code { _ = try await service.waveform(of: image, for: .caller(.alice)) } == .unavailable)
  }
}
