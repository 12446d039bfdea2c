package import MediaModel

/// How large an honest result of a job can be, so that an engine refuses a larger one before it is received.
package struct ResultBounds: Hashable, Sendable {
  /// Bytes of the JSON, or of the facts in its place.
  package let text: Int
  /// Bytes of all images and of a transcoded file.
  package let bytes: Int

  /// Adds up what each requested image, storyboard and transcoded file can have at most.
  package init(of job: MediaJob) {
    guard job.images != nil || job.transcoding != nil else {
      (text, bytes) = (Self.factsLength, 0)
      return
    }
    var text = Self.resultLength
    var bytes = 0
    if let images = job.images {
      for request in images.requests {
        // A name is escaped in JSON, at most six bytes for one.
        text = Self.sum(text, 512 + 6 * request.name.utf8.count)
        bytes = Self.sum(bytes, Self.bytes(of: request, limits: images.options.limits))
      }
      text = Self.sum(text, 32 * images.maxPeaks)
      if images.storyboardFrames != nil {
        text = Self.sum(text, 256 * images.maxTiles)
        bytes = Self.sum(bytes, Self.bytes(.webp, blocks: images.maxStripPixels, frames: 1))
      }
    }
    if let request = job.transcoding {
      bytes = Self.sum(bytes, max(0, min(request.maxBytes, TranscodeRequest.maxBytesLimit)))
    }
    self.text = min(text, FrameHeader.Kind.result.longestText)
    self.bytes = min(bytes, FrameHeader.Kind.result.maxBytes)
  }

  /// The most bytes of a rendition of the largest size that the request allows.
  package static func bytes(of request: RenditionRequest, limits: MediaLimits) -> Int {
    let sides = request.longestSides
    let pixels = bytes(
      request.format.resolved, width: sides.width, height: sides.height, frames: request.maxFrames(limits))
    if case .maxBytes(let budget) = request.encoding { return max(0, min(budget, pixels)) }
    return pixels
  }

  /// The most bytes that an encoder writes for so many pixels: twice what it needs for noise at its best quality, and 64 KiB for headers, a
  /// profile and tables.
  ///
  /// Measured with libvips 8.14 on noise: JPEG 4.0 bytes a pixel, WebP 3.6 (lossless), PNG 3.8, AVIF 5.0.
  package static func bytes(_ format: RenditionRequest.Format, width: Int, height: Int, frames: Int) -> Int {
    // Encoders work in blocks of up to 64 pixels a side (AV1); PNG has a byte in front of each row.
    let side = format == .png ? 1 : format == .avif ? 64 : 16
    let (pixels, isTooMuch) = blocks(width, side).multipliedReportingOverflow(by: blocks(height, side))
    return isTooMuch ? FrameHeader.Kind.result.maxBytes : bytes(format, blocks: pixels, frames: frames)
  }

  /// The same for the pixels of whole blocks.
  private static func bytes(_ format: RenditionRequest.Format, blocks: Int, frames: Int) -> Int {
    let (pixels, isTooLong) = blocks.multipliedReportingOverflow(by: max(1, frames))
    let (bytes, isTooMuch) = pixels.multipliedReportingOverflow(by: format == .avif ? 10 : 8)
    return isTooLong || isTooMuch ? FrameHeader.Kind.result.maxBytes : sum(bytes, 65_536)
  }

  /// A side rounded up to whole blocks.
  private static func blocks(_ side: Int, _ block: Int) -> Int {
    let side = max(1, min(side, 1 << 30))
    return (side + block - 1) / block * block
  }

  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  /// Ten texts of 8 KiB, three sentences and the numbers.
  private static let factsLength = 131_072
  /// The same in JSON, where a byte may take six, with the failures of each part.
  private static let resultLength = 1_048_576
}

extension RenditionRequest {
  /// The largest sides that a rendition can have.
  package var longestSides: PixelSize {
    PixelSize(
      width: max(1, min(box.width, Self.longestSide)), height: max(1, min(box.height, Self.longestSide)))
  }

  /// The most frames that a rendition can have.
  package func maxFrames(_ limits: MediaLimits) -> Int { animated ? max(1, min(limits.frames, 1_000_000)) : 1 }
}

extension MediaJob.Images {
  /// The box of each tile of a storyboard.
  package static let storyboardBox = PixelSize(width: 160, height: 160)

  /// The most values that a waveform can have.
  package var maxPeaks: Int { max(0, min(options.peaks, ThumbnailOptions.maxPeaks)) }

  /// The most tiles that a storyboard can have.
  package var maxTiles: Int { max(0, min(storyboardFrames ?? 0, Storyboard.maxFrames)) }

  /// The most pixels of a storyboard: its last row may be nearly empty.
  package var maxStripPixels: Int { 2 * maxTiles * Self.storyboardBox.width * Self.storyboardBox.height }
}
