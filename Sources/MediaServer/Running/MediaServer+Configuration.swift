internal import Hummingbird
public import Logging
public import Metrics

extension MediaServer {
  /// The settings of a server.
  public struct Configuration: Sendable {
    /// The address to listen on, a name or a number. Default `127.0.0.1`. Any other than loopback needs ``keys``.
    public var host = "127.0.0.1"
    /// The port; 0 for any free one. Default 8080.
    public var port = 8080
    /// The keys of tokens and addresses. Default nil: everybody who reaches the server acts for ``owner``, which is allowed on loopback alone.
    public var keys: KeyFile?
    /// The file from which ``keys`` were read, read again when it changes; its `addresses` then replace the keys of signed URLs. Default nil: the keys stay.
    public var keysFile: String?
    /// The owner for whom everybody acts when there are no keys. Default `me`.
    public var owner = "me"
    /// Names of this server in `Host`, besides `localhost`, `127.0.0.1` and `[::1]`. With ``keys`` and none, every `Host` is accepted.
    public var hosts: Set<String> = []
    /// Origins of pages that may use the interface from a browser, such as `https://chat.example`. Default none.
    public var origins: Set<String> = []
    /// Proxies of the administrator that each request passes. Each appends the address that it sees to `X-Forwarded-For`, so with `n` of them the n-th value
    /// from the end is the client's. Default 0: the client is who connects, and what a request states about it is ignored.
    public var trustedProxies = 0
    /// Certificate and key of TLS, read again when the files change. Default nil: no TLS.
    public var tls: TLSFiles?
    /// Limits of connections.
    public var connections = ConnectionLimits()
    /// Limits of requests.
    public var requests = RequestLimits()
    /// Bytes of memory for small renditions that were asked for lately by signed URL, which are answered on the event loop. Default 64 MiB; 0 for
    /// none.
    public var hotBytes = 67_108_864
    /// Seconds for which `/readyz` says 503 before the listener closes, so that a load balancer sends no more requests. Default nil: with
    /// ``keys`` 5, but at most half of ``shutdownSeconds``, and 0 without, when nobody but this machine sends any. Must be less than ``shutdownSeconds``.
    public var drainSeconds: Double?
    /// Seconds after which a graceful stop closes the connections that are left, those of ``drainSeconds`` included. Default 30.
    public var shutdownSeconds = 30.0
    /// Whether uploads get interim answers (104), which some proxies do not survive.
    public var interimResponses = InterimResponses.auto
    /// Logs requests and what goes wrong. Default: no log.
    public var logger = Logger(label: "mediatool.server") { _ in SwiftLogNoOpLogHandler() }
    /// Logs who did what, without content. Default: no log.
    public var audit = Logger(label: "mediatool.audit") { _ in SwiftLogNoOpLogHandler() }
    /// The metrics backend. Default nil: that of the process.
    public var metrics: (any MetricsFactory)?
    /// Called when half of many connections have gone. A program gives memory back then; in an app, `malloc` is the app's.
    var onConnectionsHalved: @Sendable () -> Void = {}
    /// Adds routes, for tests of what surrounds them.
    var addRoutes: @Sendable (Router<Context>) -> Void = { _ in }

    /// The default settings.
    public init() {}

    /// Seconds for which a graceful stop drains.
    var drainTime: Double { drainSeconds ?? (keys == nil ? 0 : min(5, shutdownSeconds / 2)) }
  }

  /// When an upload gets its address in an interim answer (104), before it is complete.
  public enum InterimResponses: String, Hashable, Sendable {
    /// Where this server ends TLS itself: behind a proxy such as nginx, a 104 breaks the connection.
    case auto
    /// With or without TLS.
    case on
    /// Never: the client learns the address from the final response.
    case off
  }

  /// Where the certificate of HTTPS is. It is replaced for new connections when its files change.
  public struct TLSFiles: Hashable, Sendable {
    /// The certificate with its chain, in PEM.
    public var certificate: String
    /// The private key, in PEM.
    public var key: String

    /// - Parameters:
    ///   - certificate: The path of a PEM file with the certificate and its chain.
    ///   - key: The path of a PEM file with the private key.
    public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
  }

  /// What one connection may take, and how many there may be. Times are seconds.
  public struct ConnectionLimits: Hashable, Sendable {
    /// Open connections; further ones are answered with 503. Default 10,000.
    public var count = 10_000
    /// From the connection to its first complete head, and for the TLS handshake. Default 10.
    public var headSeconds = 10.0
    /// From an answer to the next complete head. Default 60.
    public var idleSeconds = 60.0
    /// Bytes a second at which a body must arrive while the server waits for it, over ``bodyWindowSeconds``. Default 500.
    public var bodyRate = 500
    /// The time over which the rate of a body is taken. Default 10.
    public var bodyWindowSeconds = 10.0
    /// Bytes a second at which an answer must be read, over ``writeWindowSeconds``. Default 500.
    public var writeRate = 500
    /// The time over which the rate of an answer is taken. Default 30.
    public var writeWindowSeconds = 30.0
    /// After an answer before the end of a body: bytes that are still read and dropped. Default 1 MiB.
    public var lingerBytes = 1_048_576
    /// After an answer before the end of a body: how long bytes are read and dropped. Default 5.
    public var lingerSeconds = 5.0
    /// Bytes of a head. Default 32 KiB.
    public var headBytes = 32_768
    /// Fields of a head. Default 128.
    public var headFields = 128

    /// The default limits.
    public init() {}
  }

  /// How many requests there may be.
  public struct RequestLimits: Hashable, Sendable {
    /// Requests a second of one owner, over a longer time. Default 100.
    public var rate = 100.0
    /// Requests of one owner at once, beyond the rate. Default 1,000.
    public var burst = 1_000.0
    /// Requests a second with signed URLs of one attachment, over a longer time; answers from memory are not counted. Default 1,000.
    public var addressRate = 1_000.0
    /// Requests with signed URLs of one attachment at once, beyond the rate. Default 10,000.
    public var addressBurst = 10_000.0
    /// Wrong or missing tokens, and wrong signatures, a second from one client, which are answered with 401 and 403; further ones with 429. A client is an IPv4
    /// address or an IPv6 network of 64 bits. Connections of this machine are not counted unless ``Configuration/trustedProxies`` is set.
    /// Default 10.
    public var failureRate = 10.0
    /// These of one client at once, beyond the rate. Default 100.
    public var failureBurst = 100.0
    /// Uploads at a time. Default 256.
    public var uploads = 256
    /// Streams of events at a time. Default 1,000.
    public var streams = 1_000
    /// Requests at a time that decode and encode for seconds: composed messages, modules, images of profiles. Default 16.
    public var work = 16
    /// How many of these one owner may have at a time. Default 4.
    public var workPerOwner = 4
    /// Bytes of the multimedia messages that are received or handed out at a time. A message counts with the length of its body or answer while that is
    /// known, otherwise with 8 MiB, and with 256 KiB at least. Their forms in JSON and base64 take three to four times as much memory. Default 128 MiB.
    public var messageBytes = 134_217_728
    /// How many of these bytes one owner may have at a time. Default 32 MiB.
    public var messageBytesPerOwner = 33_554_432
    /// Other requests below `/v1` at a time. Default 256.
    public var others = 256

    /// The default limits.
    public init() {}
  }
}
