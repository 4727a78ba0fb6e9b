/// A key that a person pressed.
enum Key: Equatable {
  case character(Character)
  case up, down, pageUp, pageDown, first, last
  case enter, mark, markAll
  case backspace, deleteWord, deleteLine
  case leave, interrupt
  /// The terminal is gone.
  case end
  /// One that means nothing here.
  case other
}
