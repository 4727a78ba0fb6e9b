import CEL
import Calendars
package import Engine
import ForeignText
import Links

/// A calendar of a server: CalDAV (RFC 4791), with its changes by sync token (RFC 6578) where it has them.
package struct ServerCalendar: CalendarPlace {
  /// The address, which ends with `/`.
  package let place: String
  package let name: String
  package private(set) var isReadOnly = false
  /// The kinds of components that it takes; empty if it does not say.
  package private(set) var components: [String] = []

  private let server: WebDAV
  /// The path of the collection, decoded.
  private let path: String

  private static let entriesPerRequest = 50

  init(_ place: String, name: String, _ server: WebDAV) {
    (self.place, self.name, self.server) = (place, name, server)
    path = (try? WebURL(place)).map { PercentEncoding.decode($0.path) } ?? ""
  }

  // MARK: - Finding

  /// Returns the calendar at an address, or those of the person whose login is used (RFC 6764 §6, RFC 5397,
  /// RFC 4791 §6.2.1); empty if there are none.
  ///
  /// - Throws: `denied`, `network`, `no-secret`.
  package static func all(
    at address: String, user: String?, secret: String?, _ run: Run
  ) throws -> [ServerCalendar] {
    let server = try WebDAV(run, user: user, secret: secret)
    let url = try WebURL(address)
    let known = try url.resolve("/.well-known/caldav").text
    for address in [address, known] {
      guard let own = try server.properties(of: address, properties)?.all.first else { continue }
      if let calendar = ServerCalendar(own, server) { return [calendar] }
      var home = own.link("calendar-home-set")
      if home == nil, let principal = own.link("current-user-principal") {
        let owner = try linked(principal, from: own.url)
        home = try server.properties(of: owner, properties)?.all.first?.link("calendar-home-set")
      }
      let place = try home.map { try linked($0, from: own.url) } ?? own.url.text
      let members = try server.properties(of: place, properties, depth: 1)?.all ?? []
      let calendars = members.compactMap { ServerCalendar($0, server) }
      if !calendars.isEmpty { return calendars }
    }
    return []
  }

  private static let properties = """
    <d:resourcetype/><d:displayname/><d:current-user-principal/><d:current-user-privilege-set/>\
    <c:calendar-home-set/><c:supported-calendar-component-set/>
    """

  /// The address that a resource refers to; the login is not sent to another site.
  private static func linked(_ reference: String, from url: WebURL) throws -> String {
    let place = try url.resolve(reference).text
    guard WebDAV.areOfOneSite(url.text, place) else {
      throw RunError(
        .denied, "\(url.host) has its calendars at \(WebDAV.host(of: place)), another site",
        help: "errand calendar add \(place), if you trust it with the login")
    }
    return place
  }

  /// The calendar that a resource is; nil for another one.
  private init?(_ resource: WebDAV.Resource, _ server: WebDAV) {
    guard resource.properties["resourcetype"]?["calendar"] != nil else { return nil }
    let text = resource.url.text
    let place = text.hasSuffix("/") ? text : text + "/"
    let given = resource.properties["displayname"]?.text ?? ""
    let last = place.split(separator: "/").last.map { PercentEncoding.decode($0) } ?? place
    self.init(place, name: given.isEmpty ? last : given, server)
    components =
      resource.properties["supported-calendar-component-set"]?.children.compactMap {
        $0.attributes["name"]?.text
      }
      ?? []
    if let set = resource.properties["current-user-privilege-set"], !set.children.isEmpty {
      let names = Set(set.children.flatMap(\.children).map(\.name))
      isReadOnly = names.isDisjoint(with: ["all", "write", "write-content", "bind"])
    }
  }

  // MARK: - Reading

  package func list(
    since state: String?, _ known: [String: String]
  ) throws -> (entries: [String: String], state: String?) {
    if let state, let changed = try changes(since: state, known) { return changed }
    // The state comes first, so that a change in between is told twice rather than not at all.
    let own = try server.properties(of: place, "<d:sync-token/>")?.all.first
    let all = try server.members(of: place, "<d:getetag/><d:resourcetype/>")
    var entries: [String: String] = [:]
    for resource in all.all where resource.status < 400 {
      guard let name = entryName(of: resource.url),
        resource.properties["resourcetype"]?["collection"] == nil
      else { continue }
      entries[name] = resource.properties["getetag"]?.text ?? ""
    }
    return (entries, own?.properties["sync-token"]?.text)
  }

  /// The entries by what has changed since a state; nil if the server does not know that.
  private func changes(
    since state: String, _ known: [String: String]
  ) throws -> (entries: [String: String], state: String?)? {
    var (entries, state) = (known, state)
    while true {
      let reply = try server.report(
        "d:sync-collection", on: place,
        """
        <d:sync-token>\(SafeHTML.escaped(state))</d:sync-token><d:sync-level>1</d:sync-level>\
        <d:prop><d:getetag/></d:prop>
        """, depth: 0)
      guard let reply, let next = reply.syncToken else { return nil }
      for resource in reply.all {
        guard let name = entryName(of: resource.url) else { continue }
        entries[name] =
          resource.status == 404 ? nil : resource.properties["getetag"]?.text ?? ""
      }
      let isOver = !reply.isCut || next == state
      state = next
      if isOver { return (entries, state) }
    }
  }

  /// The name of an entry by its address; nil for the collection itself and others.
  private func entryName(of url: WebURL) -> String? {
    let other = PercentEncoding.decode(url.path)
    guard other.hasPrefix(path) else { return nil }
    let name = String(other.dropFirst(path.count))
    return name.isEmpty || name.contains("/") ? nil : name
  }

  private func address(of name: String) -> String {
    place + PercentEncoding.encode(name, keeping: "@")
  }

  package func entries(_ names: [String]) throws -> [String: CalendarEntry] {
    var found: [String: CalendarEntry] = [:]
    for start in stride(from: 0, to: names.count, by: Self.entriesPerRequest) {
      let part = names[start..<min(names.count, start + Self.entriesPerRequest)]
      let links = part.compactMap { try? WebURL(address(of: $0)) }.map {
        "<d:href>\(SafeHTML.escaped($0.path))</d:href>"
      }
      let reply = try server.report(
        "c:calendar-multiget", on: place,
        "<d:prop><d:getetag/><c:calendar-data/></d:prop>" + links.joined(), depth: 0)
      for resource in reply?.all ?? [] {
        guard let name = entryName(of: resource.url),
          let text = resource.properties["calendar-data"]?.text, !text.isEmpty
        else { continue }
        let version = resource.properties["getetag"]?.text ?? ""
        found[name] = CalendarEntry(version: version, text: text)
      }
      // An entry with characters that XML cannot have makes the report unreadable.
      if reply == nil { for name in part { found[name] = try entry(name) } }
    }
    return found
  }

  private func entry(_ name: String) throws -> CalendarEntry? {
    let reply = try server.send("GET", address(of: name))
    switch reply.status {
    case 200:
      return CalendarEntry(
        version: reply.header("etag") ?? "", text: String(decoding: reply.body, as: UTF8.self))
    case 404, 410: return nil
    default: throw WebDAV.failure(reply)
    }
  }

  // MARK: - Writing

  package func write(_ name: String, _ text: String, over old: String?) throws -> CalendarAnswer {
    let condition = old.map { ("If-Match", $0) } ?? ("If-None-Match", "*")
    let reply = try server.send(
      "PUT", address(of: name),
      headers: [("Content-Type", "text/calendar; charset=utf-8"), condition], body: text)
    // Without a version the server has changed what it keeps (RFC 4791 §5.3.4), and the next sync reads it.
    let version = reply.header("etag") ?? ""
    let answer = try answer(reply, version: version, isGone: old != nil)
    guard case .done = answer, old == nil,
      let other = try otherName(of: name, text, reply, hasVersion: !version.isEmpty)
    else { return answer }
    return .moved(version: version, name: other)
  }

  /// The name under which a server stored a new entry: it says so, or does not have it under the name that it was
  /// given; nil for that name.
  private func otherName(
    of name: String, _ text: String, _ reply: HTTPReply, hasVersion: Bool
  ) throws -> String? {
    if let location = reply.header("location") {
      let other = try? entryName(of: WebURL(address(of: name)).resolve(location))
      return other == name ? nil : other
    }
    guard !hasVersion, try entry(name) == nil,
      let object = CalendarObject.all(in: CalendarComponent.all(in: Array(text.utf8))).first
    else { return nil }
    let found = try server.report(
      "c:calendar-query", on: place,
      """
      <d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
      <c:comp-filter name="\(object.main.name)"><c:prop-filter name="UID">\
      <c:text-match collation="i;octet">\(SafeHTML.escaped(object.uid))</c:text-match>\
      </c:prop-filter></c:comp-filter></c:comp-filter></c:filter>
      """, depth: 1)
    return found?.all.lazy.compactMap { entryName(of: $0.url) }.first
  }

  package func delete(_ name: String, at old: String) throws -> CalendarAnswer {
    let reply = try server.send("DELETE", address(of: name), headers: [("If-Match", old)])
    if [404, 410].contains(reply.status) { return .done("") }
    return try answer(reply, version: "", isGone: false)
  }

  /// - Parameter isGone: Whether an entry that is not there was changed meanwhile.
  private func answer(
    _ reply: HTTPReply, version: String, isGone: Bool
  ) throws -> CalendarAnswer {
    switch reply.status {
    case 200...299: return .done(version)
    case 412: return .changed
    case 404, 410: return isGone ? .changed : .refused("status \(reply.status)")
    case 400..<500, 507:
      // The precondition that it fails, such as `valid-calendar-data` (RFC 4791 §5.3.2.1).
      let reason = XMLNode(String(decoding: reply.body, as: UTF8.self))
      let name = reason?.name == "error" ? reason?.children.first?.name : nil
      return .refused(name ?? "status \(reply.status)")
    default: throw WebDAV.failure(reply)
    }
  }
}

extension FileCalendar {
  /// A calendar at an address, which is only read.
  init(_ address: String, _ server: WebDAV) {
    self.init(place: address) { address in
      let reply = try server.send("GET", address)
      guard reply.status == 200 else { throw WebDAV.failure(reply) }
      return reply.body
    }
  }
}
