internal import Foundation

/// Another program of the package: beside the running one, or in `../libexec/mediatool/`, as `make install` puts them.
package struct InstalledProgram: Sendable {
  /// Where the program may be, in the order in which it is looked for.
  package let candidates: [String]

  /// - Parameter name: The file name of the program, such as `mediatool-worker`.
  package init(_ name: String) {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
    candidates = [name, "../libexec/mediatool/\(name)"].map {
      folder.appendingPathComponent($0).standardizedFileURL.path
    }
  }

  /// The first candidate that is an executable file; nil if there is none.
  package var path: String? { candidates.first { FileManager.default.isExecutableFile(atPath: $0) } }

  /// The candidates in a sentence: `/usr/bin/x or /usr/libexec/mediatool/x`.
  package var description: String { candidates.joined(separator: " or ") }
}
