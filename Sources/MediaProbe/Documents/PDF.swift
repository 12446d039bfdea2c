internal import CMediaShims
package import MediaModel

/// Finds the facts of a PDF with Poppler.
package enum PDF {
  static func apply(to info: inout MediaInfo, input: borrowing MediaInput) {
    var pages: Int32 = 0
    let status = mediatool_pdf_pages(input.handle, &pages)
    if let failure = failure(status: status.rawValue, input: input) {
      info.error = failure
    } else {
      info.pages = pages > 0 ? Int(pages) : nil
    }
  }

  /// The failure for a `mediatool_pdf_status`; nil on success.
  package static func failure(status: Int32, input: borrowing MediaInput) -> MediaFailure? {
    switch mediatool_pdf_status(rawValue: status) {
    case MEDIATOOL_PDF_OK: nil
    case MEDIATOOL_PDF_CLOSED where PDFEncryption.isDeclared(in: input.reader()): .encryptedDocument
    case MEDIATOOL_PDF_UNSUPPORTED:
      MediaFailure(.unsupported, "This build of libvips does not support PDF, which needs Poppler.")
    case MEDIATOOL_PDF_INPUT: .reading(input.handle)
    default: MediaFailure(.corrupt, "The document is damaged.")
    }
  }
}
