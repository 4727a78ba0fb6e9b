import ErrandKit

/// The redirect from a sentence to the form of the requested action, with its values filled in;
/// nothing runs until the form is sent.
struct SentencePage: Page {
  let context: PageContext

  func render() throws -> Reply {
    let sentence = context.parameter("q") ?? ""
    let found = try errand.understand(String(sentence.prefix(2_000)))
    guard let understood = found.first else {
      let near = errand.nearestSentences(to: sentence).map { near -> HTML in
        "<li><a href=\"/run/\(near.action.pathEncoded)\">\(near.action)</a> “\(near.sentence)”</li>"
      }
      return try shell(
        title: "Gallery", kind: "wide", current: "/gallery",
        """
        <main class="pane" id="list"><div class="head"><h1>Nothing fits “\(sentence)”</h1></div>\
        <div class="in-pad stack"><ul>\(near)</ul><p><a class="b" href="/gallery">Back</a></p></div></main>
        """)
    }
    let values = understood.arguments.map { "\($0.name.pathEncoded)=\($0.text.pathEncoded)" }
    return .redirect("/run/\(understood.action.pathEncoded)?\(values.joined(separator: "&"))")
  }
}
