import CEL
import JSON
import Source

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// cel-eval EXPRESSION [NAME=JSON…]: checks and evaluates one expression, and prints the value.

/// Prints a line on standard error.
func warn(_ message: String) {
  var line = message + "\n"
  line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

/// Prints what is wrong with the expression, with a caret under the place.
func fail(_ file: SourceFile, _ message: String, at range: Range<Int>?, help: String? = nil) {
  let span = range.map { Span(file, $0) }
  let diagnostic = Diagnostic("expression", message, at: span, help: help)
  warn(diagnostic.rendered())
}

var arguments = CommandLine.arguments.dropFirst()
let isUnchecked = arguments.first == "--unchecked"
if isUnchecked { arguments.removeFirst() }
guard let text = arguments.popFirst() else {
  warn("usage: cel-eval [--unchecked] EXPRESSION [NAME=JSON…]")
  exit(2)
}
var environment = Environment()
var values: [String: Value] = [:]
for argument in arguments {
  let parts = argument.split(separator: "=", maxSplits: 1)
  guard parts.count == 2, let value = try? JSONParser().parse(String(parts[1])) else {
    warn("cel-eval: a variable is NAME=JSON: \(argument)")
    exit(2)
  }
  values[String(parts[0])] = value
  environment.variables[String(parts[0])] = .dyn
}
let file = SourceFile(name: "expression", text: text)
do {
  let expression = try Expression.parse(text)
  if !isUnchecked {
    let problems = environment.check(expression).problems
    if !problems.isEmpty { throw ExpressionError(problems) }
  }
  print(try environment.compile(expression).evaluate(values))
} catch let error as ExpressionError {
  for problem in error.problems {
    fail(file, problem.message, at: problem.range, help: problem.help)
  }
  exit(2)
} catch let error as EvaluationError {
  fail(file, error.message, at: error.focus)
  exit(1)
}
