import ErrandKit
import POSIX

/// The part of the settings about sharing the library with other machines.
extension SettingsPage {
  func hub() throws -> HTML {
    guard let hub = try reader.hub() else {
      return """
        <section class="section" id="hub"><h2>Hub</h2><p class="hint cut">This library has no hub. \
        <code>errand hub join</code> connects it to one.</p></section>

        """
    }
    let facts: [(String, HTML?)] = [
      ("Last sync", time(hub["synced"]?.string) ?? "never"), ("Not sent", count(hub["unsent"])),
      ("Cannot be merged yet", count(hub["unread"])), ("Conflicts", count(hub["conflicts"])),
    ]
    return """
      <section class="section" id="hub"><h2>Hub</h2><div class="cut stack tight">\
      <p class="hint">Joined as <bdi>\(hub["machine"]?.string ?? "")</bdi></p>\
      <dl class="facts num">\(facts.map { "<dt>\($0)</dt><dd>\($1)</dd>" as HTML })</dl>\
      <form class="line" method="post" action="/settings/sync">\(formToken)<button class="b">Sync now</button></form></div>\
      \(try reader.conflicts().map(conflict))</section>

      """
  }

  private func count(_ value: JSONValue?) -> HTML { "\(Self.grouped(Int(value?.int ?? 0)))" }

  private func conflict(_ conflict: MergeConflict) -> HTML {
    """
    <form class="kv" method="post" action="/settings/conflict">\(formToken)<input type="hidden" name="number" value="\(conflict.number)">\
    <div><b dir="auto">\(conflict.item)</b> \(conflict.summary)<p class="hint" dir="auto">Lost: \(conflict.lost.prefix(200))</p>\
    <p class="hint" dir="auto">Kept: \(conflict.kept.prefix(200))</p></div>\
    <span class="line no"><button class="b small" name="restore" value="1">Take what was lost</button>\
    <button class="b small">Forget</button></span></form>

    """
  }

  /// The time limit of a sync; the next one resumes where it stopped.
  private static let syncLimit = Duration.seconds(120)

  /// Syncs the library, and reports the result.
  func sync() throws -> Reply {
    let sync = try errand.sync()
    let end = MonotonicClock.nanoseconds + Self.syncLimit.nanoseconds
    do {
      let counts = try sync.result { _ in
        if MonotonicClock.nanoseconds > end { sync.cancel() }
      }
      return try render(
        notice: Self.notice(
          "good", icon: "check", title: "The library is synced",
          "<p>\(count(counts["sent"])) sent, \(count(counts["changed"])) changed here.</p>"))
    } catch let error as ErrandError {
      let help: HTML? = error.help.map { "<p>\($0)</p>" }
      return try render(
        notice: Self.notice(
          "warn", icon: "alert", title: "The sync did not end",
          "<p>\(Self.sentence(error))</p>\(help)"))
    }
  }

  /// Removes a conflict; restores the losing value if the form asks for it.
  func settleConflict() throws -> Reply {
    guard let number = context.field("number").flatMap({ Int64($0) }) else {
      throw ErrandError.missingPage("conflict")
    }
    let sentence = try writer().settle(conflict: number, restoring: context.field("restore") != nil)
    return try render(notice: Self.notice("good", icon: "check", title: sentence, ""))
  }
}
