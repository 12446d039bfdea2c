internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaLibrary
internal import MediaService

/// `mediatool erase --owner` where a service has stored data beside the catalogue: only the service knows all of it.
package enum EraseProgram {
  /// The first argument of the program that asks for it.
  package static let verb = "erase-owner"

  /// Erases an owner, prints a JSON object with what was erased, and returns the exit status: 0 if nothing remains, 1 if traces remain, 70 if the library cannot be
  /// opened or written.
  /// - Parameter arguments: Those of the process: program, ``verb``, the owner, the folders of data and renditions, and then the folder of the copy and `adopt` if
  ///   there is one. `mediatool` is the only caller.
  package static func run(_ arguments: [String]) async -> Int32 {
    guard (5...7).contains(arguments.count) else {
      say("\(verb) takes an owner and the folders of a library; use `mediatool erase --owner`")
      return 64
    }
    let location = LibraryLocation(data: PathBytes(arguments[3]), cache: PathBytes(arguments[4]))
    var configuration = MediaService.Configuration(library: location)
    if arguments.count > 5 { configuration.libraryOptions.copy = PathBytes(arguments[5]) }
    configuration.libraryOptions.adoptsCopy = arguments.count > 6
    do {
      let erasure = try await erase(arguments[2], configuration)
      print(try OwnerErasureLine(erasure: erasure).text)
      if erasure.isEmpty { say("owner \(arguments[2]) has no data in the library; nothing was erased") }
      var sentences = erasure.library.remains(in: location)
      if erasure.unreached["messages"] != nil {
        sentences.append(
          "messages of the owner cannot be removed; check the permissions of the library's folder, and erase again")
      }
      if sentences.isEmpty, !erasure.library.isWiped {
        sentences.append("traces of the erased data remain in the library's databases; erase again")
      }
      for sentence in sentences { say(sentence) }
      return sentences.isEmpty ? 0 : 1
    } catch {
      say("\((error as? LibraryError)?.sentence ?? "\(error)")")
      return 70
    }
  }

  private static func erase(
    _ owner: String, _ configuration: MediaService.Configuration
  ) async throws -> MediaService.Erasure {
    var decoders = MediaEngine.Configuration()
    // It decodes nothing.
    (decoders.kind, decoders.domain, decoders.spares) = (.workers(count: 1), .isolated, 0)
    decoders.allowsWeakerIsolation = true
    let engine = try await MediaEngine.start(decoders)
    let service = try await MediaService.open(configuration, engine: engine)
    let erasure = try await service.eraseOwner(for: Caller(owner: owner))
    try await service.close()
    await engine.shutdown()
    return erasure
  }

  private static func say(_ line: String) {
    // Names are untrusted, and a terminal acts on control characters.
    let visible = line.unicodeScalars.map { scalar -> Character in
      scalar.properties.generalCategory == .control ? "?" : Character(scalar)
    }
    FileHandle.standardError.write(Data("mediatool: \(String(visible))\n".utf8))
  }
}

/// What was erased, as a line of JSON: the keys of `mediatool erase`, and those of the service.
private struct OwnerErasureLine: Encodable {
  let erasure: MediaService.Erasure

  func encode(to encoder: any Encoder) throws {
    try erasure.library.encode(to: encoder)
    try erasure.encodeServiceCounts(to: encoder)
  }

  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
