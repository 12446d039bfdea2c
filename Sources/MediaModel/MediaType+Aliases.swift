extension MediaType {
  /// The registered name of a card or a date under one of its older names; any other type as it is.
  ///
  /// Phones write the older ones in messages to this day: OMA-TS-MMS-CONF and 3GPP TS 26.140 name them.
  public var registered: MediaType { Self.olderNames[rawValue].map(MediaType.init(rawValue:)) ?? self }

  private static let olderNames: [String: String] = [
    // vCard 2.1 (versit, 1996), as OMA-TS-MMS-CONF has it.
    "text/x-vcard": "text/vcard",
    // RFC 2425 and 2426, whose `profile` is `vcard`; RFC 6350 §10.1 put text/vcard in its place.
    "text/directory": "text/vcard",
    // What web servers have sent; never registered.
    "application/vcard": "text/vcard",
    "application/x-vcard": "text/vcard",
    // vCalendar 1.0 (versit, 1996), as OMA-TS-MMS-CONF has it; RFC 5545 is its successor.
    "text/x-vcalendar": "text/calendar",
    // What mail programs have sent; never registered.
    "text/ical": "text/calendar",
    "text/x-icalendar": "text/calendar",
    "application/ics": "text/calendar",
  ]
}
