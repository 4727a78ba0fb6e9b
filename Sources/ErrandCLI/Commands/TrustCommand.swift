import Engine
import Glibc
import Source

/// `errand trust`: allows the definitions of a project's folder.
enum TrustCommand {
  static let command = Command(
    "trust", "allow the definitions of a project's .errand folder", usage: "[DIR]",
    discussion: """
      Remembers the folder by its path and its content: when a file in it changes, it is asked
      for again. Without DIR it is the nearest .errand folder upward from here.
      """,
    serves: []
  ) { invocation, arguments in
    guard let places = invocation.places else {
      throw UsageError("there is no place to remember it: HOME is not set")
    }
    let path = try trustedFolder(arguments.words.first, places)
    let content = try DefinitionFolder(path: path, followsLinks: false).content()
    guard !content.files.isEmpty else { throw UsageError("\(path) holds no YAML file") }
    if let concerns = content.concerns.text {
      invocation.console.err("errand: \(path) \(concerns)\n")
    }
    try TrustFile(path: places.trusted).allow(path, hash: content.hash) {
      invocation.console.err("errand: waiting for another process, which changes what is trusted\n")
    }
    let count = content.files.count == 1 ? "1 file" : "\(content.files.count) files"
    invocation.say("Trusted \(path) (\(count)).")
    return ExitStatus.done
  }

  private static func trustedFolder(_ word: String?, _ places: Places) throws -> String {
    guard let word else {
      if let path = LibraryLoader.projectFolder(above: places.workingFolder) { return path }
      throw UsageError("there is no .errand folder here or above", help: "give its path")
    }
    guard let resolved = realpath(word, nil) else {
      throw UsageError("\(word): \(String(cString: strerror(errno)))")
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    if path.hasSuffix("/.errand") { return path }
    var status = stat()
    guard lstat(path + "/.errand", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw UsageError(
        "\(path) has no .errand folder",
        help: status.st_mode & S_IFMT == S_IFLNK ? "links to folders are not followed" : nil)
    }
    return path + "/.errand"
  }
}
