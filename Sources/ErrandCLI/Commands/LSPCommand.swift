import ErrandKit
import Glibc
import LanguageServer

/// `errand lsp`: a language server for definitions.
enum LSPCommand {
  static let command = Command(
    "lsp", "serve editors: mistakes, completion, help (LSP)",
    discussion: """
      Speaks the Language Server Protocol 3.17 on standard input and output. An editor starts it: \
      docs/editors.md has the settings to copy.
      """,
    flags: [Flag("stdio", .toggle, "accepted because some editors add it")],
    serves: [], reads: .always
  ) { invocation, arguments in
    let catalog = arguments.last("catalog")
    let server = LSPServer.Options(version: Release.version) { folder in
      var options = Errand.Options()
      options.catalog = catalog
      options.folder = folder
      return try Errand.open(options)
    }
    var loop = ServerLoop(
      LSPServer(server), input: STDIN_FILENO, output: STDOUT_FILENO)
    invocation.status = loop.run()
  }
}
