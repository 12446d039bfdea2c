internal import FileSupport
internal import Glibc
internal import MediaLibrary

/// Paths as a library stores them: absolute, without links in their folders.
enum LibraryPath {
  /// The path of a file that may not exist. Links in its folder are resolved, the file itself is not. If the folder does not exist either, the path
  /// is joined as text.
  static func absolute(_ path: PathBytes) -> PathBytes {
    let name = path.lastComponent
    let above = PathBytes(path.bytes[..<name.startIndex])
    let folder = above.bytes.isEmpty ? PathBytes(".") : above
    if let real = folder.withCString({ realpath($0, nil) }) {
      defer { free(real) }
      return PathBytes(UnsafeRawBufferPointer(start: real, count: strlen(real))).appending(name)
    }
    if path.bytes.first == PathBytes.slash { return path }
    guard let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return PathBytes(UnsafeRawBufferPointer(start: here, count: strlen(here))).appending(path.bytes)
  }
}
