import CEL

/// How the steps of a block go on after one of them.
enum Flow {
  case next
  case breakLoop, continueLoop
  case stop
  case returned(Value)
}
