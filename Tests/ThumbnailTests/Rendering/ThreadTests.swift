internal import CMediaShims
internal import Foundation
internal import Testing

@Suite("Concurrent rendering") struct ThreadTests {
  @Test("Run-time code of libvips is allocated and freed under our lock")
  func theLockIsInPlace() {
    var error = mediatool_vips_error()
    #expect(mediatool_vips_start(&error) == 0)
    #expect(mediatool_vips_vectors_locked() != 0)
  }

  /// What libvips does for each image that it makes smaller. Without the lock this ends the process, which no expectation could say.
  @Test func `Code generation on four threads is serialised`() throws {
    var error = mediatool_vips_error()
    #expect(mediatool_vips_start(&error) == 0)
    guard let maker = CodeMaker() else {
      print("Skipped: this libvips makes no code at run time, so there is nothing to lock.")
      return
    }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<5_000 { maker.makeAndFree() }
    }
  }
}

/// The functions of Orc as libvips finds them.
private struct CodeMaker: Sendable {
  private typealias New = @convention(c) () -> OpaquePointer?
  private typealias Add = @convention(c) (OpaquePointer, CInt, UnsafePointer<CChar>) -> CInt
  private typealias Append =
    @convention(c) (
      OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Void
  private typealias Compile = @convention(c) (OpaquePointer) -> CInt
  private typealias Free = @convention(c) (OpaquePointer) -> Void

  private let new: New
  private let addDestination: Add
  private let addSource: Add
  private let append: Append
  private let compile: Compile
  private let free: Free

  init?() {
    func find<Function>(_ name: String, as type: Function.Type) -> Function? {
      dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }
    guard let new = find("orc_program_new", as: New.self),
      let addDestination = find("orc_program_add_destination", as: Add.self),
      let addSource = find("orc_program_add_source", as: Add.self),
      let append = find("orc_program_append_str", as: Append.self),
      let compile = find("orc_program_compile", as: Compile.self), let free = find("orc_program_free", as: Free.self)
    else { return nil }
    (self.new, self.addDestination, self.addSource) = (new, addDestination, addSource)
    (self.append, self.compile, self.free) = (append, compile, free)
  }

  /// A loop that adds bytes to bytes.
  func makeAndFree() {
    guard let program = new() else { return }
    _ = addDestination(program, 1, "d1")
    _ = addSource(program, 1, "s1")
    append(program, "addb", "d1", "d1", "s1")
    _ = compile(program)
    free(program)
  }
}
