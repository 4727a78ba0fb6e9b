import CEL
import Program
import Store

/// A front that hears and shows no secret that the run knows.
final class MaskedFront: Front {
  private let front: any Front
  private let secrets: KnownSecrets

  init(_ front: any Front, _ secrets: KnownSecrets) {
    self.front = front
    self.secrets = secrets
  }

  var canAnswer: Bool { front.canAnswer }
  var observesSteps: Bool { front.observesSteps }

  func say(_ text: String) { front.say(secrets.masked(text)) }

  // Its texts were masked when it was made.
  func notify(_ notification: DesktopNotification) { front.notify(notification) }

  func show(_ presentation: Presentation) { front.show(masked(presentation)) }

  func result(_ presentation: Presentation) { front.result(masked(presentation)) }

  func wroteResult(_ presentation: Presentation) { front.wroteResult(masked(presentation)) }

  func step(_ path: [String]) { front.step(path.map(secrets.masked)) }

  func progress(_ progress: Progress) {
    front.progress(
      Progress(
        progress.label.map(secrets.masked), done: progress.done, total: progress.total,
        unit: progress.unit, isOver: progress.isOver))
  }

  func activity(_ activity: Activity) { front.activity(activity) }

  func ask(_ question: Question) throws -> Reply {
    let kind: Question.Kind =
      if case .choice(let choices, let many) = question.kind {
        .choice(
          choices.map {
            Question.Choice(
              title: secrets.masked($0.title), subtitle: $0.subtitle.map(secrets.masked),
              reference: $0.reference)
          }, many: many)
      } else {
        question.kind
      }
    var masked = Question(kind, key: question.key, prompt: secrets.masked(question.prompt))
    masked.defaultText = question.defaultText.map(secrets.masked)
    masked.suggestions = question.suggestions.map(secrets.masked)
    masked.problem = question.problem.map(secrets.masked)
    return try front.ask(masked)
  }

  private func masked(_ presentation: Presentation) -> Presentation {
    let layout: Presentation.Layout =
      switch presentation.layout {
      case .text(let text): .text(secrets.masked(text))
      case .cards(let cards): .cards(cards.changed(masked))
      case .table(let columns, let rows):
        .table(columns: columns.map(secrets.masked), rows: rows.map { $0.map(secrets.masked) })
      case .fields(let fields):
        .fields(fields.map { (secrets.masked($0.name), secrets.masked($0.text)) })
      }
    return Presentation(layout, value: secrets.masked(presentation.value))
  }

  private func masked(_ card: Presentation.Card) -> Presentation.Card {
    let title = secrets.masked(card.title)
    var masked = Presentation.Card(
      title: title, subtitle: card.subtitle.map(secrets.masked), reference: card.reference)
    masked.warnings = card.warnings.map(secrets.masked)
    masked.marks = card.marks.map(secrets.masked)
    // Where words of a search stand in it is not known of a text that was changed.
    if title == card.title { masked.markedTitle = card.markedTitle }
    if let snippet = card.snippet, secrets.masked(snippet.text) == snippet.text {
      masked.snippet = snippet
    }
    return masked
  }
}
