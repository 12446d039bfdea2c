/// The content of `NAME.stats.json`, which is written last: the shard is done if it is there and describes the files beside it.
struct ShardStatistics: Codable, Sendable {
  /// A file by its size and digest.
  struct File: Codable, Hashable, Sendable {
    /// The path of a list, as it was given; absent for files of the shard.
    var path: String?
    var bytes: Int
    /// In hexadecimal.
    var sha256: String
    /// What identifies this very file in its folder or bucket, and not a copy with the same bytes; absent if that is not known.
    var stamp: String?

    /// Whether both have the same bytes.
    func hasBytes(of other: File) -> Bool { (bytes, sha256) == (other.bytes, other.sha256) }
  }

  /// What was made of each file.
  struct Recipe: Codable, Hashable, Sendable {
    /// The digest of all options that change a result.
    var sha256: String
    /// The names of the images.
    var sizes: [String]
  }

  /// The programs that made it.
  struct Versions: Codable, Hashable, Sendable {
    var mediatool: String
    /// The libraries that decode and encode.
    var engine: String
  }

  var shard: String
  /// Inputs, each with a line in the results and a sample in the tar file.
  var inputs: Int
  var failed: Int
  /// Number of failures by code.
  var codes: [String: Int]
  /// Images in the tar file.
  var images: Int
  /// Duration of the run that made it.
  var seconds: Double
  /// Bytes that were fetched of remote sources; absent without any.
  var bytesRead: Int?
  /// Requests for remote sources; absent without any.
  var requests: Int?
  /// The list, or the tar file of inputs; absent for standard input.
  var list: File?
  var recipe: Recipe
  var tar: File
  /// Absent where the tar file was written to standard output.
  var results: File?
  var versions: Versions

  /// Whether both are of the same files, made of the same list with the same options.
  func describesSame(as other: ShardStatistics) -> Bool {
    guard (list?.sha256, recipe) == (other.list?.sha256, other.recipe), tar.hasBytes(of: other.tar) else {
      return false
    }
    if let results, let others = other.results { return results.hasBytes(of: others) }
    return results == nil && other.results == nil
  }
}
