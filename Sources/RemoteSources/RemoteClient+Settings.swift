internal import Foundation
internal import MediaModel

extension RemoteClient {
  /// Who may be talked to, how S3 is reached, and how much a source may cost.
  public struct Settings: Sendable {
    /// Where the keys for S3 come from.
    public enum KeySource: Hashable, Sendable {
      /// The environment, then the profile's files, as for the AWS command line.
      case automatic
      /// The metadata service of the virtual machine, at a link-local address.
      case instance
      /// The credentials service of the container, at a link-local address.
      case container
      /// Requests are not signed: for public buckets.
      case anonymous
      /// These keys, without a look at the environment.
      case keys(S3Credentials)
    }

    /// How a bucket is named in a request.
    public enum Style: String, Hashable, Sendable, CaseIterable {
      /// `https://endpoint/bucket/key`
      case path
      /// `https://bucket.endpoint/key`
      case host
    }

    /// If not empty, only sources that match one of them are read. Default: all, at public addresses.
    public var allowed: [Pattern] = []
    /// Whether `http://` is allowed. Default false.
    public var allowsHTTP = false
    /// The URL of a service other than AWS; its host may have a private address, and its scheme may be `http`. Default nil: that of the environment or
    /// the profile, otherwise AWS.
    public var endpoint: String?
    /// The region of buckets. Default nil: that of the environment or the profile, otherwise `us-east-1`. Redirects to other regions are followed.
    public var region: String?
    /// How a bucket is named in a request. Default nil: in the host for AWS, in the path for other endpoints.
    public var style: Style?
    /// Where the keys for S3 come from. Default: the environment, then the profile's files.
    public var keySource = KeySource.automatic
    /// Seconds that all requests for one file may take. Default 30.
    public var seconds = 30.0
    /// Maximum size in bytes of a file that is fetched whole, for its images or its digest. Default 16 GiB. Of a larger one there are only the facts.
    public var maxBytes = 17_179_869_184
    /// Maximum number of bytes of one file that are kept in memory when it is fetched whole; a larger one is moved to an unlinked file in the temporary
    /// folder (`TMPDIR`, otherwise `/tmp`). Default 64 MiB.
    public var maxMemory = 67_108_864
    /// Maximum number of requests for one file. Default 64.
    public var maxRequests = 64
    /// Maximum number of bytes that are fetched by ranges for the facts of one file. Default 64 MiB.
    public var maxRangeBytes = 67_108_864
    /// Maximum number of redirects of one request. Default 5.
    public var maxRedirects = 5
    /// The variables from which keys, region and endpoint are taken. Default: those of the process.
    public var environment = ProcessInfo.processInfo.environment

    /// Addresses of a name, for tests; nil asks the system.
    var resolve: (@Sendable (String) throws(MediaFailure) -> [IPAddress])?
    /// How long to wait before another attempt, as a part of the longest wait, for tests.
    var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// The default settings.
    public init() {}
  }
}
