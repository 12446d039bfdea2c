// swift-tools-version: 6.2
// The benchmark is a package of its own, so that nobody who builds or embeds mediatool builds it too.
// It uses nothing of mediatool but the finished command.

import PackageDescription

let package = Package(
  name: "Benchmarks",
  targets: [
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    // The yardstick: the least that a program over libvips has to do for a thumbnail.
    .executableTarget(name: "bare-vips-loop", dependencies: ["CVips"]),
    // Makes the photos that are measured with.
    .executableTarget(name: "photo-maker", dependencies: ["CVips"]),
    // Runs both sides by turns and prints the table.
    .executableTarget(
      name: "bench", swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
