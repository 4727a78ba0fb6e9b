package import CEL
import Items
import JSON
import Program

/// The visible part of a run: its messages, presentations, questions with their answers, and its
/// end.
///
/// Its entries are numbered from 1. A later entry may replace an earlier one, such as a progress
/// report or a question that is asked again. It is bounded: of many entries the first and the
/// latest are kept. Not thread-safe; used under the run's lock.
package final class Transcript {
  /// An entry in the form for other programs, without its number.
  private struct Entry {
    /// The number of the entry whose place it takes, or its own.
    let place: Int
    let number: Int
    let fields: [(String, Value)]
    /// An estimate of its size in bytes.
    let size: Int
  }

  /// The entries by place, oldest first.
  private var entries: [Entry] = []
  private var last = 0
  /// An estimate of the size of all entries, in bytes.
  private var size = 0
  /// The number of omitted entries, which followed the first ones.
  private var omitted = 0
  /// The places of progress and activities by label and key.
  private var places: [String: Int] = [:]
  private var questions = 0
  /// The question asked last.
  private var asked: (key: String, prompt: String, place: Int)?
  /// Whether the next question may be the one that an earlier process left open.
  private var isResumed = false
  private let now: () -> Timestamp
  /// The secrets that no entry may have.
  private let secrets: KnownSecrets
  /// Whether entries are kept; a run that is neither recorded nor observed needs none.
  var isKept = true
  /// Receives each entry once its effects are committed; nil for none.
  package var deliver: ((Value) -> Void)?
  /// Entries that wait for a commit.
  private var undelivered: [Entry] = []
  /// Texts that were recorded before they are said.
  private var announced: [String] = []
  /// Whether it changed since its text was taken.
  private var isChanged = false
  /// The time from which the text of a long one is taken again.
  private var nextText: Int64 = 0
  package private(set) var hasEnded = false

  /// The numbers of first and of latest entries that are kept.
  private static let (firstKept, lastKept) = (200, 800)
  /// The maximum size of all entries.
  private static let sizeLimit = 256 << 10
  /// The size up to which it is written with every commit.
  private static let shortSize = 32 << 10

  init(now: @escaping () -> Timestamp, hiding secrets: KnownSecrets) {
    self.now = now
    self.secrets = secrets
  }

  // MARK: Recording

  /// Records a sentence.
  func say(_ text: String) {
    if let index = announced.firstIndex(of: text) {
      announced.remove(at: index)
      return flush()
    }
    add("say", [("text", .string(TranscriptForm.cut(text)))])
    flush()
  }

  /// Records the last sentence of a run ahead of the commit that precedes it.
  func announce(_ text: String) {
    guard isKept else { return }
    // The front gets it masked, too.
    announced.append(secrets.masked(text))
    add("say", [("text", .string(TranscriptForm.cut(text)))])
  }

  func show(_ presentation: Presentation) {
    guard isKept else { return }
    add("show", TranscriptForm.fields(of: presentation))
    flush()
  }

  func progress(_ progress: Progress) {
    guard isKept else { return }
    add(
      "progress", TranscriptForm.fields(of: progress), named: "progress \(progress.label ?? "")")
    if progress.isOver { places["progress \(progress.label ?? "")"] = nil }
    flush()
  }

  func activity(_ activity: Activity) {
    guard isKept else { return }
    add("activity", activity.fields.filter { $0.0 != "kind" }, named: "activity \(activity.key)")
    flush()
  }

  /// Records a question; one that is asked again with a problem keeps its place.
  package func ask(_ question: Question) {
    guard isKept else { return }
    let isAgain =
      (question.problem != nil || isResumed) && asked?.key == question.key
      && asked?.prompt == question.prompt
    isResumed = false
    if !isAgain { questions += 1 }
    let place = add(
      "question", [("question", .int(Int64(questions)))] + TranscriptForm.fields(of: question),
      at: isAgain ? asked?.place : nil)
    asked = (question.key, question.prompt, place)
    flush()
  }

  /// Records the answer to the question asked last; nil if the person left it.
  func answer(_ reply: Reply?, to question: Question) {
    guard isKept, let place = asked?.place else { return }
    var question = question
    question.problem = nil
    let end: (String, Value) =
      reply.map { ("answer", TranscriptForm.value(of: $0, to: question)) }
      ?? ("left", .bool(true))
    add(
      "question",
      [("question", .int(Int64(questions)))] + TranscriptForm.fields(of: question) + [end],
      at: place)
    flush()
  }

  /// Records a result.
  ///
  /// - Parameter isSaid: Whether the last sentence has said it.
  func result(_ presentation: Presentation, isSaid: Bool) {
    guard isKept else { return }
    var fields = TranscriptForm.fields(of: presentation, isSaid: isSaid)
    fields.append(("value", TranscriptForm.value(presentation.value)))
    add("result", fields)
  }

  /// Records the end of a run, with its error if it failed.
  func end(_ state: String, _ error: RunError? = nil) {
    guard isKept, !hasEnded else { return }
    if let error { add("error", TranscriptForm.fields(of: error)) }
    add("ended", [("state", .string(state))])
    hasEnded = true
  }

  /// Discards the entries of a commit that failed.
  func takeBack() {
    let lost = Set(undelivered.map(\.number))
    entries.removeAll { lost.contains($0.number) }
    size = entries.reduce(0) { $0 + $1.size }
    (undelivered, announced) = ([], [])
    hasEnded = false
  }

  /// Delivers the entries recorded so far.
  func flush() {
    if let deliver { for entry in undelivered { deliver(Self.value(of: entry)) } }
    undelivered = []
  }

  @discardableResult
  private func add(
    _ kind: String, _ fields: [(String, Value)], named name: String? = nil, at place: Int? = nil
  ) -> Int {
    guard isKept else { return 0 }
    last += 1
    let place = place ?? name.flatMap { places[$0] } ?? last
    // Results and failures arrive here unmasked.
    let fields = secrets.isUsed ? fields.map { ($0.0, secrets.masked($0.1)) } : fields
    let entry = Entry(
      place: place, number: last,
      fields: [("time", .timestamp(now())), ("kind", .string(kind))] + fields,
      size: 64 + fields.reduce(0) { $0 + $1.0.utf8.count + TranscriptForm.size(of: $1.1) })
    if let name { places[name] = place }
    put(entry)
    undelivered.append(entry)
    return place
  }

  private func put(_ entry: Entry) {
    isChanged = true
    size += entry.size
    if entry.place < entry.number, let index = entries.lastIndex(where: { $0.place == entry.place })
    {
      size -= entries[index].size
      entries[index] = entry
    } else {
      entries.append(entry)
    }
    while entries.count > Self.firstKept + Self.lastKept
      || size > Self.sizeLimit && entries.count > 1
    {
      let index = min(Self.firstKept, entries.count / 2)
      size -= entries.remove(at: index).size
      omitted += 1
    }
  }

  private static func value(of entry: Entry) -> Value {
    var head: [(String, Value)] = [("number", .int(Int64(entry.number)))]
    if entry.place < entry.number { head.append(("replaces", .int(Int64(entry.place)))) }
    return .record(head + entry.fields)
  }

  // MARK: Storing

  /// The JSON text of all entries, if it has changed since the last call.
  ///
  /// A long one is returned once a second, and at the end.
  /// - Parameter time: The monotonic time, in nanoseconds.
  func takeText(at time: Int64, isLast: Bool) -> String? {
    guard isChanged, isKept, isLast || size < Self.shortSize || time >= nextText else { return nil }
    isChanged = false
    nextText = time + 1_000_000_000
    return try? JSONWriter().text(
      of: .record([
        ("last", .int(Int64(last))), ("questions", .int(Int64(questions))),
        ("omitted", .int(Int64(omitted))), ("entries", .list(entries.map(Self.value))),
      ]))
  }

  /// Continues the transcript of an earlier process.
  func resume(_ text: String) {
    guard entries.isEmpty, let kept = StoredTranscript(text) else { return }
    defer { if deliver != nil { for entry in entries { deliver?(Self.value(of: entry)) } } }
    (last, omitted, questions) = (kept.last, kept.omitted, kept.questions)
    for value in kept.entries {
      guard let map = value.asMap, let number = map["number"]?.asInt else { continue }
      let place = map["replaces"]?.asInt ?? number
      let fields = map.entries.map { ($0.key.text, $0.value) }
        .filter { $0.0 != "number" && $0.0 != "replaces" }
      // It has not ended after all.
      if map["kind"] == "ended" { continue }
      let entry = Entry(
        place: Int(place), number: Int(number), fields: fields,
        size: TranscriptForm.size(of: value))
      size += entry.size
      entries.append(entry)
    }
    if let open = kept.entries.last(where: { $0.asMap?["kind"] == "question" })?.asMap,
      open["answer"] == nil, let number = open["replaces"]?.asInt ?? open["number"]?.asInt
    {
      asked = (open["key"]?.asText ?? "", open["prompt"]?.asText ?? "", Int(number))
      isResumed = true
    }
  }
}

/// A transcript as stored with its run.
package struct StoredTranscript {
  /// The number of the last entry.
  let last: Int
  let questions: Int
  /// The number of omitted entries.
  package let omitted: Int
  /// The entries by place, oldest first.
  package let entries: [Value]

  /// Parses the text of a transcript; nil if it is invalid.
  package init?(_ text: String) {
    guard let map = (try? JSONParser().parse(text))?.asMap, let entries = map["entries"]?.asList
    else { return nil }
    self.entries = entries
    last = Int(clamping: map["last"]?.asInt ?? 0)
    questions = Int(clamping: map["questions"]?.asInt ?? 0)
    omitted = Int(clamping: map["omitted"]?.asInt ?? 0)
  }
}

/// A front that records what passes through it in a transcript.
final class RecordingFront: Front {
  private let front: any Front
  private let transcript: Transcript

  init(_ front: any Front, _ transcript: Transcript) {
    self.front = front
    self.transcript = transcript
    front.begin(transcript)
  }

  var canAnswer: Bool { front.canAnswer }
  var observesSteps: Bool { front.observesSteps }

  func say(_ text: String) {
    transcript.say(text)
    front.say(text)
  }

  func notify(_ notification: DesktopNotification) { front.notify(notification) }

  func show(_ presentation: Presentation) {
    transcript.show(presentation)
    front.show(presentation)
  }

  func result(_ presentation: Presentation) { front.result(presentation) }

  func wroteResult(_ presentation: Presentation) { front.wroteResult(presentation) }

  func failed(_ message: String) { front.failed(message) }

  func step(_ path: [String]) { front.step(path) }

  func progress(_ progress: Progress) {
    transcript.progress(progress)
    front.progress(progress)
  }

  func activity(_ activity: Activity) {
    transcript.activity(activity)
    front.activity(activity)
  }

  func ask(_ question: Question) throws -> Reply {
    transcript.ask(question)
    do {
      let reply = try front.ask(question)
      transcript.answer(reply, to: question)
      return reply
    } catch {
      // A durable run that is suspended asks again.
      if (error as? Cancellation)?.reason != .suspended {
        transcript.answer(nil, to: question)
      }
      throw error
    }
  }
}
