internal import CMediaShims
internal import CVips
internal import MediaModel
internal import MediaProbe

/// Renders a waveform for each box. It fills the box, whatever the fit.
struct WaveformRenderer {
  /// Maximum pixels of a waveform: 64 MiB of RGBA, far above any thumbnail.
  private static let largest = 16_777_216

  let envelope: AudioEnvelope
  let requests: [RenditionRequest]
  let options: Thumbnailer.Options
  let deadline: Deadline

  func render() throws(MediaFailure) -> ThumbnailResult {
    var writer = RenditionWriter(requests: requests, from: .waveform, options: options, deadline: deadline)
    for index in requests.indices {
      try deadline.check()
      try writer.write(tile(requests[index].box), for: index)
    }
    return writer.result()
  }

  private func tile(_ size: PixelSize) throws(MediaFailure) -> Image {
    guard size.pixelCount <= Self.largest else {
      throw MediaFailure(
        .tooManyPixels,
        "The waveform would have \(size.pixelCount.grouped) pixels; the limit is \(Self.largest.grouped).")
    }
    let count = size.pixelCount * 4
    guard let memory = g_try_malloc(UInt(count)) else {
      throw .outOfMemory()
    }
    let tile = WaveformImage(size: size)
    let pixels = UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count)
    tile.paint(envelope.peaks(tile.barCount), into: pixels)
    return try Image.make {
      // Takes ownership of the memory in any case.
      mediatool_vips_from_rgba(memory, CInt(size.width), CInt(size.height), CInt(size.height), nil, $0, $1)
    }
  }
}
