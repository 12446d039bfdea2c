internal import FileSupport
internal import MediaEngine
internal import MediaModel
internal import MediatoolCommand
internal import RemoteSources

// The command with what reads URLs. `mediatool` becomes it when one is named.

/// What the command needs of a file.
extension RemoteFile: RemoteFileReading {}

/// The client, for the command.
struct ClientReader: RemoteReader {
  let client: RemoteClient

  func file(_ source: String, etag: String?, bytes: Int?) throws(MediaFailure) -> any RemoteFileReading {
    let file: RemoteFile = try client.file(source, etag: etag, bytes: bytes)
    return file
  }
}

/// Makes the reader of a run from the command's options.
func makeReader(_ arguments: RemoteArguments) throws(MediaFailure) -> any RemoteReader {
  var settings = RemoteSettings()
  for text in arguments.allowed {
    guard let pattern = SourcePattern(text) else {
      throw MediaFailure(
        .invalidRequest,
        "--allow-source is invalid; allowed: a host, *.DOMAIN, an address, a block of addresses, s3://BUCKET/PREFIX.")
    }
    settings.allowed.append(pattern)
  }
  settings.allowsHTTP = arguments.allowsHTTP
  settings.endpoint = arguments.endpoint
  settings.region = arguments.region
  settings.style = arguments.style.flatMap(RemoteSettings.Style.init)
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
