/// A command of the program that a sentence may ask for, by its name in vocabularies, or a choice of items
/// that such a sentence may name.
package enum SpokenCommandName: String, CaseIterable, Sendable {
  /// Undoes the last change.
  case undo
  /// Deletes `{items}`.
  case delete
  /// Adds `{tags}` to `{items}`, or removes them.
  case tag, untag
  /// Gives the one of `{items}` another `{title}`.
  case rename
  /// Gives `{tag}` the name `{new}`; deletes it.
  case renameTag = "rename-tag"
  case deleteTag = "delete-tag"
  /// Counts with `{a}` and `{b}`, or with the numbers and signs of `{sum}`.
  case plus, minus, times, divided, percent, sum
  /// Tells the days to `{day}`, or the day of the week that it is.
  case days, weekday
  /// Shows some of the sentences that are understood.
  case help
  /// In a conversation, does the last call again with the value `{rest}`: instead of what it did, or besides.
  case correct, again
  /// Does nothing, for a sentence that takes the last one back before anything was done.
  case nothing
  /// Items with `{tag}`, and tasks that are done, where a sentence names items.
  case tagged, done

  /// Whether it is a choice of items rather than a command.
  package var isChoice: Bool { self == .tagged || self == .done }
}
