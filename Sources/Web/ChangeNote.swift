import ErrandKit

/// The note of a change that a form made, with its undo.
extension PagePart {
  /// The address of a page, with a note of the change with a number; nil stands for no change.
  static func noting(
    _ number: Int64?, _ action: String, count: Int = 1, at path: String
  ) -> String {
    guard let number else { return path }
    let sign = path.contains("?") ? "&" : "?"
    return path + "\(sign)done=\(number)&did=\(action)" + (count == 1 ? "" : "&n=\(count)")
  }

  /// The note of a change that was just made.
  var toast: HTML? {
    guard let number = context.parameter("done").flatMap({ Int64($0) }) else { return nil }
    let query = context.query.filter { !["done", "did", "n"].contains($0.name) }
      .map { "\($0.name)=\($0.value.pathEncoded)" }.joined(separator: "&")
    let here =
      "/" + context.path.map(\.pathEncoded).joined(separator: "/")
      + (query.isEmpty ? "" : "?" + query)
    let did = context.parameter("did") ?? ""
    let sentences = [
      "tag": "Tag added", "untag": "Tag removed", "delete": "Deleted", "new": "Saved",
      "edit": "Saved", "undo": "Undone", "favourite": "Made a favourite",
      "unfavourite": "No longer a favourite", "pin": "Pinned", "unpin": "Unpinned",
      "read": "Marked as read", "unread": "Marked as to read", "archive": "Archived",
      "plain": "Taken off the reading list", "done": "Done", "undone": "Opened again",
      "place": "Moved", "rename-tag": "Tag renamed", "merge-tag": "Tags merged",
      "delete-tag": "Tag deleted",
    ]
    let sentence = sentences[did] ?? "Changed"
    let count = context.parameter("n").flatMap { Int($0) }
    return """
      <div class="toast" role="status"><span>\(sentence)\(count.map { ": \(Self.grouped($0))" } ?? "").</span>\
      <form method="post" action="/undo/\(number)">\(formToken)<input type="hidden" name="back" value="\(here)">\
      <button class="b plain">Undo</button></form></div>

      """
  }
}
