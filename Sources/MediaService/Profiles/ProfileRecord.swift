internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import MediaModel

/// The row of a profile's image.
struct ProfileRecord: Hashable, Sendable {
  /// The attachment.
  var file: FileID
  /// The part of it, in upright pixels.
  var crop: PixelRect?
  /// What stands in its addresses: 128 random bits in 32 hexadecimal digits, so that nobody finds one who was not given it.
  var address: String

  /// An image in one size.
  struct Image: Sendable {
    var owner: String
    var file: FileID
    var bytes: [UInt8]
    var type: MediaType
  }

  static func newAddress() -> String {
    Hexadecimal.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
  }

  /// What its owner sees of it.
  var choice: MediaService.Profile.Choice {
    let sizes = MediaService.avatarSizes.map { ("\($0)", "/v1/avatars/\(address)?size=\($0)") }
    return MediaService.Profile.Choice(
      attachment: "\(file.rawValue)", crop: crop, urls: Dictionary(sizes) { first, _ in first })
  }

  static func fetch(of owner: String, _ db: Database) throws -> ProfileRecord? {
    try Row.fetchOne(db, sql: "SELECT avatar, crop, address FROM profile WHERE owner = ?", arguments: [owner])
      .map { row in
        let numbers = (row[1] as String?)?.split(separator: ",").compactMap { Int($0) } ?? []
        let crop =
          numbers.count == 4
          ? PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]) : nil
        return ProfileRecord(file: FileID(rawValue: row[0]), crop: crop, address: row[2])
      }
  }

  func insert(of owner: String, _ images: [Int: Rendition], _ db: Database) throws {
    let text = crop.map { "\($0.x),\($0.y),\($0.width),\($0.height)" }
    try db.execute(
      sql: "INSERT INTO profile (owner, avatar, crop, address) VALUES (?, ?, ?, ?)",
      arguments: [owner, file.rawValue, text, address])
    for (size, image) in images {
      try db.execute(
        sql: "INSERT INTO profile_image (owner, size, image, type) VALUES (?, ?, ?, ?)",
        arguments: [owner, size, Data(image.data), image.type.rawValue])
    }
  }

  /// Erases the image of a profile in all sizes, with its address.
  static func remove(of owner: String, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM profile WHERE owner = ?", arguments: [owner])
    guard db.changesCount > 0 else { return }
    // Cells of removed rows may still be readable in the file: the next sweep rewrites it.
    try ErasureCount.begin(db)
    try ErasureCount.end(1, db)
  }

  static func image(of owner: String, size: Int, _ db: Database) throws -> Image? {
    try image("profile.owner = ?", [owner, size], db)
  }

  static func image(at address: String, size: Int, _ db: Database) throws -> Image? {
    try image("profile.address = ?", [address, size], db)
  }

  private static func image(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws -> Image? {
    let sql = """
      SELECT profile.owner, profile.avatar, profile_image.image, profile_image.type
      FROM profile CROSS JOIN profile_image ON profile_image.owner = profile.owner
      WHERE \(condition) AND profile_image.size = ?
      """
    return try Row.fetchOne(db, sql: sql, arguments: arguments).map { row in
      Image(
        owner: row[0], file: FileID(rawValue: row[1]), bytes: [UInt8](row[2] as Data),
        type: MediaType(row[3] as String))
    }
  }
}
