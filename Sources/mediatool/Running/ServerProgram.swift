internal import FileSupport
internal import Foundation
internal import Glibc

/// The program of the service, which this one becomes where the work needs what only the service links.
enum ServerProgram {
  /// Where it may be: beside this program, or in `../libexec/mediatool/`.
  private static var places: [String] {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
    return ["mediatool-server", "../libexec/mediatool/mediatool-server"]
      .map { folder.appendingPathComponent($0).standardizedFileURL.path }
  }

  /// Its path; nil if it is not installed.
  static var path: String? { places.first { FileManager.default.isExecutableFile(atPath: $0) } }

  /// Its path.
  static func required() throws(Fault) -> String {
    guard let path else {
      throw Fault(
        .software,
        "mediatool-server was not found at \(places.joined(separator: " or ")); build it with `make serve`, or install all programs with `make install`"
      )
    }
    return path
  }

  /// Replaces this program by it, with these arguments. Returns only by throwing.
  static func run(_ program: String, _ arguments: [PathBytes]) throws(Fault) -> Never {
    var pointers = ([PathBytes(program)] + arguments).map { argument in argument.withCString { strdup($0) } }
    pointers.append(nil)
    execv(program, pointers)
    throw Fault(.software, "cannot run \(program): \(String(cString: strerror(errno)))")
  }
}
