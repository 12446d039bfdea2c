internal import Testing

@testable internal import MediaModel
@testable internal import Thumbnails

@Suite("The choice of the renderer") struct ContentTests {
  @Test("no renderer takes a file of a type that has no image") func nothing() {
    let types = MediaType.known.keys.map { MediaType($0) } + [MediaType("application/x-unheard-of")]
    for type in types where !type.mayHaveImage {
      #expect(Content(MediaInfo(type: type, bytes: 1)) == .nothing, "\(type)")
    }
    #expect(types.filter { !$0.mayHaveImage }.count > 50)
  }
}
