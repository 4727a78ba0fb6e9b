package import Catalog
package import Engine
import Program

/// The reading of a sentence.
package enum SpokenReading {
  /// Calls of intents and shortcuts that are equally good; none if nothing fits.
  case calls([Understanding])
  case command(SpokenCommand)
  /// Sentences to do one after the other, of which the later ones are about the result before: `find the
  /// sourdough article and archive it`.
  case steps([String])

  /// The calls; none for a command and for several sentences.
  package var calls: [Understanding] {
    if case .calls(let calls) = self { calls } else { [] }
  }
}

/// A command of the program that a sentence asks for.
package struct SpokenCommand: Sendable {
  package let name: SpokenCommandName
  /// The words of the command before and after references of items.
  let head: [String]
  let tail: [String]
  /// The items that the sentence names.
  package let items: [SpokenItem]
  /// Whether it is about all of the items rather than one of them.
  package let takesAll: Bool
  /// The number of scalars of the sentence that any words may be.
  let open: Int
  /// Whether a word of it was misspelt, so that it is asked about before it changes something.
  package var isMisspelt = false
  /// The call that is done again.
  package var call: Understanding?

  /// Whether there are several items and it is not known which one is meant.
  package var isUnclear: Bool { !takesAll && items.count > 1 }

  /// The command about one of the items.
  package func about(_ item: SpokenItem) -> SpokenCommand {
    var command = SpokenCommand(
      name: name, head: head, tail: tail, items: [item], takesAll: true, open: open)
    command.isMisspelt = isMisspelt
    return command
  }

  /// The command with its arguments.
  package var words: [String] { head + items.map(\.reference) + tail }

  /// The line to type for it.
  package var line: String {
    (["errand"] + words.map(\.quotedForShell)).joined(separator: " ")
  }

  /// Whether it changes more than the tags or the title of one item, or is misspelt, so that it is asked about before.
  ///
  /// `delete` asks by itself.
  package var asksFirst: Bool {
    switch name {
    case .renameTag, .deleteTag: true
    case .tag, .untag: isMisspelt || items.count > 1
    case .rename, .undo: isMisspelt
    default: false
    }
  }
}
