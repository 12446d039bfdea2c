internal import CMediaShims
internal import MediaModel

/// Facts of a PDF, through Poppler.
enum PDF {
  static func apply(to info: inout MediaInfo, input: borrowing MediaInput) {
    var pages: Int32 = 0
    switch mediatool_pdf_pages(input.handle, &pages) {
    case MEDIATOOL_PDF_OK: info.pages = pages > 0 ? Int(pages) : nil
    case MEDIATOOL_PDF_ENCRYPTED: info.error = .encryptedDocument
    case MEDIATOOL_PDF_UNSUPPORTED: info.error = MediaFailure(.unsupported, "PDF documents are not supported here.")
    case MEDIATOOL_PDF_INPUT: info.error = .reading(input.handle)
    default: info.error = MediaFailure(.corrupt, "The document is damaged.")
    }
  }
}
