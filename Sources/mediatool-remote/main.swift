internal import FileSupport
internal import MediaEngine
internal import MediaModel
internal import MediatoolCommand
internal import RemoteSources

// The command with what reads URLs. `mediatool` becomes it when one is named.

/// What the command needs of a file.
extension RemoteFile: RemoteFileReading {}

/// What the command needs of an object that it writes.
extension S3Upload: RemoteUpload {}

/// The client, for the command.
struct ClientReader: RemoteReader {
  let client: RemoteClient

  func file(_ source: String, etag: String?, bytes: Int?) throws(MediaFailure) -> any RemoteFileReading {
    let file: RemoteFile = try client.file(source, etag: etag, bytes: bytes)
    return file
  }

  func folder(_ url: String) throws(MediaFailure) -> any RemoteFolder {
    BucketFolder(folder: try client.folder(url))
  }

  func cancel() { client.cancel() }
}

/// The objects of a bucket, for the command.
struct BucketFolder: RemoteFolder {
  let folder: S3Folder

  func look(at name: String) throws(MediaFailure) -> (bytes: Int, etag: String?)? { try folder.look(at: name) }

  func read(_ name: String, _ body: ([UInt8]) throws -> Bool) throws -> Bool { try folder.read(name, body) }

  func list(_ body: (_ name: String, _ bytes: Int?, _ etag: String?) -> Void) throws(MediaFailure) {
    try folder.list(body)
  }

  func remove(_ name: String) throws(MediaFailure) { try folder.remove(name) }

  func write(_ bytes: [UInt8], to name: String) throws(MediaFailure) {
    _ = try folder.write(bytes, to: name)
  }

  func upload(to name: String) throws(MediaFailure) -> any RemoteUpload { folder.upload(to: name) }
}

/// Makes the reader of a run from the command's options.
func makeReader(_ arguments: RemoteArguments) throws(MediaFailure) -> any RemoteReader {
  var settings = RemoteClient.Settings()
  for text in arguments.allowed {
    guard let pattern = RemoteClient.Pattern(text) else {
      throw MediaFailure(
        .invalidRequest,
        "--allow-source '\(text)' is invalid; allowed: a host, *.DOMAIN, an address, a block of addresses, s3://BUCKET/PREFIX."
      )
    }
    settings.allowed.append(pattern)
  }
  settings.allowsHTTP = arguments.allowsHTTP
  settings.endpoint = arguments.endpoint
  settings.region = arguments.region
  settings.seconds = arguments.seconds
  settings.style = arguments.style.flatMap(RemoteClient.Settings.Style.init)
  settings.keySource =
    switch arguments.credentials {
    case "instance": .instance
    case "container": .container
    case "none": .anonymous
    default: .automatic
    }
  return ClientReader(client: try RemoteClient(settings))
}

CommandProgram.run(decoders: nil) { (arguments) throws(MediaFailure) in try makeReader(arguments) }
