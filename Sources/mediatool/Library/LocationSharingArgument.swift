internal import MediaLibrary

/// `--location-sharing`: who sees the locations of what an owner has.
struct LocationSharingArgument: CheckedArgument {
  let value: Moment.LocationSharing

  init?(argument: String) {
    guard let value = Moment.LocationSharing(rawValue: argument) else { return nil }
    self.value = value
  }

  static var names: [String] { Moment.LocationSharing.allCases.map(\.rawValue) }
  static var allowed: String { "one of \(names.joined(separator: ", "))" }
}

/// An owner's location-sharing setting after `mediatool set`, in JSON.
struct LocationSharingRecord: Encodable {
  let owner: String
  let locationSharing: Moment.LocationSharing
  /// Whether it was applied to what the owner had already.
  let existing: Bool
  /// Files that may still contain erased locations.
  let notErased: [String]
}
