internal import MMSCodec
internal import Messaging

/// Any octets as a PDU: refused or read, and what is read is written so that it reads as before.
@_cdecl("mediatool_fuzz_pdu")
public func fuzzPDU(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let octets = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  guard let message = try? MMSMessage(decoding: octets) else { return }
  let slides = MessageSlides(of: message)
  for part in message.parts { _ = (part.name, part.text, part.parts) }
  _ = MessageModule.modules(of: message.moduleContent())
  _ = (message.subjectText, message.missingFields, slides.order)
  let written = try? message.encoded()
  guard let written, (try? MMSMessage(decoding: written)) == message else { fatalError("not read as before") }
}

/// Any octets as a presentation: read or not.
@_cdecl("mediatool_fuzz_smil")
public func fuzzSMIL(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let octets = [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  let part = MMSMessage.Part(contentType: ContentType("application/smil"), body: octets[...])
  guard let presentation = SMILPresentation(part) else { return }
  let written = MMSMessage.Part(
    contentType: ContentType("application/smil"), body: Array(presentation.xmlText.utf8)[...])
  guard SMILPresentation(written)?.slides.count == presentation.slides.count else { fatalError("not read as before") }
}
