internal import FileSupport
internal import MediaEngine
internal import MediaModel

/// Writes shards to a prefix of an S3 bucket.
struct ShardBucket: ShardStore {
  /// As the user named it: `s3://bucket/prefix`.
  let path: PathBytes
  private let folder: any RemoteFolder

  /// - Throws: ``Fault`` if it cannot be the name of one, or if URLs cannot be reached here.
  init(path: PathBytes) throws(Fault) {
    let found: (any RemoteReader)? = RemoteReaders.reader.withLock { $0 }
    let reader = found ?? MissingRemoteReader(reason: "--in-process cannot read or write a bucket; omit it")
    var name = path.bytes
    while name.last == PathBytes.slash, name.count > 5 { name.removeLast() }
    self.path = PathBytes(name)
    do throws(MediaFailure) { folder = try reader.folder(path.text) } catch {
      throw Fault(.usage, "\(DisplayText.visible(path)): \(error.explanation)")
    }
  }

  /// Whether a name is that of objects in a bucket.
  static func isNamed(by path: PathBytes) -> Bool {
    String(decoding: path.bytes.prefix(5), as: UTF8.self).lowercased() == "s3://"
  }

  /// The source of the object with this name below ``path``, in the form of ``object(_:)``.
  func object(named name: String) -> [UInt8] { Self.object(path) + [PathBytes.slash] + Array(name.utf8) }

  /// The name of an object as the source of a request has it, with its scheme in lower case.
  static func object(_ path: PathBytes) -> [UInt8] { Array("s3://".utf8) + path.bytes.dropFirst(5) }

  var shown: String { DisplayText.visible(path) }

  func look(at name: String) throws -> (bytes: Int, stamp: String?)? {
    guard let object = try folder.look(at: name) else { return nil }
    return (object.bytes, object.etag)
  }

  func read(_ name: String, _ body: ([UInt8]) throws -> Bool) throws -> Bool { try folder.read(name, body) }

  /// Each request waits for the service most of its time.
  var readers: Int { 32 }

  func contents() throws -> ShardContents {
    var contents = ShardContents()
    try folder.list { name, bytes, etag in
      if name.hasSuffix(ShardName.statisticsSuffix) {
        contents.statistics.append(name)
      } else if let bytes, let etag, ShardName.isFile(name) {
        contents.files[name] = ShardContents.File(bytes: bytes, stamp: etag)
      }
    }
    return contents
  }

  func begin(_ name: String) throws -> any ShardFile {
    BucketFile(upload: try folder.upload(to: name), name: shown(name))
  }

  func write(_ bytes: [UInt8], to name: String) throws { try folder.write(bytes, to: name) }

  func remove(_ name: String) throws { try folder.remove(name) }
}

/// An object that appears when it is complete.
private final class BucketFile: ShardFile {
  private let upload: any RemoteUpload
  private let name: String

  init(upload: any RemoteUpload, name: String) { (self.upload, self.name) = (upload, name) }

  func append(_ bytes: [UInt8]) throws { try upload.append(bytes) }

  func commit() throws -> String? { try upload.commit() }

  func abandon() {
    guard !upload.abandon() else { return }
    Diagnostics.say(
      "an incomplete upload of \(name) remains in the bucket; a lifecycle rule (AbortIncompleteMultipartUpload) removes it"
    )
  }
}

extension MediaFailure {
  /// The message with its detail.
  var explanation: String { detail.map { "\(message) \($0)" } ?? message }
}
