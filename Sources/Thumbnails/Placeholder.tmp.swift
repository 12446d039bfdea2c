internal import MediaModel

enum PlaceholderMaker { static func placeholder(rgba: [UInt8], size: PixelSize) -> Placeholder? { nil } }
