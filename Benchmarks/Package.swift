// swift-tools-version: 6.2
// The benchmark is a package of its own, so that nobody who builds or embeds mediatool builds it too.
// It uses nothing of mediatool but the finished command and the pure libraries.

import PackageDescription

/// As in the package itself.
let pure: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  targets: [
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    // The yardstick: the least that a program over libvips has to do for a thumbnail.
    .executableTarget(name: "bare-vips-loop", dependencies: ["CVips"]),
    // Makes the photos that are measured with.
    .executableTarget(name: "photo-maker", dependencies: ["CVips"]),
    // The rules themselves, which are pure: links to the package's own folders, for the rest of it is not needed here.
    .target(name: "MediaModel", swiftSettings: pure),
    .target(name: "AttachmentPolicy", dependencies: ["MediaModel"], swiftSettings: pure),
    .target(name: "PhotoTray", dependencies: ["MediaModel", "AttachmentPolicy"], swiftSettings: pure),
    .executableTarget(name: "rules-loop", dependencies: ["MediaModel", "AttachmentPolicy", "PhotoTray"]),
    // Runs both sides by turns and prints the table.
    .executableTarget(
      name: "bench", swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
