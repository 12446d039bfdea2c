internal import MediaModel
internal import MediaProbe
internal import Thumbnails

/// Facts and thumbnails of any bytes.
@_cdecl("mediatool_fuzz_thumbnail")
public func fuzzThumbnail(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  guard let input = try? MediaInput(bytes: [UInt8](UnsafeBufferPointer(start: bytes, count: count))) else { return }
  let info = MediaProber().facts(of: input)
  var thumbnailer = Thumbnailer()
  // Large images take long without finding more.
  thumbnailer.options.limits.pixels = 1_000_000
  let small = RenditionRequest(name: "small", box: PixelSize(width: 64, height: 48), fit: .cover(.centre))
  _ = thumbnailer.render(input, info: info, requests: [small])
}
