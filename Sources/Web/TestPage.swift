import ErrandKit

/// The page of the tests of an intent or a shortcut, once they have run.
struct TestPage: Page {
  let context: PageContext

  private var name: String { context["name"] ?? "" }

  /// Redirects to the action’s form: a reloaded page has no result.
  func render() -> Reply { .redirect("/run/\(name.pathEncoded)") }

  func submit() throws -> Reply {
    let outcomes = try errand.test([name])
    let failed = outcomes.count { !$0.failures.isEmpty }
    let rows: [HTML] = outcomes.map { outcome in
      let failures: [HTML] = outcome.failures.map { "<p class=\"err\">\($0.message)</p>" }
      return """
        <li class="kv"><div class="line no top">\(HTML.icon(outcome.failures.isEmpty ? "check" : "alert"))<div>\(outcome.name)\(failures)</div></div></li>

        """
    }
    let sentence =
      outcomes.isEmpty
      ? "It has no tests."
      : failed == 0
        ? "All \(outcomes.count) tests passed." : "\(failed) of \(outcomes.count) tests failed."
    return try galleryPage(
      try action(name).title,
      """
      <div class="notice \(failed == 0 ? "good" : "bad")" role="status">\(HTML.icon(failed == 0 ? "check" : "alert"))<p>\(sentence)</p></div>\
      <ul>\(rows)</ul><div class="line"><a class="b" href="/run/\(name.pathEncoded)">Back</a>\
      <form method="post" action="/test/\(name.pathEncoded)">\(formToken)<button class="b">\(HTML.icon("again"))Test again</button></form></div>
      """)
  }
}
