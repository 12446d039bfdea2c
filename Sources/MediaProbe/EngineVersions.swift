internal import CLibAV
internal import CMagic
package import MediaModel

extension MediaProber {
  /// Versions of the libraries that probe files: libmagic and FFmpeg.
  package static var engineVersions: [EngineVersion] {
    let magic = magic_version()
    let release = av_version_info().map { String(cString: $0) }
    return [
      EngineVersion(name: "libmagic", version: "\(magic / 100).\(magic % 100)"),
      release.map { EngineVersion(name: "FFmpeg", version: $0) },
      EngineVersion(name: "libavformat", version: libAV(avformat_version())),
      EngineVersion(name: "libavcodec", version: libAV(avcodec_version())),
      EngineVersion(name: "libswscale", version: libAV(swscale_version())),
      EngineVersion(name: "libavutil", version: libAV(avutil_version())),
    ].compactMap { $0 }
  }

  /// The video and audio containers, and whether FFmpeg was built with a demuxer for each.
  package static var containerSupport: [FormatSupport] {
    Demuxers.table.map { FormatSupport(name: $0.format, reads: av_find_input_format($0.demuxer) != nil) }
  }

  /// `AV_VERSION_INT`: major, minor and micro in 16, 8 and 8 bits.
  private static func libAV(_ version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)"
  }
}
