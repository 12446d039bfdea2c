internal import MediaLibrary
internal import MediaModel

extension MediaService {
  /// What an owner uses, and what it may use.
  public struct OwnerUsage: Encodable, Sendable {
    /// A number of files with their size.
    public struct Sum: Encodable, Sendable {
      /// Number of files.
      public var files: Int
      /// Size of the originals in bytes.
      public var bytes: Int
    }

    /// Limits of an owner, or what the owner uses of them.
    public struct Quotas: Encodable, Sendable {
      /// Bytes of originals and messages.
      public var bytes: Int
      /// Number of stored files.
      public var files: Int
      /// Unfinished uploads.
      public var openUploads: Int
    }

    /// The name of the owner.
    public var owner: String
    /// Number of files.
    public var files: Int
    /// Size of the originals in bytes.
    public var bytes: Int
    /// Size of the messages in bytes, which count for the same limit.
    public var messageBytes: Int
    /// The files by kind.
    public var kinds: [String: Sum]
    /// What the owner may use, as the settings of the service are.
    public var limits: Quotas
  }

  /// What the caller's owner uses.
  public func usage(for caller: Caller) async throws(ServiceError) -> OwnerUsage {
    try await ServiceError.mapping {
      guard caller.scope.contains(.read) else { throw ServiceError.notFound }
      let (limits, messages) = (configuration.limits, await messageBytes(of: caller.owner))
      var usage = OwnerUsage(
        owner: caller.owner, files: 0, bytes: 0, messageBytes: messages, kinds: [:],
        limits: .init(bytes: limits.ownerBytes, files: limits.ownerFiles, openUploads: limits.openUploads))
      for count in try await library.catalogue.counts(in: .owner(caller.owner)) {
        (usage.files, usage.bytes) = (usage.files + count.files, usage.bytes + count.bytes)
        let kind = count.kind?.rawValue ?? "other"
        let sum = usage.kinds[kind] ?? .init(files: 0, bytes: 0)
        usage.kinds[kind] = .init(files: sum.files + count.files, bytes: sum.bytes + count.bytes)
      }
      return usage
    }
  }
}
