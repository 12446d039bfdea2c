internal import Foundation

/// Programs of this package that were built with these tests.
public enum BuiltProduct {
  /// The path of a program: beside the test bundle, wherever the build folder is.
  public static func path(_ name: String) -> String {
    let arguments = CommandLine.arguments
    var places = [(try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "", arguments[0]]
    if let flag = arguments.firstIndex(of: "--test-bundle-path"), flag + 1 < arguments.count {
      places.append(arguments[flag + 1])
    }
    return
      places.map { URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(name).path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "\(name)-not-found-beside-the-tests"
  }

  /// Copies a program into a folder and returns the path of the copy.
  ///
  /// By another process: a file that this one has open for writing cannot be started, and each process that another test starts meanwhile holds it open
  /// until it runs its own program ("Text file busy").
  public static func copy(_ name: String, to folder: TemporaryFolder) throws -> String {
    let copy = folder.path(name)
    _ = try Tool("cp", package: "coreutils").output([path(name), copy])
    return copy
  }
}
