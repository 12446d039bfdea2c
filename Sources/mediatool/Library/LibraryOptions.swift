internal import ArgumentParser
internal import FileSupport
internal import Foundation
internal import MediaLibrary

/// Which library: the same for every verb that is about one.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use the library in this folder. (default: the user's library, in $XDG_DATA_HOME)", valueName: "dir"),
    completion: .directory)
  var library: PathBytes?

  func validate() throws {
    if let library, library.bytes.isEmpty || library.hasNUL {
      throw ValidationError("--library takes a folder name that is not empty and contains no NUL byte.")
    }
  }

  /// Where it lies.
  func location() throws(Fault) -> LibraryLocation {
    if let library { return LibraryLocation(folder: library) }
    guard let standard = LibraryLocation.standard(environment: ProcessInfo.processInfo.environment) else {
      throw Fault(.usage, "cannot find the user's library: HOME is not an absolute path; name a folder with --library")
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
    let usage: Set<Code> = [
      .notFound, .notALibrary, .newerSchema, .invalidRequest, .catalogueMissing, .noCopy, .otherCopy, .wouldLose,
    ]
    return Fault(
      usage.contains(code) ? .usage : .software,
      "library: \(message)\(detail.map { " (\(DisplayText.visible($0)))" } ?? "")\(hint)")
  }

  /// The way out, where the message does not name it.
  private var hint: String {
    if code == .diskFull { return " Free some space and run the command again; it continues where it stopped." }
    let isDamaged = code == .corrupt && !message.contains("--rebuild")
    return isDamaged ? " `mediatool verify --rebuild` makes a new catalogue from what is left." : ""
  }
}
