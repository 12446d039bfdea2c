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
}
