internal import FileSupport
internal import MediaModel

/// A 64-bit hash of everything that a rescan checks in a folder: while it is the same, no file in the folder has to be compared.
///
/// Not secure against an adversary, who could set a file's time back as well. It is stored: a change of its input or algorithm makes the next
/// scan compare every folder.
struct FolderFingerprint {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// - Parameter recipe: What the scan requests of each file, with the revision of the rules for renditions.
  init(recipe: ScanRecipe) {
    add(Array(recipe.words.utf8)[...])
    if !recipe.renditions.isEmpty { add(UInt64(RenditionRevision.current)) }
  }

  /// Adds a subfolder.
  mutating func add(folder name: ArraySlice<UInt8>) {
    add(1)
    add(name)
  }

  /// Adds a file that the walk visits.
  mutating func add(_ file: FolderWalk.File) {
    add(2)
    add(file.name)
    add(file.status.inode)
    add(UInt64(bitPattern: Int64(file.status.bytes)))
    add(UInt64(bitPattern: Int64(file.status.modified)))
  }

  private mutating func add(_ name: ArraySlice<UInt8>) {
    // FNV-1a, followed by the length, so that names cannot run together.
    name.withUnsafeBufferPointer { bytes in
      var hash = value
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      value = hash
    }
    add(UInt64(name.count))
  }

  private mutating func add(_ number: UInt64) {
    // The mixing step of SplitMix64.
    var mixed = value ^ number &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    value = mixed ^ mixed >> 31
  }
}
