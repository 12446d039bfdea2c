extension MediaType {
  /// The registered name for an older name of a contact or calendar type; any other type unchanged.
  ///
  /// Phones still write the older names in messages: OMA-TS-MMS-CONF and 3GPP TS 26.140 require them.
  public var registered: MediaType { Self.olderNames[rawValue].map(MediaType.init(rawValue:)) ?? self }

  private static let olderNames: [String: String] = [
    // vCard 2.1 (versit, 1996), as in OMA-TS-MMS-CONF.
    "text/x-vcard": "text/vcard",
    // RFC 2425 and 2426, with `profile=vcard`; RFC 6350 §10.1 replaced it with text/vcard.
    "text/directory": "text/vcard",
    // Sent by web servers; never registered.
    "application/vcard": "text/vcard",
    "application/x-vcard": "text/vcard",
    // vCalendar 1.0 (versit, 1996), as in OMA-TS-MMS-CONF; RFC 5545 succeeds it.
    "text/x-vcalendar": "text/calendar",
    // Sent by mail programs; never registered.
    "text/ical": "text/calendar",
    "text/x-icalendar": "text/calendar",
    "application/ics": "text/calendar",
  ]
}
