// swift-tools-version: 6.2
// The benchmark is a package of its own, so that nobody who builds or embeds mediatool builds it too.
// It uses nothing of mediatool but the finished command, and the pure libraries, whose speed no command shows.

import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "mediatool", path: "..")],
  targets: [
    // Not CVips, which is the name of a target of mediatool itself.
    .systemLibrary(name: "CBenchVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    // The yardstick: the least that a program over libvips has to do for a thumbnail.
    .executableTarget(name: "plain-vips-loop", dependencies: ["CBenchVips"]),
    // Makes the photos that are measured with.
    .executableTarget(name: "photo-maker", dependencies: ["CBenchVips"]),
    // Evaluates selections and keeps a tray in step, and does nothing else.
    .executableTarget(
      name: "rules-loop",
      dependencies: ["MediaModel", "AttachmentPolicy", "PhotoTray"].map { .product(name: $0, package: "mediatool") },
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    // Finds the links of texts, or counts their segments, and does nothing else.
    .executableTarget(
      name: "text-loop", dependencies: [.product(name: "Messaging", package: "mediatool")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // Lists the parts of mails, and does nothing else.
    .executableTarget(
      name: "mail-loop",
      dependencies: ["Mail", "MediaModel"].map { .product(name: $0, package: "mediatool") },
      swiftSettings: [.treatAllWarnings(as: .error)]),
    // Does one thing with a multimedia message, often.
    .executableTarget(
      name: "pdu-loop",
      dependencies: ["MediaModel", "MMSCodec"].map { .product(name: $0, package: "mediatool") },
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    // Fits messages of real images in several ways, and says what can still be seen. The ways are the tests'.
    .executableTarget(
      name: "fit-messages",
      dependencies: ["MediaModel", "AttachmentPolicy", "Messaging", "MetadataStripping", "MediaEngine"].map {
        .product(name: $0, package: "mediatool")
      },
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
      ]),
    // Asks an engine for the facts of a file, for one owner or for many.
    .executableTarget(
      name: "domain-loop",
      dependencies: ["MediaEngine", "MediaModel"].map { .product(name: $0, package: "mediatool") },
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    // Makes a library of any size, and does one thing with it, often.
    .executableTarget(
      name: "library-loop",
      dependencies: ["MediaModel", "FileSupport", "MediaLibrary"].map { .product(name: $0, package: "mediatool") },
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    // Makes a store of messages of any size, and reads one page of it, often.
    .executableTarget(
      name: "message-loop",
      dependencies: ["MediaModel", "AttachmentPolicy", "MMSCodec", "Messaging", "FileSupport", "MessageStore"].map {
        .product(name: $0, package: "mediatool")
      },
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
    // Runs both sides by turns and prints the table.
    .executableTarget(
      name: "bench", swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
