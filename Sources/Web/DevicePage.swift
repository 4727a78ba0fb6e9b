/// The pages that a device shows while it signs in.
package enum DevicePage {
  /// The page that a code leads to: nothing happens before its button is pressed.
  package static func open(_ code: String) -> PageContext.Reply {
    page(
      "Sign in this device?",
      """
      <p>It can then read and change your library here, and run what you allowed, for 90 days. Settings, definitions and access stay with the computer.</p>\
      <form method="post" action="/pair"><input type="hidden" name="code" value="\(code)"><button class="b main">Sign in</button></form>
      """)
  }

  /// The page that waits for the person at the computer.
  package static func waiting(_ number: String) -> PageContext.Reply {
    page(
      "Confirm on the computer",
      """
      <p>The settings there ask whether this device may sign in, and show the same number:</p>\
      <p class="big num" role="status"><b>\(number)</b></p><meta http-equiv="refresh" content="2;url=/pair">
      """)
  }

  /// The page of a code that leads nowhere.
  package static var over: PageContext.Reply {
    PageContext.problem(
      status: 403, "this code was used already, was refused, or is too old",
      help: "Make a new one in the settings, on the computer.")
  }

  private static func page(_ title: String, _ content: HTML) -> PageContext.Reply {
    .page(
      status: 200,
      PageContext.document(
        title: title,
        """
        <body class="app"><main class="pane"><div class="empty">\(HTML.icon("device"))<h1>\(title)</h1>\(content)</div></main></body>
        """))
  }
}
