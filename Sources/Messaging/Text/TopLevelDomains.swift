/// The top-level domains that turn a host name without a scheme into a link.
///
/// Source: the ICANN section of the Public Suffix List (publicsuffix.org) of 2023-02-09, whose generic domains are
/// ICANN's list of 2023-01-30. It includes all country codes, the generic domains from before 2012, and widely used
/// newer ones. Any other host name needs `http://`: otherwise `thanks.Bro` would be a link, and so would every missing
/// space after a full stop.
enum TopLevelDomains {
  /// Maximum length of a label in bytes (RFC 1035).
  static let longestLabel = 63

  /// Whether a lower-case label ends a host name that needs no scheme.
  static func isKnown(_ label: String, hasPath: Bool) -> Bool {
    // Punycode is never accidental.
    if label.hasPrefix("xn--") { return true }
    return known.contains(label) && (hasPath || !fileExtensions.contains(label))
  }

  private static let known = Set(
    [countries, classic, recent].flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) })

  /// Domains that are usually file name extensions: they only count with a scheme or a path.
  private static let fileExtensions: Set = ["zip", "mov", "py", "sh", "rs", "md", "ps", "pm", "mk", "cab", "dot"]

  /// ISO 3166-1, with `ac`, `eu`, `su` and `uk`.
  private static let countries = """
    ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by
    bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj
    fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io
    iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg
    mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph
    pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx
    sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt
    za zm zw
    """

  /// Generic domains from before the round of 2012.
  private static let classic = """
    aero asia biz cat com coop edu gov info int jobs mil mobi museum name net org post pro tel travel xxx
    """

  /// Newer domains in wide use.
  private static let recent = """
    academy accountant agency apartments app art audio auto baby bank bar bargains beauty beer berlin best
    bible bike bio black blog blue boston boutique brussels build builders business buzz bzh cab cafe camera
    camp capital car care careers cars casa cash casino center chat cheap church city clinic clothing cloud
    club coach codes coffee college community company computer condos consulting contact cooking cool
    courses credit cricket cruises cymru dance date dating day deals delivery democrat dental design dev
    diamonds diet digital direct directory doctor dog dot download earth eco education email energy engineer
    engineering equipment estate eus events exchange expert express faith family fan fans farm fashion film
    finance financial fish fit fitness flights florist flowers football forsale foundation frl fun fund
    furniture futbol fyi gal gallery game games garden gay gent gifts gives glass global gmbh gold golf goog
    google graphics gratis green gripe group guide guitars guru hair hamburg health healthcare help hiphop
    hockey holdings holiday homes horse hospital host hosting hotels house how icu immo inc industries ink
    institute insure international investments irish ist istanbul jetzt jewelry kids kitchen kiwi koeln land
    lat law lawyer legal lgbt life lighting limited limo link live llc loan loans lol london love ltd luxury
    madrid management market marketing markets mba media melbourne miami money monster moscow mov movie
    nagoya network new news ngo ninja nrw nyc one ong online organic page paris partners parts party pet
    photo photography photos pics pictures pizza place plumbing plus poker press productions properties
    property pub quebec quest racing radio realestate recipes red rehab reise reisen rent rentals repair
    report rest restaurant review reviews rio rip rocks ruhr run saarland sale salon school schule science
    scot security services sex shoes shop shopping show singles site ski soccer social software solar
    solutions space sport store stream studio study style supplies supply support surf surgery swiss sydney
    systems taipei tattoo tax taxi team tech technology tennis theater tickets tienda tips tirol today tokyo
    tools top tours town toys trade training tube university uno vacations vegas ventures vet video villas
    vin vip vision vlaanderen vodka vote voyage wales wang watch website wedding wien wiki win wine work
    works world wtf xyz yachts yoga yokohama youtube zip zone
    """
}
