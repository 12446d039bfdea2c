internal import FileSupport
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Bytes in memory as a file") struct MemoryFileTests {
  @Test("The content is what was appended") func content() throws {
    var file = try MemoryFile(limit: 10)
    try file.append([1, 2])
    try file.append([])
    try file.append([3])
    #expect(file.count == 3)
    let descriptor = file.finish()
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(pread(descriptor, &bytes, 10, 0) == 3)
    #expect(bytes.prefix(3) == [1, 2, 3])
  }

  @Test("A finished file can be neither changed nor resized") func sealed() throws {
    var file = try MemoryFile(limit: 10)
    try file.append([1, 2, 3])
    let descriptor = file.finish()
    defer { close(descriptor) }
    #expect(pwrite(descriptor, [9], 1, 0) == -1)
    #expect(pwrite(descriptor, [9], 1, 3) == -1)
    #expect(ftruncate(descriptor, 0) == -1)
    #expect(ftruncate(descriptor, 100) == -1)
    // Not by a new descriptor either.
    let again = open("/proc/self/fd/\(descriptor)", O_RDWR | O_CLOEXEC)
    defer { if again >= 0 { close(again) } }
    #expect(again < 0 || pwrite(again, [9], 1, 0) == -1)
    #expect(mmap(nil, 3, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) == MAP_FAILED)
    #expect(try FileStatus(descriptor: descriptor).bytes == 3)
  }

  @Test("A file above its limit of memory has the same content, and cannot be written to", arguments: 0...4)
  func spooled(maxMemory: Int) throws {
    var file = try MemoryFile(limit: 10, maxMemory: maxMemory)
    try file.append([1, 2])
    try file.append([3])
    try file.append([4])
    #expect(file.count == 4)
    let descriptor = file.finish()
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(pread(descriptor, &bytes, 10, 0) == 4)
    #expect(bytes.prefix(4) == [1, 2, 3, 4])
    #expect(pwrite(descriptor, [9], 1, 0) == -1)
    #expect(try FileStatus(descriptor: descriptor).bytes == 4)
  }

  @Test("Bytes past the limit are tooLarge, and earlier ones are kept") func limit() throws {
    var file = try MemoryFile(limit: 3)
    try file.append([1, 2])
    do throws(MediaFailure) {
      try file.append([3, 4])
      Issue.record("taken")
    } catch {
      #expect(error.code == .tooLarge)
    }
    try file.append([3])
    #expect(file.count == 3)
  }
}
