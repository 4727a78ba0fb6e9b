import ErrandKit

/// A notification whose actions can be chosen here, too: some browsers show few of them, or none.
struct NotificationPage: Page {
  let context: PageContext

  private var ticket: PushTickets.Ticket? {
    errand.places.flatMap { PushTickets($0).ticket(context["ticket"] ?? "") }
  }

  func render() throws -> Reply {
    guard let ticket else {
      return try shell(
        title: "Notification", kind: "wide", current: "/activity",
        """
        <main class="pane" id="list">\
        \(Self.empty("This notification was answered already, or is too old.", icon: "device"))</main>
        """)
    }
    let buttons: [HTML] = ticket.actions.enumerated().map { index, label in
      "<button class=\"b\(index == 0 ? " main" : "")\" name=\"action\" value=\"\(index)\">\(label)</button>"
    }
    return try shell(
      title: ticket.title, kind: "wide", current: "/activity",
      """
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1 dir="auto">\(ticket.title)</h1></div>
      <div class="in-pad stack measure"><p class="lines" dir="auto">\(ticket.text)</p>\
      <form class="line" method="post" action="/notification/\((context["ticket"] ?? "").pathEncoded)">\(formToken)\(buttons)</form>\
      \(ticket.page.map { "<p><a href=\"\($0)\">Open it</a></p>" as HTML })</div></main>
      """)
  }

  func submit() throws -> Reply {
    let page = ticket?.page
    try writer().answer(
      notification: context["ticket"] ?? "", with: Int(context.field("action") ?? "") ?? -1)
    return .redirect(page ?? "/activity")
  }
}
