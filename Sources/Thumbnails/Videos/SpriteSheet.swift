internal import CMediaShims
internal import CVips
internal import MediaModel

/// The sprite sheet of a storyboard, filled tile by tile. All tiles have the aspect ratio of the first.
struct SpriteSheet: ~Copyable {
  private let frames: Int
  /// Maximum number of pixels.
  private let limit: Int
  private var grid: Grid?
  /// RGBA pixels of the whole strip, row by row.
  private var pixels: [UInt8] = []
  private var count = 0

  private struct Grid {
    let tile: PixelSize
    let columns: Int
    let rows: Int

    var size: PixelSize { PixelSize(width: columns * tile.width, height: rows * tile.height) }

    func place(_ index: Int) -> PixelRect {
      PixelRect(
        x: index % columns * tile.width, y: index / columns * tile.height, width: tile.width, height: tile.height)
    }
  }

  init(frames: Int, pixels limit: Int) {
    self.frames = frames
    self.limit = limit
  }

  /// Appends a tile. If the frame size of the video changes, the tile keeps the shape of the first.
  mutating func append(_ image: borrowing Image) throws(MediaFailure) {
    let grid = if let grid = self.grid { grid } else { try begin(image.size) }
    guard grid.tile == image.size else { return repeatLast() }
    let tile = try image.rgba(convertingProfile: false)
    // Missing tiles before the first one repeat it.
    let first = self.grid == nil ? 0 : count
    self.grid = grid
    for index in first...count { copy(tile, to: grid.place(index), stride: grid.size.width) }
    count += 1
  }

  /// Repeats the previous tile.
  mutating func repeatLast() {
    defer { count += 1 }
    guard let grid, count > 0 else { return }
    let (last, place) = (grid.place(count - 1), grid.place(count))
    let (tile, width) = (grid.tile, grid.size.width)
    pixels.withUnsafeMutableBytes { strip in
      for row in 0..<tile.height {
        let from = UnsafeRawBufferPointer(strip)[rowOf: last, row, of: width]
        strip[rowOf: place, row, of: width].copyMemory(from: from)
      }
    }
  }

  /// The rectangles of the tiles.
  borrowing func places() throws(MediaFailure) -> [PixelRect] {
    guard let grid else { throw MediaFailure(.corrupt, "No frame of the video can be decoded.") }
    return (0..<frames).map(grid.place)
  }

  /// The tiles as one image.
  consuming func image() throws(MediaFailure) -> Image {
    guard let grid, let copy = g_try_malloc(UInt(pixels.count)) else { throw .outOfMemory() }
    pixels.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count) }
    pixels = []
    return try Image.make {
      mediatool_vips_from_rgba(
        copy, CInt(grid.size.width), CInt(grid.size.height), CInt(grid.size.height), nil, $0, $1)
    }
  }

  /// Allocates the strip once the tile size is known.
  private mutating func begin(_ tile: PixelSize) throws(MediaFailure) -> Grid {
    let columns = max(1, min(frames, RenditionRequest.longestSide / tile.width))
    let grid = Grid(tile: tile, columns: columns, rows: (frames + columns - 1) / columns)
    guard tile.width <= RenditionRequest.longestSide, grid.size.height <= RenditionRequest.longestSide,
      grid.size.pixelCount <= limit
    else {
      throw MediaFailure(
        .invalidRequest,
        "\(frames) frames of \(HumanNumbers.dimensions(tile.width, tile.height)) pixels do not fit into one storyboard image; request fewer."
      )
    }
    pixels = [UInt8](repeating: 0, count: grid.size.pixelCount * 4)
    return grid
  }

  private mutating func copy(_ tile: [UInt8], to place: PixelRect, stride: Int) {
    let origin = PixelRect(x: 0, y: 0, width: place.width, height: place.height)
    pixels.withUnsafeMutableBytes { strip in
      tile.withUnsafeBytes { tile in
        for row in 0..<place.height {
          strip[rowOf: place, row, of: stride].copyMemory(from: tile[rowOf: origin, row, of: place.width])
        }
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of one row of a part of an RGBA image with this many columns.
  fileprivate subscript(rowOf part: PixelRect, row: Int, of columns: Int) -> UnsafeRawBufferPointer {
    let start = ((part.y + row) * columns + part.x) * 4
    return UnsafeRawBufferPointer(rebasing: self[start..<start + part.width * 4])
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate subscript(rowOf part: PixelRect, row: Int, of columns: Int) -> UnsafeMutableRawBufferPointer {
    let start = ((part.y + row) * columns + part.x) * 4
    return UnsafeMutableRawBufferPointer(rebasing: self[start..<start + part.width * 4])
  }
}
