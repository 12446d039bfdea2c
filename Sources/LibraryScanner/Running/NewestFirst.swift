package import MediaLibrary

/// The newest of the files to examine, by their last write, in a heap of fixed size. One walk over a million files finds those that a person
/// wants to see first, in bounded memory. The others follow in the usual order.
package struct NewestFirst {
  /// Number of files that come first; some ten megabytes.
  package static let capacity = 65_536

  private let capacity: Int
  /// A heap with the oldest file at the top.
  private var heap: [FileStamp] = []

  package init(capacity: Int = Self.capacity) { self.capacity = capacity }

  /// Inserts a file if it is among the newest so far.
  package mutating func insert(_ stamp: FileStamp) {
    if heap.count < capacity {
      heap.append(stamp)
      rise(heap.count - 1)
    } else if let oldest = heap.first, Self.isNewer(stamp, oldest) {
      heap[0] = stamp
      sink(0)
    }
  }

  /// The files in the heap, the newest first.
  package var sorted: [FileStamp] { heap.sorted(by: Self.isNewer) }

  private static func isNewer(_ one: FileStamp, _ other: FileStamp) -> Bool {
    (one.modified, other.path) > (other.modified, one.path)
  }

  private mutating func rise(_ place: Int) {
    var child = place
    while child > 0, Self.isNewer(heap[(child - 1) / 2], heap[child]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func sink(_ place: Int) {
    var parent = place
    while true {
      var oldest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && Self.isNewer(heap[oldest], heap[child])
      {
        oldest = child
      }
      guard oldest != parent else { return }
      heap.swapAt(parent, oldest)
      parent = oldest
    }
  }
}
