internal import ArgumentParser
internal import Glibc

/// `mediatool serve`: the HTTP service. This command has the options and their help; the service is a program of its own (docs/decisions/0110).
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve uploads, attachments, thumbnails, drafts and the photo tray over HTTP.",
    discussion: """
      Without --keys the server is for one person on this machine: it listens on 127.0.0.1 and refuses requests that name \
      another host or come from pages of other origins. With --keys each request needs a bearer token (a JWT), and the server may \
      listen on any address. /openapi.json describes the interface. /healthz, /readyz and /metrics are for administrators.

      Each option except --print-config is also an environment variable, MEDIATOOL_LISTEN for --listen, and, except --config, a key of the file that --config names, as in \
      {"listen": "127.0.0.1:8080", "ownerBytes": 5000000000}. An option overrides a variable, and a variable overrides the file. \
      Secrets can be given in MEDIATOOL_KEYS_JSON (the content of a key file), MEDIATOOL_ACCESS_TOKEN (the token for --access-url) and MEDIATOOL_REVIEW_TOKEN (for --review-url). \
      A variable with _FILE appended to its name names a file with the value instead, as Docker and Kubernetes mount secrets.

      SIGTERM and SIGINT stop the server gracefully: running requests are finished, and interrupted uploads can be resumed.

      EXAMPLES
        mediatool serve
        mediatool serve --listen 127.0.0.1:9000 --library /srv/media
        mediatool serve --listen 0.0.0.0:8080 --keys /etc/mediatool/keys.json
        mediatool serve --config /etc/mediatool/serve.json --print-config

      EXIT STATUS
        0    stopped by a signal
        64   an option, a variable or the --config file is invalid, or there are no
             keys and --listen is not a loopback address
        70   the server cannot run
      """)

  @Option(
    help: ArgumentHelp(
      "Listen on this address; a port alone means 127.0.0.1, and :PORT means all IPv4 addresses. (default: 127.0.0.1:8080)",
      valueName: "host:port"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "Use the library in this folder. (default: $XDG_DATA_HOME/mediatool, or ~/.local/share/mediatool, with thumbnails in $XDG_CACHE_HOME/mediatool, or ~/.cache/mediatool)",
      valueName: "dir"),
    completion: .directory)
  var library: String?

  @Option(
    help: ArgumentHelp(
      "Keep a copy (a backup) of originals and thumbnails in this folder, and add a snapshot of the catalogue once a day. Drafts, messages, labels, profile images and unfinished uploads are not in it: back up the library's folder for them. Erasures reach the copy.",
      valueName: "dir"),
    completion: .directory)
  var copy: String?

  @Flag(
    help:
      "Use the --copy folder as the copy of this library even if it is empty, has no library.json, or belongs to another library; that library's files are moved into the subfolder library-ID. Omit it at later starts, or an empty folder of a disk that is not mounted is used, too."
  )
  var adoptCopy = false

  @Option(
    help: ArgumentHelp(
      "Apply these rules to uploads: a preset, or a JSON file; see `mediatool help check`. (default: photo-tray)",
      valueName: "preset|file"),
    completion: PolicyArgument.completion)
  var policy: String?

  @Option(
    help: ArgumentHelp(
      "Read the keys that verify bearer tokens and sign URLs from this JSON file, and again when it changes; docs/keys.md has its format.",
      valueName: "file"),
    completion: .file())
  var keys: String?

  @Option(
    help: ArgumentHelp(
      "Ask this URL whether a user may read another owner's attachment (GET with subject, attachment, owner and right; 2xx allows, 401, 403 and 404 deny); sends the token in MEDIATOOL_ACCESS_TOKEN.",
      valueName: "url"))
  var accessUrl: String?

  @Option(
    help: ArgumentHelp(
      "Ask this URL whether an upload or a moment for others may be shown (POST of owner, name and facts as JSON; the response is a decision: allow, refuse or hold); without an answer within 5 s an upload is quarantined and a moment is held. Sends the token in MEDIATOOL_REVIEW_TOKEN.",
      valueName: "url"))
  var reviewUrl: String?

  @Option(
    help: ArgumentHelp(
      "Hide an attachment when this many users have reported it, until a moderator decides. (default: reports hide nothing)",
      valueName: "n"))
  var reportThreshold: Int?

  @Option(
    help: ArgumentHelp(
      "Have the clamd at unix:PATH or tcp:HOST:PORT scan files for malware before they are shown. Set AlertExceedsMax and AlertEncrypted to yes in clamd.conf. (default: files are not scanned)",
      valueName: "address"))
  var clamd: String?

  @Option(
    help: ArgumentHelp(
      "Do not scan files larger than this; --scan-policy applies to them. Set it to the smallest of MaxFileSize, MaxScanSize and, over TCP, StreamMaxLength in clamd.conf. (default: 104857600)",
      valueName: "bytes"))
  var clamdMaxBytes: Int?

  @Option(
    help: ArgumentHelp(
      "What to do with files that clamd cannot scan: hold them, so that only their owner sees them, until it can; refuse the uploads; or allow them. (default: hold)",
      valueName: "hold|refuse|allow"),
    completion: .list(["hold", "refuse", "allow"]))
  var scanPolicy: String?

  @Option(
    help: ArgumentHelp(
      "Keep the metadata of originals, strip it before they are stored and delivered, or refuse originals that have any; a file from which it cannot be removed is refused too. (default: keep)",
      valueName: "keep|strip|refuse"),
    completion: .list(["keep", "strip", "refuse"]))
  var originals: String?

  @Option(
    help: ArgumentHelp(
      "What to do with uploads that look like a blocked image: ignore the similarity; quarantine the upload until a moderator decides (hold); or refuse it. (default: ignore)",
      valueName: "ignore|hold|refuse"),
    completion: .list(["ignore", "hold", "refuse"]))
  var similarImages: String?

  @Option(
    help: ArgumentHelp(
      "Without --keys, store all files for this owner, a name of 1 to 255 bytes. (default: me)", valueName: "name"))
  var owner: String?

  @Option(help: ArgumentHelp("Accept requests whose Host header has this name. Repeatable.", valueName: "name"))
  var hosts: [String] = []

  @Option(
    help: ArgumentHelp(
      "Allow pages of this origin, such as https://app.example, to use the server (CORS). Repeatable.",
      valueName: "origin"))
  var origins: [String] = []

  @Option(
    help: ArgumentHelp(
      "The number of your proxies in front of the server, 0 to 16. The client is the address that the outermost one has written into X-Forwarded-For. (default: 0: the client is the address of the connection)",
      valueName: "n"))
  var trustedProxies: Int?

  @Option(
    help: ArgumentHelp(
      "Serve HTTPS with this certificate chain, in PEM; needs --tls-key. Both files are read again when they change.",
      valueName: "file"),
    completion: .file())
  var tlsCertificate: String?

  @Option(
    help: ArgumentHelp(
      "Use this private key of the certificate, in PEM without a passphrase; needs --tls-certificate.",
      valueName: "file"), completion: .file())
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "Send the URL of an upload in an interim response (104) before the upload is complete: auto (only with --tls-certificate), on, or off. (default: auto)",
      valueName: "when"),
    completion: .list(["auto", "on", "off"]))
  var interimResponses: String?

  @Option(
    help: ArgumentHelp("Decode this many files at once, 1 to 1024. (default: the number of cores)", valueName: "n"))
  var workers: Int?

  @Flag(help: "Run even if the kernel lacks Landlock or seccomp; by default, that is an error.")
  var allowWeakerIsolation = false

  @OptionGroup(title: "Limits") var limits: Limits

  @Option(
    help: ArgumentHelp(
      "Log messages of this level and above: trace, debug, info, notice, warning, error or critical. (default: info)",
      valueName: "level"),
    completion: .list(["trace", "debug", "info", "notice", "warning", "error", "critical"]))
  var logLevel: String?

  @Option(help: ArgumentHelp("Read settings from this JSON file.", valueName: "file"), completion: .file())
  var config: String?

  @Flag(help: "Print listen, library and all settings that were given, as JSON with secrets masked, and exit.")
  var printConfig = false

  func run() throws {
    let program = try ServerProgram.required()
    execv(program, CommandLine.unsafeArgv)
    throw Fault(.software, "cannot run \(program): \(String(cString: strerror(errno)))")
  }
}
