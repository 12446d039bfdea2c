internal import Foundation

/// The photos that are measured with, made once and kept.
struct PhotoSets {
  /// 100 different photos of 4032 × 3024 pixels and about 5 MB.
  let large: [String]
  /// The same 100 ten times under different names, without taking more space.
  let thousandLarge: [String]
  /// 1,000 photos of about 0.5 MB, each with a date of its own.
  let many: [String]

  /// Makes what is missing below `folder`; takes a minute or two the first time.
  init(folder: String, photoMaker: String) throws {
    large = try Self.make(
      "\(folder)/large", count: 100, variants: 100, width: 4_032, height: 3_024, photoMaker: photoMaker)
    many = try Self.make(
      "\(folder)/many", count: 1_000, variants: 20, width: 1_200, height: 900, photoMaker: photoMaker)
    thousandLarge = try Self.link(large, tenTimesBelow: "\(folder)/large-links")
  }

  private static func make(
    _ folder: String, count: Int, variants: Int, width: Int, height: Int, photoMaker: String
  ) throws -> [String] {
    let files = (0..<count).map { "\(folder)/IMG_\(String(repeating: "0", count: 4 - String($0).count))\($0).jpg" }
    if !FileManager.default.fileExists(atPath: folder) {
      FileHandle.standardError.write(Data("making \(count) photos of \(width) × \(height)\n".utf8))
      // Made beside and renamed, so that an interrupted run leaves nothing that looks finished.
      let beside = folder + ".new"
      let command = Command(
        arguments: [photoMaker, beside, String(count), String(variants), String(width), String(height)], folder: beside,
        files: count)
      _ = try command.run()
      try FileManager.default.moveItem(atPath: beside, toPath: folder)
    }
    return files
  }

  private static func link(_ files: [String], tenTimesBelow folder: String) throws -> [String] {
    try (0..<10).flatMap { copy in
      let target = "\(folder)/\(copy)"
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
      return try files.map { file in
        let link = "\(target)/\((file as NSString).lastPathComponent)"
        if !FileManager.default.fileExists(atPath: link) {
          try FileManager.default.linkItem(atPath: file, toPath: link)
        }
        return link
      }
    }
  }
}
