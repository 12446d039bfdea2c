internal import TestSupport

/// exiftool, a reader of metadata that is not ours.
enum ExifTool {
  /// What it finds of locations in a file, also in embedded ones.
  static func locations(_ bytes: [UInt8], _ name: String, in folder: TemporaryFolder) throws -> String {
    let path = try folder.write(bytes, to: name)
    let found = try Tool("exiftool", package: "libimage-exiftool-perl").output([
      "-a", "-u", "-ee", "-G1", "-s", "-gps*", "-*location*", "-*coordinate*", "-xmp:all", path,
    ])
    return String(decoding: found, as: UTF8.self)
  }
}
