internal import ArgumentParser
internal import Foundation
internal import Glibc

/// `mediatool serve`: the HTTP service. This verb has the options and their help; the service is a program of its own (docs/decisions/0110).
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve uploads, attachments, thumbnails, drafts and the tray over HTTP.",
    discussion: """
      Without --keys the server is for one person on this machine: it listens on 127.0.0.1 and refuses requests that name \
      another host or come from pages of other sites. With --keys each request needs a bearer token (a JWT), and the server may \
      listen on any address. /openapi.json describes the interface. /healthz, /readyz \
      and /metrics are for operators.

      Each option is also a variable, MEDIATOOL_LISTEN for --listen, and a key of the file that --config names, as in \
      {"listen": "127.0.0.1:8080", "ownerBytes": 5000000000}. Options come before variables, and variables before the file. \
      MEDIATOOL_KEYS_JSON has the content of a key file and MEDIATOOL_ACCESS_TOKEN the token for --access-url; with _FILE at its end \
      such a variable names a file instead, as Docker and Kubernetes mount secrets.

      SIGTERM and SIGINT stop the server gracefully: running requests end, and uploads can be resumed.

      EXAMPLES
        mediatool serve
        mediatool serve --listen 127.0.0.1:9000 --library /srv/media
        mediatool serve --listen 0.0.0.0:8080 --keys /etc/mediatool/keys.json
        mediatool serve --config /etc/mediatool/serve.json --print-config

      EXIT STATUS
        0    stopped by a signal
        64   an option, a variable or the file is invalid, or there are no
             keys and the address is not of this machine
        70   the server cannot run
      """)

  @Option(
    help: ArgumentHelp(
      "Listen on this address: a port alone is on 127.0.0.1, and :PORT is on all addresses. (default: 127.0.0.1:8080)",
      valueName: "host:port"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "Use the library in this folder. (default: $XDG_DATA_HOME/mediatool, or ~/.local/share/mediatool)",
      valueName: "dir"),
    completion: .directory)
  var library: String?

  @Option(
    help: ArgumentHelp(
      "Apply these rules to uploads: a preset, or a JSON file. (default: photo-tray)", valueName: "preset|file"))
  var policy: String?

  @Option(
    help: ArgumentHelp("Read the keys of tokens and addresses from this JSON file.", valueName: "file"),
    completion: .file())
  var keys: String?

  @Option(
    help: ArgumentHelp(
      "Ask this address whether somebody may read another's attachment, with the token in MEDIATOOL_ACCESS_TOKEN.",
      valueName: "url"))
  var accessUrl: String?

  @Option(help: ArgumentHelp("Without --keys, act for this owner. (default: me)", valueName: "name"))
  var owner: String?

  @Option(help: ArgumentHelp("Accept this name of the server in Host. May be given several times.", valueName: "name"))
  var hosts: [String] = []

  @Option(
    help: ArgumentHelp(
      "Let pages of this origin use the server from a browser. May be given several times.", valueName: "origin"))
  var origins: [String] = []

  @Option(help: ArgumentHelp("Serve HTTPS with this certificate chain in PEM.", valueName: "file"), completion: .file())
  var tlsCertificate: String?

  @Option(help: ArgumentHelp("The key of the certificate in PEM.", valueName: "file"), completion: .file())
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "Send uploads their address before they are complete (104): auto (with --tls-certificate alone), on, or off. (default: auto)",
      valueName: "when"))
  var interimResponses: String?

  @Option(help: ArgumentHelp("Decode this many files at a time. (default: one per core)", valueName: "n"))
  var workers: Int?

  @Flag(help: "Run even if the kernel lacks Landlock or seccomp.")
  var allowWeakerIsolation = false

  @OptionGroup(title: "Limits") var limits: Limits

  @Option(
    help: ArgumentHelp(
      "Log this and what is worse: trace, debug, info, notice, warning, error. (default: info)", valueName: "level"))
  var logLevel: String?

  @Option(help: ArgumentHelp("Read settings from this JSON file.", valueName: "file"), completion: .file())
  var config: String?

  @Flag(help: "Print the settings as JSON, without secrets, and exit.")
  var printConfig = false

  struct Limits: ParsableArguments {
    @Option(help: ArgumentHelp("Originals of one owner. (default: 10000000000)", valueName: "bytes"))
    var ownerBytes: Int?

    @Option(help: ArgumentHelp("Files of one owner. (default: 100000)", valueName: "n"))
    var ownerFiles: Int?

    @Option(help: ArgumentHelp("Unfinished uploads of one owner. (default: 32)", valueName: "n"))
    var openUploads: Int?

    @Option(help: ArgumentHelp("Keep this much of the disk free. (default: 1000000000)", valueName: "bytes"))
    var freeBytes: Int?

    @Option(help: ArgumentHelp("Connections at a time. (default: 10000)", valueName: "n"))
    var maxConnections: Int?

    @Option(help: ArgumentHelp("Requests at a time. (default: 256)", valueName: "n"))
    var maxRequests: Int?

    @Option(help: ArgumentHelp("Uploads at a time. (default: 256)", valueName: "n"))
    var maxUploads: Int?

    @Option(help: ArgumentHelp("Event streams at a time. (default: 1000)", valueName: "n"))
    var maxStreams: Int?

    @Option(
      help: ArgumentHelp(
        "Compose messages and make modules and profile images for at most this many requests at a time. (default: 16)",
        valueName: "n"))
    var maxWork: Int?

    @Option(help: ArgumentHelp("Of these, process at most this many of one owner. (default: 4)", valueName: "n"))
    var maxWorkPerOwner: Int?

    @Option(help: ArgumentHelp("Requests of one owner per second. (default: 100)", valueName: "n"))
    var rate: Double?

    @Option(help: ArgumentHelp("Requests of one owner at once. (default: 1000)", valueName: "n"))
    var burst: Double?

    @Option(
      help: ArgumentHelp("On SIGTERM, say at /readyz for this long that the server stops. (default: 0)", valueName: "s")
    )
    var drainSeconds: Double?

    @Option(help: ArgumentHelp("On SIGTERM, close what is left after this time. (default: 30)", valueName: "s"))
    var shutdownSeconds: Double?
  }

  func run() throws {
    let program = try Self.program()
    execv(program, CommandLine.unsafeArgv)
    throw Fault(.software, "cannot run \(program): \(String(cString: strerror(errno)))")
  }

  /// The path of the server program: beside this one, or in `../libexec/mediatool/`.
  private static func program() throws(Fault) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
    let places = ["mediatool-server", "../libexec/mediatool/mediatool-server"]
      .map { folder.appendingPathComponent($0).standardizedFileURL.path }
    guard let found = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      throw Fault(.software, "mediatool-server is not at \(places.joined(separator: " or ")); install it there")
    }
    return found
  }
}
