internal import Hummingbird
internal import MediaLibrary
internal import MediaService

/// Who reads, decided before anything is looked up.
struct GrantedAccess: Sendable {
  /// The holder of a token or of a signed URL.
  let reader: MediaService.Reader
  /// When the signed URL expires; nil for a token.
  let expires: Int?
  private let now: Int

  /// Reads the signature of an address, or else the token of a request.
  /// - Throws: 403 for an address with anything but one valid signature in its query; 400 for one with a fragment; 401 without a token.
  init(_ request: Request, _ context: some MediaRequestContext, _ service: MediaService) throws(Problem) {
    now = service.configuration.clock()
    // Also in an app whose own middleware lets it pass.
    try RequestPath.requireNoFragment(in: request.uri.string)
    guard let query = request.uri.query, SignedAddress.isSigned(query) else {
      (reader, expires) = (.caller(try context.requireCaller()), nil)
      return
    }
    guard let address = service.signingKeys?.verify(path: request.uri.path, query: query, now: now)
    else {
      throw Problem(
        .forbidden,
        ServiceError(
          .init(rawValue: "invalidSignature"), "The signature of the URL is invalid or has expired; request a new URL.")
      )
    }
    (reader, expires) = (.address(address), address.expires)
  }

  /// How long the answer may be kept: for as long as the address is valid, and not by caches that several people share. With a token, each use is
  /// confirmed.
  var cacheControl: String {
    expires.map { "private, max-age=\(max(0, $0 - now)), immutable" } ?? "private, no-cache"
  }

  /// The same for an answer that depends on `Accept`: for five minutes at most.
  var negotiatedCacheControl: String {
    expires.map { "private, max-age=\(min(300, max(0, $0 - now)))" } ?? "private, no-cache"
  }
}

extension FileID {
  /// The id in an address, in the one spelling that it has: digits without zeros before them.
  init?(address text: String) {
    guard let number = Int64(text), number > 0, "\(number)" == text else { return nil }
    self.init(rawValue: number)
  }
}
