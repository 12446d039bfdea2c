// swift-tools-version: 6.2
// libFuzzer's targets, in a package of their own, because they link under a sanitizer only: see scripts/fuzz.

import PackageDescription

let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "mediatool", path: "..")],
  targets: [
    // What is done with each input, callable from C.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "MediaModel", "FileSupport", "MediaProbe", "MMSCodec", "Mail", "Messaging", "MetadataStripping", "Thumbnails",
        "MediaEngine",
      ].map {
        .product(name: $0, package: "mediatool")
      },
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // libFuzzer brings main; these are in C, because SwiftPM wants a main of its own in a Swift executable.
    .executableTarget(name: "fuzz-probe", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-thumbnail", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-text", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-pdu", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-smil", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-mail", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-bodystructure", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-tnef", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-html", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-video", dependencies: ["FuzzTargets"]),
    // MP4 and QuickTime files, read without FFmpeg and with it.
    .executableTarget(name: "fuzz-movie", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-strip", dependencies: ["FuzzTargets"]),
    // Tar files as inputs of a batch.
    .executableTarget(name: "fuzz-tar", dependencies: ["FuzzTargets"]),
    // Forms of the service.
    .executableTarget(name: "fuzz-multipart", dependencies: ["FuzzTargets"]),
    // The protocol between an engine and its workers, on the engine's side and on the worker's.
    .executableTarget(name: "fuzz-answer", dependencies: ["FuzzTargets"]),
    .executableTarget(name: "fuzz-request", dependencies: ["FuzzTargets"]),
  ],
  swiftLanguageModes: [.v6]
)
