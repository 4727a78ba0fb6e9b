import Engine
import Items

/// `errand get`: shows items.
enum GetCommand {
  static let command = Command(
    "get", "show items", usage: "REF…",
    discussion: "A REF looks like link:42; a URL stands for its link.",
    serves: [.json, .format, .events, .answers], reads: .always
  ) { invocation, arguments in
    let session = try invocation.session()
    for item in try ItemWords(session).items(arguments.words) {
      try invocation.resultWriter.write(detail: item)
    }
    return ExitStatus.done
  }
}
