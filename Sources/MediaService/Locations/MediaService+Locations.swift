internal import AttachmentPolicy
internal import Foundation
public import MediaLibrary
public import MediaModel

extension MediaService {
  /// The clusters of files or of moments in a part of the map, in the words of `mediatool locations`.
  public struct LocationsAnswer: Encodable, Sendable {
    /// The zoom level that was used; less than the one asked for where there would be too many clusters.
    public var zoom: Int
    /// The clusters, in a stable order.
    public var clusters: [Cluster]

    /// Files or moments that are close together at the zoom level (R-MYM-14).
    public struct Cluster: Encodable, Sendable {
      /// The id with which it is opened.
      public var id: LocationMap.Cluster.ID
      /// Number of files or moments.
      public var count: Int
      /// The rectangle around all of them.
      public var bounds: LocationMap.Bounds
      /// The mean of their positions.
      public var centre: LocationMap.Point
      /// Where to draw its icon.
      public var anchor: LocationMap.Point
      /// The only attachment of a cluster of one.
      public var attachment: String?
      /// The address of that attachment's thumbnail.
      public var thumbnail: String?
      /// The only moment of a cluster of one, on a map of moments.
      public var moment: String?
    }

    /// - Parameter thumbnail: The address of a file's thumbnail.
    init(_ map: LocationMap, thumbnail: (FileID) -> String? = { _ in nil }) {
      zoom = map.zoom
      clusters = map.clusters.map { cluster in
        Cluster(
          id: cluster.id, count: cluster.count, bounds: cluster.bounds, centre: cluster.centre, anchor: cluster.anchor,
          attachment: cluster.single.map { "\($0.rawValue)" }, thumbnail: cluster.single.flatMap(thumbnail),
          moment: cluster.moment.map { "\($0.rawValue)" })
      }
    }
  }

  /// Where the caller's files were taken; empty if there are none (R-MYM-16).
  /// - Parameters:
  ///   - bounds: The part of the map.
  ///   - zoom: 0 to 20; at 0 the world is 256 pixels wide.
  ///   - times: Seconds since 1970. Default nil: all times.
  public func locations(
    in bounds: LocationMap.Bounds, zoom: Int, times: Range<Int>? = nil, for caller: Caller
  ) async throws(ServiceError) -> LocationsAnswer {
    try caller.require(.read)
    try check(zoom: zoom)
    let map = try await ServiceError.mapping {
      try await library.catalogue.locations(
        in: bounds, zoom: zoom, of: CatalogueScope(owner: caller.owner, times: times))
    }
    let addresses = try await AttachmentAddresses(of: map.clusters.compactMap(\.single), in: self)
    return LocationsAnswer(map) { addresses.isHidden($0) ? nil : addresses.url("grid", of: $0) }
  }

  /// The members of an opened cluster.
  public struct ClusterMembers: Encodable, Sendable {
    /// The members, neighbours together.
    public var members: [Member]
    /// The cursor of the next page; nil on the last.
    public var next: String?

    /// A file of a cluster.
    public struct Member: Encodable, Sendable {
      /// The attachment.
      public var id: String
      /// The kind of media; nil if it is not known.
      public var kind: MediaKind?
      /// When it was taken.
      public var time: MediaInfo.CaptureTime?
      /// The title that the owner gave it; nil for none.
      public var title: String?
      /// Degrees north.
      public var latitude: Double?
      /// Degrees east.
      public var longitude: Double?
      /// Where to draw it around the icon of the cluster, in pixels (R-MYM-15).
      public var offset: LocationMap.Layout.Offset?
      /// The address of its thumbnail.
      public var thumbnail: String?
      /// What to show until the thumbnail is loaded.
      public var placeholder: Placeholder?
    }
  }

  /// A page of the members of a cluster, in a stable order.
  /// - Parameters:
  ///   - cluster: The id of the cluster.
  ///   - after: The `next` of an earlier page. Default nil: the first page, whose members have positions around the icon.
  ///   - limit: 1 to 200. Default 100.
  public func members(
    of cluster: String, times: Range<Int>? = nil, after: String? = nil, limit: Int = 100, for caller: Caller
  ) async throws(ServiceError) -> ClusterMembers {
    try caller.require(.read)
    try check(limit: limit)
    let page = try await ServiceError.mapping {
      do {
        return try await library.catalogue.members(
          of: LocationMap.Cluster.ID(rawValue: cluster), in: CatalogueScope(owner: caller.owner, times: times),
          after: after.map(CatalogueFile.Cursor.init), limit: limit)
      } catch let error as LibraryError where error.code == .invalidRequest {
        throw ServiceError(.invalidRequest, "There is no such cluster, or the cursor is not from its list of files.")
      }
    }
    let addresses = try await AttachmentAddresses(of: page.files.map(\.id), in: self)
    let offsets = after == nil ? LocationMap.Layout().offsets(of: page.files.count) : []
    let members = page.files.enumerated().map { index, file in
      ClusterMembers.Member(
        id: "\(file.id.rawValue)", kind: file.kind, time: MediaInfo.CaptureTime(secondsSince1970: file.time),
        title: file.title, latitude: file.location?.latitude, longitude: file.location?.longitude,
        offset: offsets.indices.contains(index) ? offsets[index] : nil,
        thumbnail: file.placeholder == nil || addresses.isHidden(file.id) ? nil : addresses.url("grid", of: file.id),
        placeholder: file.placeholder)
    }
    return ClusterMembers(members: members, next: page.next?.rawValue)
  }
}
