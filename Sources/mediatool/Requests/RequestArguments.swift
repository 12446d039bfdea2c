internal import ArgumentParser
internal import MediaModel

/// `--size`: a named size, `256`, or `256x192`.
struct SizeArgument: CheckedArgument {
  let request: RenditionRequest

  init?(argument: String) {
    if let named = RenditionRequest.named(argument) {
      request = named
      return
    }
    // Rebuilt from the numbers, so that 0256 and 256 are one size with one name.
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map {
      Number.whole($0, in: 1...RenditionRequest.longestSide)
    }
    switch (sides.count, sides.first ?? nil, sides.last ?? nil) {
    case (1, let side?, _): request = RenditionRequest(name: "\(side)", box: PixelSize(width: side, height: side))
    case (2, let width?, let height?):
      request = RenditionRequest(name: "\(width)x\(height)", box: PixelSize(width: width, height: height))
    default: return nil
    }
  }

  static var names: [String] { RenditionRequest.named.map(\.name) }

  static var allowed: String {
    names.joined(separator: ", ")
      + ", or pixels as N or WxH with each side 1 to \(RenditionRequest.longestSide.grouped)"
  }
}

/// `--fit`: whether the whole image is scaled to the box, or fills it.
enum FitArgument: String, ExpressibleByArgument, CaseIterable {
  case contain, cover
}

/// `--format`. Not the model's enum as for the other options, because `automatic` is called `auto` here.
enum FormatArgument: String, ExpressibleByArgument, CaseIterable {
  case auto, webp, jpeg, png, avif

  var value: RenditionRequest.Format {
    switch self {
    case .auto: .automatic
    case .webp: .webp
    case .jpeg: .jpeg
    case .png: .png
    case .avif: .avif
    }
  }
}

/// `--crop`: `X,Y,W,H`.
struct CropArgument: CheckedArgument {
  let rect: PixelRect

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Number.whole($0, in: 0...Number.largest) }
    guard numbers.count == 4, argument.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 3 else { return nil }
    rect = PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    guard rect.width > 0, rect.height > 0 else { return nil }
  }

  static var allowed: String { "X,Y,W,H in whole pixels, with W and H above 0" }
}

/// `--max-bytes`: `300000`, `300k`, `1M`, `64Ki`.
struct ByteCountArgument: CheckedArgument {
  let bytes: Int

  init?(argument: String) {
    var number = argument[...]
    if number.last == "B" { number = number.dropLast() }
    // A k is 1,000: for an upper bound the smaller reading is the safe one.
    let units: [(suffix: String, factor: Int)] = [
      ("Ki", 1_024), ("Mi", 1_048_576), ("k", 1_000), ("K", 1_000), ("M", 1_000_000), ("", 1),
    ]
    guard let unit = units.first(where: { number.hasSuffix($0.suffix) }),
      let value = Number.whole(number.dropLast(unit.suffix.count), in: 1...1_000_000_000)
    else { return nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: unit.factor)
    guard !overflow else { return nil }
    bytes = product
  }

  static var allowed: String { "a whole number above 0, optionally followed by k, M, Ki or Mi" }
}

/// `--background`: `#rrggbb`.
struct ColorArgument: CheckedArgument {
  let color: RenditionRequest.Color

  init?(argument: String) {
    let digits = argument.hasPrefix("#") ? argument.dropFirst() : argument[...]
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
      return nil
    }
    color = RenditionRequest.Color(
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }

  static var allowed: String { "a color as #rrggbb in hexadecimal" }
}
