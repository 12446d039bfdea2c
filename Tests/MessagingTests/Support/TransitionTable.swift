internal import Testing

/// One row of a table of what a state machine does: an event at a time, and its effects in each state.
struct TransitionRow<Event: Sendable>: CustomTestStringConvertible, Sendable {
  let name: String
  let event: Event
  var time = 100.0
  /// By column: the state after it and the effects; `-` where nothing happens.
  let cells: [String]

  var testDescription: String { "\(name) at \(Int(time))" }

  /// Holds every cell against a machine in the state of its column.
  /// - Parameters:
  ///   - columns: The machines in the order of the cells, with the names of their states.
  ///   - handle: Gives the event to a machine: the name of its state after that, and those of the effects.
  func check<Machine>(
    _ columns: [(machine: Machine, state: String)], handle: (inout Machine) -> (state: String, effects: [String])
  ) throws {
    try #require(cells.count == columns.count)
    for (column, expected) in zip(columns, cells) {
      var machine = column.machine
      let (state, effects) = handle(&machine)
      let actual = ([state] + effects).joined(separator: " ")
      #expect(actual == (expected == "-" ? column.state : expected), "\(name) in \(column.state)")
    }
  }
}
