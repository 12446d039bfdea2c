internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import MediaLibrary

/// Which library: the same for every verb that is about one.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The library. (default: the user's own, in $XDG_DATA_HOME)", valueName: "dir"),
    completion: .directory)
  var library: PathBytes?

  func validate() throws {
    if let library, library.bytes.isEmpty || library.hasNUL {
      throw ValidationError("--library needs the name of a folder.")
    }
  }

  /// Where it lies.
  func location() throws(Fault) -> LibraryLocation {
    if let library { return LibraryLocation(folder: library) }
    guard let standard = LibraryLocation.standard(environment: ProcessInfo.processInfo.environment) else {
      throw Fault(.usage, "there is no home for a library; name one with --library")
    }
    return standard
  }

  /// Opens it.
  func open(for access: Library.Access, options: Library.Options = .init()) throws(Fault) -> Library {
    let location = try location()
    do throws(LibraryError) { return try Library.open(at: location, for: access, options: options) } catch {
      throw error.fault
    }
  }

  /// Calls `body` and makes what it throws what ends the run.
  static func run(_ body: () throws -> Void) throws {
    do { try body() } catch let error as LibraryError {
      throw error.fault
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
  }
}

extension LibraryError {
  /// What ends the run.
  var fault: Fault {
    let hint = code == .diskFull ? " Make room and run it again: it goes on where it stopped." : ""
    let usage: Set<Code> = [.notFound, .notALibrary, .newerSchema, .invalidRequest]
    return Fault(
      usage.contains(code) ? .usage : .software,
      "the library: \(message)\(detail.map { " (\(DisplayText.visible($0)))" } ?? "")\(hint)")
  }
}
