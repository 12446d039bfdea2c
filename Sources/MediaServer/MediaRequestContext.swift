public import Hummingbird
public import MediaService
public import NIOCore

/// What the routes need of the context of a request. An app that has a context of its own conforms it to this.
public protocol MediaRequestContext: RequestContext {
  /// Who makes the request; nil before it is authenticated, and for requests that need no token.
  var caller: Caller? { get set }
  /// The connection, for interim answers (100, 104) and for closing it with manners.
  var channel: any Channel { get }
  /// Whether an upload may get its address in an interim answer (104). Default false: some proxies do not survive it.
  var sendsInterimResponses: Bool { get set }
}

extension MediaRequestContext {
  /// False, and stays so.
  public var sendsInterimResponses: Bool {
    get { false }
    set {}
  }
}

extension MediaRequestContext {
  /// The caller of a route that needs one.
  /// - Throws: ``Problem/unauthorized``.
  func requireCaller() throws(Problem) -> Caller {
    guard let caller else { throw Problem.unauthorized }
    return caller
  }
}

extension MediaServer {
  /// The context of the service's own server.
  public struct Context: MediaRequestContext {
    /// What Hummingbird keeps with a request.
    public var coreContext: CoreRequestContextStorage
    /// Who makes the request.
    public var caller: Caller?
    /// The connection.
    public let channel: any Channel
    /// Whether an upload may get its address in an interim answer.
    public var sendsInterimResponses = false

    /// The context of a request on a connection.
    public init(source: ApplicationRequestContextSource) {
      coreContext = CoreRequestContextStorage(source: source)
      channel = source.channel
    }
  }
}
