public import Foundation

/// A file of testdata/ with what its register says about it.
public struct Fixture: Decodable, Sendable, CustomStringConvertible {
  /// Path inside testdata/, which is its name.
  public let path: String
  /// What the file is there to prove.
  public let proves: String
  /// How it is made.
  public let made: String
  /// Facts known by construction, by the keys of `mediatool probe`; a null says that the key must be absent.
  public let facts: [String: JSONValue]?
  /// What the upright image in sRGB shows at some places.
  public let pixels: [Pixel]?

  /// One place of the upright sRGB image.
  public struct Pixel: Decodable, Sendable {
    /// Column and row as displayed.
    public let x, y: Int
    /// Red, green and blue, 0…255; nil where only the alpha is known.
    public let rgb: [Int]?
    /// 0…255; nil for opaque or unknown.
    public let alpha: Int?
    /// How far each channel may be off. Absent in the register: 2.
    public var tolerance: Int { allowed ?? 2 }

    private let allowed: Int?
    private enum CodingKeys: String, CodingKey {
      case x, y, rgb, alpha
      case allowed = "tolerance"
    }
  }

  /// testdata/ itself.
  public static let folder = Corpus.packageRoot.appendingPathComponent("testdata")

  /// Every file of the register, in its order; empty when it cannot be read, which a test notices.
  public static let all: [Fixture] = (try? read()) ?? []

  /// The register, or why it cannot be read.
  public static func read() throws -> [Fixture] {
    try JSONDecoder().decode([Fixture].self, from: Data(contentsOf: folder.appendingPathComponent("register.json")))
  }

  /// The absolute path of a file of testdata/ by its name in the register, such as `orientation/landscape-6.jpg`.
  public static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// The bytes of a file of testdata/.
  public static func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
  }

  /// The register's entry of that name.
  public static func named(_ name: String) -> Fixture? { all.first { $0.path == name } }

  /// Entries whose path begins so, such as `orientation/`.
  public static func all(in folder: String) -> [Fixture] { all.filter { $0.path.hasPrefix(folder) } }

  /// Where the file lies.
  public var absolutePath: String { Self.path(path) }

  /// The path, which names the case of a parameterised test.
  public var description: String { path }
}
