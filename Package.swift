// swift-tools-version: 6.2
// The targets, in the order of section 2 of docs/design.md. A target imports only targets above it.

import PackageDescription

/// One rule set for every Swift target.
let strict: [SwiftSetting] = [
  // `any P` is spelled out: an existential costs, and a reader should see it. SE-0335
  .enableUpcomingFeature("ExistentialAny"),
  // An import is an implementation detail unless it says `public`: a C type in a public signature does not compile. SE-0409
  .enableUpcomingFeature("InternalImportsByDefault"),
  // A file uses only what it imports itself. SE-0444
  .enableUpcomingFeature("MemberImportVisibility"),
  // An async function runs where its caller runs unless it says otherwise. SE-0461
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "mediatool",
  // Needed by Synchronization and String(validating:as:).
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "MediaModel", targets: ["MediaModel"]),
    .library(name: "AttachmentPolicy", targets: ["AttachmentPolicy"]),
    .library(name: "PhotoTray", targets: ["PhotoTray"]),
    .library(name: "Encodings", targets: ["Encodings"]),
    .library(name: "MMSCodec", targets: ["MMSCodec"]),
    .library(name: "Mail", targets: ["Mail"]),
    .library(name: "Messaging", targets: ["Messaging"]),
    .library(name: "ISOBaseMedia", targets: ["ISOBaseMedia"]),
    .library(name: "MetadataStripping", targets: ["MetadataStripping"]),
    .library(name: "FileSupport", targets: ["FileSupport"]),
    .library(name: "MediaProbe", targets: ["MediaProbe"]),
    .library(name: "Thumbnails", targets: ["Thumbnails"]),
    .library(name: "Transcoding", targets: ["Transcoding"]),
    .library(name: "MediaLibrary", targets: ["MediaLibrary"]),
    .library(name: "MalwareScanning", targets: ["MalwareScanning"]),
    .library(name: "MessageStore", targets: ["MessageStore"]),
    .library(name: "MediaEngine", targets: ["MediaEngine"]),
    .library(name: "RemoteSources", targets: ["RemoteSources"]),
    .library(name: "MediaEngineService", targets: ["MediaEngineService"]),
    .library(name: "MediaEngineInProcess", targets: ["MediaEngineInProcess"]),
    .library(name: "MessageFitting", targets: ["MessageFitting"]),
    .library(name: "LibraryScanner", targets: ["LibraryScanner"]),
    .library(name: "MediaService", targets: ["MediaService"]),
    .library(name: "MediaServer", targets: ["MediaServer"]),
    .executable(name: "mediatool", targets: ["mediatool"]),
    .executable(name: "mediatool-worker", targets: ["mediatool-worker"]),
    .executable(name: "mediatool-server", targets: ["mediatool-server"]),
    .executable(name: "mediatool-remote", targets: ["mediatool-remote"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/apple/swift-crypto", .upToNextMinor(from: "4.5.2")),
    .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
    .package(url: "https://github.com/apple/swift-metrics", .upToNextMinor(from: "2.13.0")),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
    .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
    // For the service alone.
    .package(url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1")),
    .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
    .package(url: "https://github.com/apple/swift-nio-ssl", .upToNextMinor(from: "2.37.6")),
    .package(url: "https://github.com/apple/swift-nio-http2.git", .upToNextMinor(from: "1.46.0")),
    .package(url: "https://github.com/apple/swift-nio-extras", .upToNextMinor(from: "1.35.2")),
    .package(url: "https://github.com/apple/swift-http-types", .upToNextMinor(from: "1.8.0")),
    .package(url: "https://github.com/apple/swift-http-structured-headers", .upToNextMinor(from: "1.7.0")),
    .package(
      url: "https://github.com/apple/swift-configuration", .upToNextMinor(from: "1.4.0"),
      traits: ["JSON", "CommandLineArguments"]),
    .package(url: "https://github.com/apple/swift-distributed-tracing", .upToNextMinor(from: "1.7.3")),
    .package(url: "https://github.com/swift-server/async-http-client", .upToNextMinor(from: "1.37.0")),
    .package(url: "https://github.com/vapor/jwt-kit", .upToNextMinor(from: "5.7.1")),
  ],
  targets: [
    // The types that all libraries share. Pure.
    .target(name: "MediaModel"),
    // Decides whether an attachment can be sent: limits, verdicts with reasons, the draft. Pure.
    .target(name: "AttachmentPolicy", dependencies: ["MediaModel"]),
    // The tray of recent photos and videos: states, cells, selection. Pure.
    .target(name: "PhotoTray", dependencies: ["MediaModel", "AttachmentPolicy"]),
    // Charsets, transfer encodings, tags of XML: octets to characters. Pure.
    .target(
      name: "Encodings",
      // iconv is part of the C library, but not on Apple's platforms.
      linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS, .iOS]))]),
    // MMS PDUs, their multiparts and presentations: octets to messages and back. Pure.
    .target(name: "MMSCodec", dependencies: ["MediaModel", "Encodings"]),
    // The parts of a mail, before or after it is fetched: structure, roles, decoding, text. Pure.
    .target(name: "Mail", dependencies: ["MediaModel", "Encodings"]),
    // SMS and MMS: composition, modules, links, segments, sending and retrieval. Pure.
    .target(name: "Messaging", dependencies: ["MediaModel", "AttachmentPolicy", "MMSCodec", "Mail"]),

    // Boxes of MP4, QuickTime, HEIF and JPEG 2000: sizes, types, bounds. Pure.
    .target(name: "ISOBaseMedia"),
    // A file without its metadata, streams and pixels untouched. Pure.
    .target(name: "MetadataStripping", dependencies: ["MediaModel", "Encodings", "ISOBaseMedia"]),

    // Files: paths as bytes, identity, atomic writes, walks through folders. Linux and Darwin, no library besides libc.
    .target(name: "CFileSupport"),
    .target(name: "FileSupport", dependencies: ["MediaModel", "CFileSupport"]),

    // The C boundary: a system library each for libmagic, libvips and FFmpeg, zlib by name, and our own shims over them. libvips and FFmpeg are not
    // linked, but loaded when they are first called; of libvips' own libraries GLib is linked.
    .systemLibrary(name: "CMagic", pkgConfig: "libmagic", providers: [.apt(["libmagic-dev"])]),
    .systemLibrary(name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(
      name: "CLibAV",
      providers: [
        .apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev", "libswresample-dev", "libavutil-dev"])
      ]),
    .target(name: "CDeferredLibraries", dependencies: ["CVips", "CLibAV"]),
    .target(
      name: "CMediaShims", dependencies: ["CVips", "CLibAV", "CDeferredLibraries"],
      // Orc, so that vips_vectors.c takes precedence over it.
      linkerSettings: [.linkedLibrary("z"), .linkedLibrary("gmodule-2.0"), .linkedLibrary("orc-0.4")]),

    // Probing: descriptor → MediaInfo.
    .target(
      name: "MediaProbe",
      dependencies: [
        "MediaModel", "Encodings", "FileSupport", "ISOBaseMedia", "CMagic", "CLibAV", "CMediaShims",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    // Rendering: descriptor + MediaInfo → renditions and placeholder.
    .target(name: "Thumbnails", dependencies: ["MediaModel", "MediaProbe", "CVips", "CMediaShims"]),

    // Transcoding to a size limit: descriptor + MediaInfo → a smaller video or audio file.
    .target(name: "Transcoding", dependencies: ["MediaModel", "MediaProbe", "CMediaShims"]),

    // What is on disk: the catalogue of a library, the store of its renditions, drafts and the files that belong to them.
    .target(
      name: "MediaLibrary",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "FileSupport", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // The messages of one person on disk: threads, messages with their state machines, drafts, the outbox.
    .target(
      name: "MessageStore",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "MMSCodec", "Messaging", "FileSupport", "MediaLibrary",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "GRDB", package: "GRDB.swift"),
      ]),

    // The protocol between an engine and its workers.
    .target(name: "MediaEngineProtocol", dependencies: ["MediaModel"]),
    // Runs jobs in worker processes, with limits, deadlines and cancellation. Links none of the media libraries.
    .target(name: "CEngineShims"),
    .target(
      name: "MediaEngine",
      dependencies: [
        "MediaModel", "FileSupport", "MediaEngineProtocol", "CEngineShims",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ]),
    // Files behind URLs and in buckets: ranges for an engine, signatures, retries, allowed addresses.
    .target(
      name: "RemoteSources",
      dependencies: [
        "MediaModel", "FileSupport", "MediaEngine", "MediaEngineProtocol",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
      ]),
    // A client of clamd, which scans for malware.
    .target(name: "MalwareScanning", dependencies: ["FileSupport", "MediaLibrary", "CEngineShims"]),
    // An engine as a service of swift-service-lifecycle. A target of its own, because that brings three more packages.
    .target(
      name: "MediaEngineService",
      dependencies: ["MediaEngine", .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")]),
    // Fits messages to a size limit: Messaging decides, MediaEngine encodes.
    .target(
      name: "MessageFitting",
      dependencies: ["MediaModel", "AttachmentPolicy", "MMSCodec", "Messaging", "MetadataStripping", "MediaEngine"]),
    // Scans folders into a library.
    .target(
      name: "LibraryScanner",
      dependencies: ["MediaModel", "FileSupport", "MediaLibrary", "MediaEngine", "MediaEngineProtocol"]),
    // The use cases of the service, for any server: uploads, attachments, drafts, tray, access, erasure. No transport.
    .target(
      name: "MediaService",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "PhotoTray", "MMSCodec", "Mail", "Messaging", "MetadataStripping",
        "FileSupport", "MediaLibrary", "MessageStore", "MalwareScanning", "MediaEngine", "MessageFitting",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Instrumentation", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    // The page of the service: HTML, CSS and JavaScript in the program itself, compressed by zlib as they are sent.
    .target(name: "CPageFiles", exclude: ["app"], linkerSettings: [.linkedLibrary("z")]),
    // The service over HTTP: routes for Hummingbird, guards of connections, tokens and signed URLs.
    .target(
      name: "MediaServer",
      dependencies: [
        "CPageFiles", "CEngineShims",
        "MediaModel", "AttachmentPolicy", "PhotoTray", "Messaging", "FileSupport", "MediaLibrary", "MediaEngine",
        "MalwareScanning", "MediaService", "MediaEngineService",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Instrumentation", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "StructuredFieldValues", package: "swift-http-structured-headers"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "JWTKit", package: "jwt-kit"),
      ],
      // In the program itself.
      resources: [.embedInCode("OpenAPI/openapi.json")]),
    // The decoders for an engine, in whichever process this is linked into.
    .target(
      name: "MediaEngineInProcess",
      dependencies: [
        "MediaModel", "MediaProbe", "Thumbnails", "Transcoding", "MediaEngineProtocol", "MediaEngine",
        "CDeferredLibraries",
      ]),
    // The main loop of a worker: it isolates itself, then does jobs.
    .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .target(name: "CIsolation", dependencies: ["CSeccomp"]),
    // The allocator of a worker, which reports exhausted memory. For programs only.
    .target(name: "CAllocationNotes", dependencies: ["CIsolation"]),
    .target(
      name: "MediaWorker", dependencies: ["MediaModel", "MediaEngineProtocol", "CEngineShims", "CIsolation"]),

    // The program, with one file per command. It decodes nothing itself.
    .target(
      name: "MediatoolCommand",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "PhotoTray", "MMSCodec", "Mail", "Messaging", "FileSupport", "MediaLibrary",
        "MediaEngine",
        "MediaEngineProtocol", "MessageFitting", "MessageStore", "LibraryScanner", "MalwareScanning",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/mediatool",
      // In the program itself, which needs no other file beside it.
      resources: [
        .embedInCode("Pages/Page/base.css"), .embedInCode("Tray/Page/tray.css"), .embedInCode("Tray/Page/tray.js"),
        .embedInCode("Modules/Page/modules.css"),
      ]),
    .executableTarget(name: "mediatool", dependencies: ["MediatoolCommand"], path: "Sources/mediatool-main"),
    // The worker process, which `mediatool --in-process` executes too: the only program that contains the decoders.
    .executableTarget(
      name: "mediatool-worker",
      dependencies: [
        "MediaWorker", "MediaEngineInProcess", "MediaEngineProtocol", "MediatoolCommand", "CAllocationNotes",
      ]),

    // The program that `mediatool serve` executes. The HTTP stack takes as long to build as all other targets.
    .executableTarget(name: "mediatool-server", dependencies: ["MediaServer"]),

    // The program that `mediatool` executes for remote sources: HTTP and TLS would slow down every start.
    .executableTarget(
      name: "mediatool-remote",
      dependencies: ["MediaModel", "MediaEngine", "RemoteSources", "MediatoolCommand"]),

    // What several test targets share: the corpus, fixtures, an image comparator.
    .target(name: "TestSupport", dependencies: ["MediaModel"], path: "Tests/TestSupport"),
    .testTarget(name: "MediaModelTests", dependencies: ["MediaModel", "TestSupport"]),
    .testTarget(
      name: "AttachmentPolicyTests", dependencies: ["MediaModel", "AttachmentPolicy", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(name: "PhotoTrayTests", dependencies: ["MediaModel", "AttachmentPolicy", "PhotoTray", "TestSupport"]),
    .testTarget(name: "EncodingsTests", dependencies: ["Encodings", "TestSupport"]),
    .testTarget(
      name: "MMSCodecTests", dependencies: ["MediaModel", "Encodings", "MMSCodec", "TestSupport"],
      exclude: ["Peers"]),
    .testTarget(
      name: "MailTests", dependencies: ["MediaModel", "Encodings", "FileSupport", "Mail", "TestSupport"]),
    .testTarget(
      name: "MessagingTests",
      dependencies: ["MediaModel", "AttachmentPolicy", "MMSCodec", "Mail", "Messaging", "TestSupport"]),
    .testTarget(name: "ISOBaseMediaTests", dependencies: ["ISOBaseMedia", "TestSupport"]),
    .testTarget(name: "MetadataStrippingTests", dependencies: ["MediaModel", "MetadataStripping", "TestSupport"]),
    .testTarget(
      name: "MediaProbeTests", dependencies: ["MediaModel", "FileSupport", "Mail", "MediaProbe", "TestSupport"]),
    .testTarget(name: "FileSupportTests", dependencies: ["MediaModel", "FileSupport", "TestSupport"]),
    .testTarget(
      name: "ThumbnailTests",
      dependencies: ["MediaModel", "FileSupport", "CMediaShims", "MediaProbe", "Thumbnails", "TestSupport"]),
    .testTarget(
      name: "TranscodingTests", dependencies: ["MediaModel", "MediaProbe", "Transcoding", "TestSupport"]),
    // Records what SQLite writes and syncs, for the test that cuts the power.
    .target(name: "CRecordingVFS", path: "Tests/CRecordingVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    .testTarget(
      name: "MediaLibraryTests",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "FileSupport", "MediaLibrary", "CRecordingVFS", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    // A clamd that answers what a test wants, and the real one.
    .target(name: "ClamdSupport", dependencies: ["CEngineShims", "TestSupport"], path: "Tests/ClamdSupport"),
    .testTarget(
      name: "MalwareScanningTests",
      dependencies: ["FileSupport", "MediaLibrary", "MalwareScanning", "ClamdSupport", "TestSupport"]),
    // A client over raw sockets, which sends what no HTTP library sends: slow bytes, half-closes, false lengths.
    .target(
      name: "RawHTTP", dependencies: [.product(name: "NIOCore", package: "swift-nio")], path: "Tests/RawHTTP"),
    .testTarget(
      name: "MessageStoreTests",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "MMSCodec", "Messaging", "FileSupport", "MediaLibrary", "MessageStore",
        "RawHTTP", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "MMSCodec", "Mail", "Messaging", "MetadataStripping", "FileSupport",
        "MediaLibrary", "MediaEngine",
        "MediaEngineProtocol", "MessageStore", "LibraryScanner", "MediatoolCommand", "mediatool", "mediatool-worker",
        "ClamdSupport", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Golden"]),
    // A malicious worker, and the escapes that it tries.
    .target(name: "CEscapes", path: "Tests/CEscapes"),
    .executableTarget(
      name: "rogue-worker",
      dependencies: [
        "MediaModel", "MediaEngineProtocol", "MediaWorker", "CEngineShims", "CAllocationNotes", "CEscapes",
      ],
      path: "Tests/rogue-worker"),
    .testTarget(
      name: "MediaEngineTests",
      dependencies: [
        "MediaModel", "FileSupport", "MediaEngine", "MediaEngineProtocol", "MediaEngineInProcess", "MediaEngineService",
        "MediaWorker", "CEngineShims", "CEscapes", "mediatool-worker", "rogue-worker", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        .product(name: "Metrics", package: "swift-metrics"), .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]),
    .testTarget(
      name: "RemoteSourcesTests",
      dependencies: [
        "MediaModel", "FileSupport", "MediaEngine", "MediaEngineProtocol", "MediaEngineInProcess", "RemoteSources",
        "TestSupport", "mediatool-worker", "mediatool-remote", "mediatool",
      ],
      exclude: ["Peers"]),
    .testTarget(
      name: "MessageFittingTests",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "MMSCodec", "Messaging", "MetadataStripping", "MediaEngine",
        "MediaEngineInProcess", "MessageFitting", "TestSupport", "mediatool-worker",
        .product(name: "Metrics", package: "swift-metrics"), .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]),
    .testTarget(
      name: "LibraryScannerTests",
      dependencies: [
        "MediaModel", "MediaLibrary", "MediaEngine", "MediaEngineProtocol", "MediaEngineInProcess", "LibraryScanner",
        "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "MediaServiceTests",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "PhotoTray", "MMSCodec", "Messaging", "FileSupport", "MediaLibrary",
        "MalwareScanning", "MediaEngine", "MediaService", "MessageStore", "MetadataStripping",
        "TestSupport", "mediatool-worker",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"), .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .testTarget(
      name: "MediaServerTests",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "PhotoTray", "FileSupport", "MediaLibrary", "MalwareScanning", "MediaEngine",
        "MediaService", "MediaServer", "RawHTTP", "TestSupport", "mediatool-worker", "mediatool-server", "mediatool",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Instrumentation", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdHTTP2", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "JWTKit", package: "jwt-kit"),
      ],
      exclude: ["OpenAPI/Checks"]),
    // The examples of the documentation, compiled and run.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "MediaModel", "AttachmentPolicy", "PhotoTray", "Encodings", "MMSCodec", "Mail", "Messaging", "ISOBaseMedia",
        "MetadataStripping",
        "FileSupport",
        "MediaProbe", "Thumbnails", "Transcoding", "MediaEngine", "MediaEngineInProcess", "MediaEngineService",
        "MessageFitting",
        "MediaLibrary", "MessageStore", "LibraryScanner", "MediaService", "MediaServer", "RemoteSources",
        "MalwareScanning", "TestSupport",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The documentation plugin is for `make docs` alone: who builds or embeds the libraries should not have to fetch it.
if Context.environment["MEDIATOOL_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", .upToNextMinor(from: "1.5.0")))
}

let inC = [
  "CMediaShims", "CEngineShims", "CFileSupport", "CIsolation", "CAllocationNotes", "CEscapes", "CRecordingVFS",
]
for target in package.targets where ![.system, .plugin].contains(target.type) && !inC.contains(target.name) {
  target.swiftSettings = strict
}
