extension WebURL {
  /// The URL of an address that was typed without a scheme, such as `swift.org/blog`; nil unless its
  /// host ends as hosts do, and as files do not.
  package static func typed(_ text: String) -> WebURL? {
    guard !text.contains("://"), !text.contains("@"), let url = try? WebURL("https://" + text),
      url.userinfo == nil
    else { return nil }
    let labels = url.host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty && $0.first != "-" }),
      let ending = labels.last, endings.contains(ending)
    else { return nil }
    return url
  }

  /// Endings of hosts: those of countries and the common generic ones, without those that are as
  /// common for files, such as `.md`, `.py`, `.rs`, `.sh` and `.zip`.
  private static let endings = Set(
    """
    ad ae af ag al ao aq ar at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by \
    ca cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm dz ec ee eg er et eu fi \
    fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu ie \
    il im io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz lb li lk lr ls lt lu lv \
    ly ma mc me mg mh mn mo mq mr mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om \
    pa pe pf pg ph pk pn pr pt pw qa re ro ru rw sa sb sd se sg si sk sl sm sn sr ss su sv sx \
    sy sz tc td tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vn vu wf \
    ws ye yt za zm zw ai es in id com org net edu gov mil int info biz name pro mobi travel \
    museum coop aero jobs arpa dev app blog cloud online site shop store tech xyz wiki page \
    news live media social video audio photo photos design art agency digital email games game \
    software systems network tools works world zone club cafe today life love fun space website \
    web press studio team academy school university institute science health care bank money \
    finance fyi guru ninja rocks earth green kitchen recipes recipe restaurant bar beer wine \
    coffee bike fit fitness yoga music radio theater film movie tube chat support guide expert \
    review reviews rent house land city berlin wien hamburg koeln bayern tirol paris london nyc \
    tokyo amsterdam brussels swiss scot wales cat eus gal bzh africa asia lat google microsoft \
    amazon apple goog youtube android
    """.split(separator: " "))
}
