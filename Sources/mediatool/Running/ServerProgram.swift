internal import FileSupport
internal import Glibc
internal import MediaEngine

/// The program of the service, which this one becomes where the work needs what only the service links.
enum ServerProgram {
  private static var program: InstalledProgram { InstalledProgram("mediatool-server") }

  /// Its path; nil if it is not installed.
  static var path: String? { program.path }

  /// Its path.
  static func required() throws(Fault) -> String {
    let program = program
    guard let path = program.path else {
      throw Fault(
        .software,
        "mediatool-server was not found at \(program.description); build it with `make serve`, or install all programs with `make install`"
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
