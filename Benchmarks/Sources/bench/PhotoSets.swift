internal import Foundation

/// The photos that are measured with.
struct PhotoSets {
  /// 100 different photos of 4032 × 3024 pixels and about 5 MB.
  let large: [String]
  /// The same 100 ten times under different names, without taking more space.
  let thousandLarge: [String]
  /// 1,000 photos of about 0.5 MB, each with a date of its own.
  let many: [String]

  let largeSet: InputSet
  let thousandLargeSet: InputSet
  let manySet: InputSet

  init(folder: String, photoMaker: String) {
    func photos(_ name: String, count: Int, variants: Int, width: Int, height: Int) -> InputSet {
      InputSet(path: "\(folder)/\(name)") { beside in
        let numbers = [count, variants, width, height].map(String.init)
        _ = try Command(arguments: [photoMaker, beside] + numbers, folder: beside, files: count).run()
      }
    }
    func names(_ count: Int) -> [String] {
      (0..<count).map { "IMG_\(String(repeating: "0", count: 4 - String($0).count))\($0).jpg" }
    }
    let largeSet = photos("large", count: 100, variants: 100, width: 4_032, height: 3_024)
    manySet = photos("many", count: 1_000, variants: 20, width: 1_200, height: 900)
    let linksSet = InputSet(path: "\(folder)/large-links", needs: [largeSet]) { beside in
      for copy in 0..<10 {
        try FileManager.default.createDirectory(atPath: "\(beside)/\(copy)", withIntermediateDirectories: true)
        for name in names(100) {
          try FileManager.default.linkItem(atPath: "\(largeSet.path)/\(name)", toPath: "\(beside)/\(copy)/\(name)")
        }
      }
    }
    self.largeSet = largeSet
    thousandLargeSet = linksSet
    large = names(100).map { "\(largeSet.path)/\($0)" }
    many = names(1_000).map { "\(folder)/many/\($0)" }
    thousandLarge = (0..<10).flatMap { copy in names(100).map { "\(linksSet.path)/\(copy)/\($0)" } }
  }
}
