internal import CMediaShims
package import MediaModel

extension MediaFailure {
  /// The failure for a read error of the input.
  package static func reading(_ handle: OpaquePointer) -> MediaFailure {
    mediatool_input_timed_out(handle) ? .timedOut() : .readFailed
  }
}
