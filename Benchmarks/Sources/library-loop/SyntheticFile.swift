internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaModel

/// Files of a camera roll that was never taken: the same on every machine.
enum SyntheticFile {
  /// A number that looks random, of a file and of what it is wanted for.
  private static func mixed(_ number: Int, _ purpose: UInt64) -> Int {
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ purpose &* 0xD1B5_4A32_D192_ED03
    state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (state ^ state >> 31) >> 1)
  }

  /// Three in ten at one of twenty homes, five in ten within some kilometres of one of a thousand spots, two anywhere.
  static func location(_ number: Int) -> (latitude: Double, longitude: Double) {
    func anywhere(_ number: Int, _ purpose: UInt64) -> (latitude: Double, longitude: Double) {
      (
        Double(mixed(number, purpose) % 120_000) / 1_000 - 50,
        Double(mixed(number, purpose + 1) % 360_000) / 1_000 - 180
      )
    }
    switch mixed(number, 1) % 10 {
    case 0...2: return anywhere(mixed(number, 2) % 20, 10)
    case 3...7:
      let spot = anywhere(mixed(number, 3) % 1_000, 20)
      let (up, right) = (Double(mixed(number, 4) % 10_000), Double(mixed(number, 5) % 10_000))
      return (spot.latitude + up / 2e5, min(180, spot.longitude + right / 2e5))
    default: return anywhere(number, 30)
    }
  }

  static func stamp(_ number: Int) -> FileStamp {
    let path = "/home/somebody/Pictures/\(number / 1_000)/IMG_\(100_000 + number).jpg"
    return FileStamp(
      path: PathBytes(path), device: 2_049, inode: UInt64(number + 1_000),
      size: 3_000_000 + Int64(mixed(number, 6) % 1_000_000),
      modified: 1_700_000_000_000_000_000 + Int64(number), changed: 1_800_000_000_000_000_000)
  }

  static func change(_ number: Int) -> CatalogueChange {
    var info = MediaInfo(type: number % 9 == 0 ? MediaType("video/mp4") : .jpeg, bytes: 3_000_000)
    (info.width, info.height, info.make, info.model) = (4_032, 3_024, "Maker", "Model of a camera")
    info.takenAt = MediaInfo.CaptureTime(secondsSince1970: 1_200_000_000 + mixed(number, 7) % 500_000_000)
    info.takenAtSource = .exif
    (info.latitude, info.longitude) = location(number)
    let placeholder = Placeholder(
      thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI", blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj", color: "#a08060")
    return .done(
      stamp(number), FileResult(info: info, placeholder: placeholder, engine: "mediatool 1.0", recipe: "grid,message"))
  }

  /// A screen of 1920 × 1080 pixels round the place of a file.
  static func view(_ number: Int, zoom: Int) -> LocationMap.Bounds {
    let middle = location(number * 7_919)
    let degrees = 360 / (256 * pow(2, Double(zoom)))
    let (across, down) = (min(180, degrees * 960), min(180, degrees * 540 * cos(middle.latitude * .pi / 180)))
    func wrapped(_ longitude: Double) -> Double {
      longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }
    let isWhole = across >= 180
    return LocationMap.Bounds(
      south: max(-90, middle.latitude - down), west: isWhole ? -180 : wrapped(middle.longitude - across),
      north: min(90, middle.latitude + down), east: isWhole ? 180 : wrapped(middle.longitude + across)) ?? .world
  }
}
