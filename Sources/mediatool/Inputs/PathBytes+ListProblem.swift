internal import FileSupport
internal import MediaModel

extension PathBytes {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Why a line of a list is the name of no file, if its program has added bytes to it; nil if it has not, or if there is a file with them.
  var listProblem: MediaFailure? {
    let cause: String
    if bytes.last == UInt8(ascii: "\r") {
      cause = "ends in a carriage return (CR LF): convert the list to LF."
    } else if bytes.starts(with: Self.byteOrderMark) {
      cause = "begins with a byte order mark: save the list as UTF-8 without it."
    } else {
      return nil
    }
    guard !FileStatus.exists(at: self) else { return nil }
    return MediaFailure(.notFound, "The file does not exist; its line in the list \(cause)")
  }
}
