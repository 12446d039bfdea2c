internal import MediaModel
internal import MediaProbe
internal import Testing

@testable internal import Thumbnails

@Suite struct LoaderTests {
  @Test func `Every type in the table is a known image and unique`() {
    let types = Loader.table.flatMap(\.types)
    #expect(Set(types).count == types.count)
    for type in types {
      #expect(MediaType(type).kind == .image, "\(type)")
      #expect(MediaType(type).preferredExtension != nil, "\(type)")
    }
  }

  @Test func `Every type has the loader of its row`() {
    for row in Loader.table {
      for type in row.types { #expect(Loader(type: MediaType(type)) == row.loader) }
    }
    #expect(Loader(type: MediaType("image/x-unheard-of")) == nil)
  }

  /// What `make setup` installs has them all; a misspelt name has not.
  @Test func `Every format of the table is supported here`() {
    let support = Thumbnailer.imageSupport
    #expect(support.map(\.name) == Loader.table.map(\.format))
    for format in support { #expect(format.reads, "\(format.name)") }
    #expect(!Loader.libav(codec: "unheard of").isInstalled)
  }
}
