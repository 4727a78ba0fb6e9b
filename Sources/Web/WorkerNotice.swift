import ErrandKit

extension PagePart {
  /// The notice that nobody does the jobs of the queue, with the button that starts a worker; nil
  /// while one runs.
  ///
  /// - Parameter path: The page to return to.
  func workerNotice(back path: String) -> HTML? {
    guard (try? reader.hasWorker()) != true else { return nil }
    let isStarting = errand.value(of: .worker) == "on"
    let more: HTML =
      isStarting
      ? "<p>It is there within a moment.</p>"
      : """
      <p>It fetches pages, takes in shares and runs automations. This server can run one, as long as it runs itself.</p>\
      <div class="line">\(form("/settings/worker", with: ["back": path], "<button class=\"b main\">\(HTML.icon("play"))Start the worker</button>"))</div>
      """
    return """
      <div class="notice warn" role="status">\(HTML.icon("robot"))<div>\
      <h2>\(isStarting ? "The worker is starting" : "No worker runs")</h2>\(more)</div></div>
      """
  }
}
