import CEL
import ForeignText

/// Finds the date that a page displays near its headline.
///
/// Every line with a date is a candidate, unless it belongs to other pages or to readers. The
/// nearest to the headline counts, with a preference for elements whose names indicate a date.
struct ShownDates {
  private let layout: PageLayout
  private let dates: PageDate
  private let isDayFirst: Bool
  private var found: [Candidate] = []

  /// A date that may be that of the publication.
  private struct Candidate {
    let moment: Timestamp
    let index: Int
    /// Whether the name of its element indicates a date.
    let isNamed: Bool
    let label: DateLabel?
    /// Whether it is next to other metadata.
    let isAmongFacts: Bool
  }

  /// A line of the page while it is being read.
  private struct Line {
    var text = ""
    var start: Int?
    /// The text before it in its block.
    var label = ""
  }

  private var line = Line()

  /// The length above which a line is prose; only its beginning may be a date.
  private static let longest = 160

  init(_ layout: PageLayout, dates: PageDate, isDayFirst: Bool) {
    self.layout = layout
    self.dates = dates
    self.isDayFirst = isDayFirst
    read()
  }

  /// The publication date; nil if undetermined.
  var published: Timestamp? {
    let first = found.filter { $0.label != .changed }
    return near(first) ?? first.first { $0.label == .published }?.moment ?? only(first)
      ?? first.first { $0.isAmongFacts && $0.index > layout.headline ?? .max }?.moment
      ?? near(found) ?? found.first { $0.label == .changed }?.moment
  }

  /// The date nearest to the headline; nil if none is near.
  private func near(_ candidates: [Candidate]) -> Timestamp? {
    guard layout.headline != nil else { return nil }
    let costs = candidates.map { ($0, cost($0)) }.filter { $0.1 < 1_500 }
    return costs.min { $0.1 < $1.1 }?.0.moment
  }

  private func cost(_ candidate: Candidate) -> Int {
    guard let headline = layout.headline else { return .max }
    let distance = layout.characters(from: candidate.index, to: headline)
    let isBefore = candidate.index < headline
    // The current date may be displayed above the headline.
    if candidate.isNamed { return isBefore ? 20 + distance * 2 : distance / 2 }
    if candidate.label == .published { return distance / 2 }
    return 100 + distance * (isBefore ? 4 : 2)
  }

  /// The date on which all elements named for a date agree; without a headline, the first in an
  /// article.
  private func only(_ candidates: [Candidate]) -> Timestamp? {
    let named = candidates.filter(\.isNamed)
    guard let first = named.first else { return nil }
    if layout.headline == nil, let own = named.first(where: { layout.isWithinArticle($0.index) }) {
      return own.moment
    }
    let isOne = named.allSatisfy { $0.moment.seconds / 86_400 == first.moment.seconds / 86_400 }
    return isOne ? first.moment : nil
  }

  // MARK: Lines

  private mutating func read() {
    let tree = layout.tree
    /// The ends of the enclosing blocks, innermost last.
    var ends: [Int] = []
    var index = 0
    while index < tree.nodes.count {
      let node = tree.nodes[index]
      while let end = ends.last, end <= index {
        endLine()
        ends.removeLast()
      }
      if layout.isHidden[index] || !node.isText && isOther(index) {
        index = max(node.end, index + 1)
        continue
      }
      if node.isText {
        add(node.text, at: index)
      } else if let moment = named(index) {
        add(moment, named: index)
        index = node.end
        continue
      } else if HTMLElement.isBlock(node.name) {
        endLine()
        ends.append(node.end)
      }
      index += 1
    }
    endLine()
  }

  private mutating func add(_ text: String, at index: Int) {
    guard line.text.utf8.count < Self.longest else { return }
    let clean = CleanText.collapsed(String(text.prefix(Self.longest)))
    guard !clean.isEmpty else { return }
    if line.start == nil { line.start = index }
    line.text += (line.text.isEmpty ? "" : " ") + clean
  }

  private mutating func add(_ moment: Timestamp, named index: Int) {
    found.append(
      Candidate(
        moment: moment, index: index, isNamed: true,
        label: DateLabel(line.text + " " + layout.line(of: index)),
        isAmongFacts: true))
  }

  private mutating func endLine() {
    defer { line = Line() }
    guard let start = line.start else { return }
    let isProse = line.text.utf8.count >= Self.longest
    var text = line.text
    if isProse {
      // The date of a report is before it, usually in brackets; any other must be labelled as
      // published.
      let first = text.unicodeScalars.first ?? " "
      let isFirst = first == "(" || ("0"..."9").contains(first)
      text = String(text.prefix(isFirst ? 40 : 100))
      guard
        isFirst || dates.shown(text, isDayFirst: isDayFirst) != nil && DateLabel(text) == .published
      else { return }
    }
    guard let moment = dates.shown(text, isDayFirst: isDayFirst) else { return }
    found.append(
      Candidate(
        moment: moment, index: start, isNamed: false,
        label: DateLabel(text),
        isAmongFacts: isAmongFacts(start)))
  }

  /// The date of an element whose name indicates one.
  private func named(_ index: Int) -> Timestamp? {
    let node = layout.tree.nodes[index]
    // The link of a post to itself shows its date.
    let isNamed =
      node.name == "time" || layout.clues[index] & NameClues.date != 0
      || node["rel"] == "bookmark"
    guard isNamed || node.name == "abbr" || node.name == "span", layout.characters(of: index) <= 100
    else { return nil }
    // A `title` attribute with a date, for the same date or for text such as “two hours ago”.
    let title = node["title"].flatMap { dates.shown($0, isDayFirst: isDayFirst) }
    guard isNamed else { return title }
    let shown = dates.shown(layout.line(of: index), isDayFirst: isDayFirst)
    let written = dates.timestamp(node["datetime"] ?? node["content"])
    // If they differ by more than a time zone, one is the date of a change.
    if let shown, let written, abs(shown.seconds - written.seconds) > 2 * 86_400 { return shown }
    return written ?? shown ?? title
  }

  /// Whether an element is about other pages, or not part of the text.
  private func isOther(_ index: Int) -> Bool {
    guard !layout.hasHeadline(index) else { return false }
    if layout.clues[index] & NameClues.elsewhere != 0 || layout.isOfOthers(index) { return true }
    let node = layout.tree.nodes[index]
    // The dates in a quoted post are not those of the page.
    if node.name == "blockquote" { return true }
    switch node["role"] {
    case "navigation", "complementary", "search", "dialog": return true
    default: break
    }
    return node.name == "article" && layout.headline.map { layout.isWithinArticle($0) } == true
      && layout.cards(of: index) > 0
  }

  /// Whether an element or one of its ancestors contains metadata such as author and date.
  private func isAmongFacts(_ index: Int) -> Bool {
    var index = layout.tree.nodes[index].parent
    for _ in 0..<4 where index >= 0 {
      if layout.clues[index] & NameClues.facts != 0 { return true }
      index = layout.tree.nodes[index].parent
    }
    return false
  }
}

/// The meaning of a date, from words next to it.
enum DateLabel {
  case published, changed

  /// Finds a label in a line; nil if there is none.
  init?(_ line: String) {
    let line = line.lowercased()
    if Self.changes.contains(where: { line.contains($0) }) {
      self = .changed
    } else if Self.publications.contains(where: { line.contains($0) })
      || Self.names.contains(where: { line.hasPrefix($0) })
    {
      self = .published
    } else {
      return nil
    }
  }

  private static let changes = [
    "updated", "last update", "revis", "modified", "aktualisier", "stand:", "geändert",
    "letzte änderung", "mis à jour", "modifié", "actualizad", "atualizad", "aggiornat",
    "bijgewerkt",
  ]
  private static let names = ["date ", "date:", "datum ", "datum:", "fecha ", "fecha:", "data:"]
  private static let publications = [
    "publish", "posted", "submitted", "veröffentlicht", "erschienen", "geschrieben", "verfasst",
    "erstellt", "gespeichert", "artikel wurde", "beitrag wurde", "artikel vom", "publié",
    "mis en ligne", "publicad", "pubblicat", "gepubliceerd", "geplaatst",
  ]
}
