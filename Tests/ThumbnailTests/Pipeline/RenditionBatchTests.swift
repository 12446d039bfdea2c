internal import MediaModel
internal import Testing

@testable internal import Thumbnails

@Suite struct RenditionBatchTests {
  private func batches(
    type: MediaType = .gif, frames: Int, size: PixelSize = PixelSize(width: 100, height: 100), animated: [Bool],
    limits: MediaLimits = MediaLimits()
  ) throws -> [RenditionBatch] {
    var info = MediaInfo(type: type, bytes: 1_000)
    info.width = size.width
    info.height = size.height
    info.frames = frames
    info.animated = frames > 1
    let requests = animated.map { animated in
      var request = RenditionRequest(name: "x", box: PixelSize(width: 50, height: 50))
      request.animated = animated
      return request
    }
    let origin = try ImageOrigin(info: info, requests: requests, draft: false)
    return RenditionBatch.batches(of: requests, info: info, origin: origin, limits: limits)
  }

  @Test func `Stills share one decode and animations another`() throws {
    let found = try batches(frames: 10, animated: [false, true, false])
    #expect(found == [RenditionBatch(indices: [0, 2]), RenditionBatch(indices: [1], frames: 10)])
  }

  @Test func `A still image is never an animation`() throws {
    #expect(try batches(frames: 1, animated: [true]) == [RenditionBatch(indices: [0])])
  }

  @Test func `A vector image is rendered for each size`() throws {
    #expect(try batches(type: .svg, frames: 1, animated: [false, false]).map(\.indices) == [[0], [1]])
  }

  @Test func `An animation over the limit becomes a still with an error`() throws {
    let tooMany = try batches(frames: 1_001, animated: [true])
    #expect(tooMany.map(\.frames) == [1])
    #expect(tooMany.first?.shortfall?.code == .tooManyFrames)
    let tooLarge = try batches(frames: 900, size: PixelSize(width: 1_000, height: 1_000), animated: [true])
    #expect(tooLarge.first?.shortfall?.code == .tooManyPixels)
    let absurd = try batches(frames: 900, size: PixelSize(width: .max, height: 2), animated: [true])
    #expect(absurd.first?.shortfall?.code == .tooManyPixels)
  }
}
