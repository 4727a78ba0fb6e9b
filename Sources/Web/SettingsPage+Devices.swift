import ErrandKit

/// The part of the settings about the browsers and devices that are signed in.
extension SettingsPage {
  func devices() throws -> HTML {
    let access = context.devices
    let rows: [HTML] = access.list().map { entry in
      let until = Day(Errand.day(atSecond: entry.expires)).flatMap { day in
        Day(context.today).map { day.words(from: $0) }
      }
      let badge: HTML? = entry.isThis ? " <span class=\"badge green\">This one</span>" : nil
      return """
        <li class="kv"><div><b dir="auto">\(entry.name)</b>\(badge)<p class="hint">Until \(until ?? "")</p></div>\
        \(form(
          "/settings/sign-out", with: ["name": entry.id],
          "<button class=\"b bad small\" aria-label=\"Sign out: \(entry.name)\">Sign out</button>"))</li>

        """
    }
    return """
      <section class="section" id="devices"><h2>Devices</h2><div id="claim">\(access.claim().map(question) ?? invitation)</div><ul>\(rows)</ul>\(inviting)</section>

      """
  }

  private func question(_ claim: DeviceAccess.Claim) -> HTML {
    """
    <form class="ask cut" method="post" action="/settings/device" role="alert">\(formToken)<input type="hidden" name="name" value="\(claim.id)">\
    <p><b dir="auto">\(claim.name)</b> wants to sign in. It shows the number <b class="num">\(claim.number)</b>.</p>\
    <div class="line"><button class="b main" name="allowed" value="yes">Let it sign in</button>\
    <button class="b" name="allowed" value="no">Refuse</button></div></form>
    """
  }

  /// The code to scan, as long as it can be used.
  private var invitation: HTML? {
    guard let address = context.devices.address, let code = context.parameter("code"),
      context.devices.isOpen(code)
    else { return nil }
    let target = "\(address)/pair/\(code)"
    return """
      <noscript><meta http-equiv="refresh" content="3"></noscript><div class="notice good cut">\(HTML.icon("device"))<div><h3>Scan this with the phone</h3>\
      <p>It holds for two minutes, and once. Then confirm the phone here.</p>\(QRCode(target)?.svg)<p class="hint wrap-any">\(target)</p></div></div>
      """
  }

  private var inviting: HTML? {
    if context.devices.isDevice { return nil }
    guard context.devices.address != nil else {
      return """
        <p class="hint cut">A phone can sign in once it reaches this page by https: let a proxy of yours serve it, and start \
        <code>errand serve --behind-proxy https://errand.example</code> with its address. Nothing is opened by itself.</p>
        """
    }
    let button = form(
      "/settings/invite", "<button class=\"b\">\(HTML.icon("device"))Sign in a phone</button>")
    return "<div class=\"cut\">\(button)</div>"
  }

  /// Processes a form about devices.
  func changeDevices(_ action: String) throws -> Reply {
    let access = context.devices
    let name = context.field("name") ?? ""
    switch action {
    case "sign-out": try access.remove(name)
    case "device": try access.settle(name, context.field("allowed") == "yes")
    default:
      guard access.address != nil else { throw ErrandError.missingPage(action) }
      let code = try access.invite()
      return .redirect("/settings?code=\(code)#devices")
    }
    return .redirect("/settings#devices")
  }
}
