internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Thumbnails

/// Makes files for a test, renders them, and has other tools look at what came out.
struct Studio {
  let folder: TemporaryFolder
  let vips: Tool
  let ffmpeg: Tool

  init() throws {
    folder = try TemporaryFolder()
    vips = try Tool("vips", package: "libvips-tools")
    ffmpeg = try Tool("ffmpeg", package: "ffmpeg")
  }

  /// Writes pixels as a file of any format that libvips writes; options as libvips takes them: `photo.jpg[Q=90]`.
  func file(_ name: String, of pixels: PixelBuffer) throws -> String {
    let raw = folder.path("pixels-\(UUID().uuidString).v")
    try Data(pixels.vips).write(to: URL(fileURLWithPath: raw))
    try check(vips.run(["copy", raw, folder.path(name)]))
    return folder.path(String(name.prefix { $0 != "[" }))
  }

  /// Pixels of an image file as libvips decodes them.
  func pixels(of path: String) throws -> PixelBuffer {
    let decoded = folder.path("decoded-\(UUID().uuidString).v")
    try check(vips.run(["colourspace", path, decoded, "srgb"]))
    defer { try? FileManager.default.removeItem(atPath: decoded) }
    return try PixelBuffer(vips: [UInt8](Data(contentsOf: URL(fileURLWithPath: decoded))))
  }

  /// Pixels of a rendition.
  func pixels(of rendition: Rendition) throws -> PixelBuffer { try pixels(of: write(rendition)) }

  /// The rendition as a file.
  func write(_ rendition: Rendition) throws -> String {
    let path = folder.path("\(UUID().uuidString).\(rendition.type.preferredExtension ?? "bin")")
    try Data(rendition.data).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Everything that comes of a file.
  func render(
    _ path: String, _ requests: [RenditionRequest], options: Thumbnailer.Options = Thumbnailer.Options()
  ) throws -> ThumbnailResult {
    let input = try MediaInput(path: path)
    let info = MediaProber().facts(of: input)
    return Thumbnailer(options: Self.patient(options)).render(input, info: info, requests: requests)
  }

  /// The options with deadlines that a slow machine meets too, where a test has set none.
  private static func patient(_ options: Thumbnailer.Options) -> Thumbnailer.Options {
    let (usual, far) = (MediaLimits(), 600.0)
    var options = options
    if options.limits.renderSeconds == usual.renderSeconds { options.limits.renderSeconds = far }
    if options.limits.posterSeconds == usual.posterSeconds { options.limits.posterSeconds = far }
    return options
  }

  /// Everything that comes of a file with those facts.
  func render(_ path: String, info: MediaInfo, _ requests: [RenditionRequest]) throws -> ThumbnailResult {
    let input = try MediaInput(path: path)
    var info = info
    info.bytes = input.size
    return Thumbnailer(options: Self.patient(Thumbnailer.Options())).render(input, info: info, requests: requests)
  }

  /// What `vipsthumbnail` makes of it, before any lossy encoding.
  func vipsthumbnail(_ path: String, side: Int) throws -> PixelBuffer {
    let out = folder.path("vipsthumbnail-\(UUID().uuidString).png")
    let tool = try Tool("vipsthumbnail", package: "libvips-tools")
    // No --export-profile: untagged pixels would go through Lab and back, and come out up to five levels off.
    try check(tool.run([path, "-s", "\(side)x\(side)>", "-o", out + "[strip]"]))
    return try pixels(of: out)
  }

  @discardableResult
  func check(_ output: Tool.Output) throws -> Tool.Output {
    guard output.status == 0 else {
      throw Tool.Failure.failed(name: "tool", status: output.status, errors: output.errors)
    }
    return output
  }
}

extension RenditionRequest {
  /// A square box, PNG by default: pixels before any lossy encoding.
  static func box(_ side: Int, _ format: Format = .png, fit: Fit = .contain) -> RenditionRequest {
    var request = RenditionRequest(name: "\(side)", box: PixelSize(width: side, height: side), fit: fit)
    request.format = format
    return request
  }
}
