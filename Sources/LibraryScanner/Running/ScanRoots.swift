package import FileSupport
internal import Glibc
internal import MediaLibrary

/// The folders to scan, each once, without those inside another one.
package struct ScanRoots {
  package private(set) var roots: [PathBytes] = []
  /// The folders that do not exist.
  private(set) var missing: [(path: PathBytes, code: CInt)] = []

  /// - Parameter isAbsolute: Whether paths are resolved to absolute paths without links, as a catalogue requires; otherwise they stay as typed.
  package init(_ named: [PathBytes], isAbsolute: Bool) {
    var real: [(path: PathBytes, typed: PathBytes)] = []
    for path in named {
      guard let found = realpath(path.bytes.map { CChar(bitPattern: $0) } + [0], nil) else {
        missing.append((path, errno))
        continue
      }
      defer { free(found) }
      real.append((PathBytes(UnsafeRawBufferPointer(start: found, count: strlen(found))), path))
    }
    for (index, root) in real.enumerated() {
      let isInside = real.enumerated().contains { other, one in
        other != index && root.path.isInside(one.path) && (root.path != one.path || other < index)
      }
      if !isInside { roots.append(isAbsolute ? root.path : root.typed) }
    }
  }
}
