internal import Foundation
internal import MediaLibrary
internal import MediaModel

/// `scan --failures`: lists failed files from the library alone.
struct FailureList {
  let location: LibraryLocation
  let showsTable: Bool

  /// One failure in JSON.
  private struct Record: Encodable {
    let file: CatalogueFile

    private enum Keys: CodingKey { case error, attempts, engine }

    func encode(to encoder: any Encoder) throws {
      try PathKeys.encode(file.stamp.path, as: "path", to: encoder)
      var container = encoder.container(keyedBy: Keys.self)
      try container.encodeIfPresent(file.failure, forKey: .error)
      try container.encode(file.attempts, forKey: .attempts)
      try container.encode(file.engine, forKey: .engine)
    }
  }

  static let columns = [
    Table.Column(title: "NAME", width: 16...100, keepsEnd: true),
    Table.Column(title: "TRIED", width: 5, alignsRight: true),
  ]

  func run() throws {
    let writer = ResultWriter()
    do {
      let catalogue = try Library.open(at: location, for: .reading).catalogue
      let table = Table(columns: Self.columns)
      if showsTable { try writer.write(line: table.heading) }
      var after: CatalogueFile.Cursor?
      repeat {
        let page = try catalogue.failures(code: nil, after: after, limit: 1_000)
        for file in page.files {
          guard showsTable else {
            try writer.write(line: JSONLine.text(Record(file: file)))
            continue
          }
          let problem = file.failure.map { "\($0.code.rawValue): \($0.message)" }
          try writer.write(
            lines: table.lines(
              Table.Row(
                cells: [Table.Cell(path: file.stamp.path), Table.Cell("\(file.attempts)")],
                notes: problem.map { [Table.Cell($0, .problem)] } ?? [])))
        }
        after = page.next
      } while after != nil
    } catch let error as LibraryError {
      throw error.fault
    } catch is ResultWriter.Closed {
      Batch.endLikeAnyOtherWriter()
    }
  }
}
