import Source

/// Flags and words familiar from other programs, with the ones to write here.
enum FamiliarWords {
  /// Flags by the names that other programs give them, most likely first.
  private static let flags: [String: String] = [
    "f": "force follow", "n": "limit dry-run", "t": "tags", "v": "verbose", "a": "all", "j": "json",
    "o": "output", "s": "sort", "r": "reverse", "w": "where", "l": "limit", "c": "count",
    "i": "interactive", "d": "due", "p": "port", "m": "message", "u": "url unread", "k": "keep",
    "V": "version", "x": "trace", "z": "null",
    "force": "yes", "assume-yes": "yes", "no-confirm": "yes", "noconfirm": "yes", "confirm": "yes",
    "non-interactive": "yes", "verbose": "trace", "debug": "trace", "dry": "dry-run",
    "dryrun": "dry-run", "simulate": "dry-run", "just-print": "dry-run", "whatif": "dry-run",
    "preview": "dry-run", "order-by": "sort", "orderby": "sort",
    "sort-by": "sort", "max": "limit", "head": "limit", "top": "limit", "max-count": "limit",
    "last": "limit", "lines": "limit", "number": "limit", "per-page": "limit",
    "filter": "where", "condition": "where", "select": "where", "expr": "where",
    "print0": "null", "silent": "quiet", "template": "format",
    "lang": "language", "locale": "language", "db": "store", "database": "store",
    "library": "store", "label": "tags", "labels": "tags", "tag": "tags",
    "deadline": "due", "date": "due", "name": "title", "note": "notes", "text": "text query",
    "description": "notes", "body": "text", "address": "url", "link": "url", "watch": "follow",
    "tail": "follow", "wait": "follow", "fix": "repair", "after": "since", "from-date": "since",
    "newer": "since", "favorite": "favourite", "starred": "favourite", "later": "unread",
    "args": "param", "arg": "param", "set": "param", "steps": "step",
    "interactive": "step", "output": "json", "format": "from to", "output-format": "json format",
    "dest": "output", "out": "output",
    "destination": "output", "type": "to", "count-only": "count", "total": "count",
    "every": "repeat", "recur": "repeat", "recurring": "repeat", "user": "by", "author": "by",
  ]

  /// Advice for a command, and for several words with spaces between them; `*` is any command.
  private static let advice: [(command: String, words: String, help: String)] = [
    ("", "todo todos task", "did you mean `errand tasks`?"),
    ("", "done complete finish", "did you mean `errand toggle-task TASK`?"),
    ("", "reminder", "did you mean `errand remind`?"),
    ("", "note", "did you mean `errand add-note TEXT`?"),
    ("", "notes", "write `errand find notes`"),
    ("find", "bookmarks bookmark urls", "did you mean `errand find links`?"),
    ("find", "todo todos to-do to-dos", "did you mean `errand find tasks`?"),
    ("*", "order", "the order is part of the key: --sort 'due desc'"),
    ("list", "l a la all long", "it takes no flags; `errand find links` lists items"),
    ("enrich", "force refresh again", "did you mean --fresh?"),
    ("test", "all a", "`errand test` alone runs all tests"),
    ("trust", "all a", "name the folder: errand trust DIR"),
    ("unread", "all a", "`errand unread` alone lists what is to be read"),
    ("undo", "dry-run dryrun preview", "`errand changes` shows what would be undone"),
    ("run", "f force", "leave it out: errand run FILE"),
    ("", "stag list-tags tags", "write errand find links tag:TAG; `errand tags` lists the tags"),
    ("", "p", "did you mean `errand recent`?"),
    ("search", "sall sany s", "leave it out: all words must be there"),
    ("secret", "body b value", "pipe it in: echo VALUE | errand secret set NAME -"),
    ("", "sany sall sreg", "did you mean `errand search WORDS`?"),
    ("", "commit", "nothing needs it: every change is kept at once; `errand changes` lists them"),
    ("", "diff", "did you mean `errand changes`?"),
    ("", "reset checkout stash", "did you mean `errand undo`?"),
    ("", "pull push fetch-all", "did you mean `errand hub sync`?"),
    ("", "clone", "did you mean `errand hub join`?"),
    ("", "workflow", "did you mean `errand run NAME`?"),
    ("", "uninstall", "remove the package; your library and definitions stay"),
    ("", "s", "did you mean `errand search WORDS`?"),
    ("undo", "hard soft", "`errand undo` takes back the last change; repeat it for more"),
    ("find", "jq", "--json | jq '.[].title'; or --format '{{ self.title }}'"),
    ("*", "jq q", "--json prints JSON for `jq`"),
    ("backup", "to output o", "name the file alone: errand backup FILE"),
    ("save", "description d", "did you mean --title?"),
    ("", "add", "did you mean `errand save URL`?"),
    ("eval", "arg argjson args", "write --var NAME=TEXT, or --vars '{\"NAME\": 3}'"),
    ("eval", "r raw raw-output", "leave it out: a text is printed without quotes"),
    ("", "v V", "did you mean `errand version`?"),
    ("", "count", "did you mean `errand find ENTITY --count`?"),
    ("", "describe", "did you mean `errand show NAME`?"),
    ("", "links bookmarks", "did you mean `errand recent`, or `errand find links`?"),
    ("", "grep query", "did you mean `errand search WORDS`?"),
    ("", "config set preferences", "did you mean `errand settings`?"),
    ("", "daemon background", "did you mean `errand worker`, or `errand serve`?"),
    ("", "watch monitor", "did you mean `errand worker`, or `errand check --follow FILE`?"),
    ("", "status", "did you mean `errand changes`, `errand activity` or `errand doctor`?"),
    ("", "ps top jobs", "did you mean `errand queue`, `errand runs` or `errand activity`?"),
    ("", "history", "did you mean `errand changes`, or `errand runs`?"),
    ("", "kill stop abort", "did you mean `errand cancel RUN`?"),
    ("", "exec start start-run execute", "did you mean `errand run NAME`?"),
    ("", "validate lint verify", "did you mean `errand check`?"),
    ("", "format prettify", "did you mean `errand fmt`?"),
    ("", "man docs info usage", "did you mean `errand help`?"),
    ("", "init setup", "nothing needs to be set up; `errand` shows how to begin"),
    ("", "cat view print", "did you mean `errand get REF`, or `errand show NAME`?"),
    (
      "", "set-tag tag label",
      "write `errand update REF --add tags=TAG`; `errand tags rename A B` renames one"
    ),
    ("", "remove del", "did you mean `errand delete REF`?"),
    ("", "modify change set-title rename", "did you mean `errand update REF NAME=VALUE`?"),
    ("", "insert make", "did you mean `errand create ENTITY NAME=VALUE`?"),
    ("", "upgrade self-update", "install a newer release; `errand version` shows this one"),
    ("", "restore revert rollback", "did you mean `errand undo`?"),
    ("", "token tokens", "did you mean `errand serve token`?"),
    ("", "fetch download", "did you mean `errand enrich`?"),
    ("", "dump", "did you mean `errand export`?"),
    ("", "sync", "did you mean `errand hub sync`?"),
    ("", "login", "did you mean `errand hub join`?"),
    ("update", "set", "write NAME=VALUE without --set, such as title='Swift'"),
    ("create", "set", "write NAME=VALUE without --set, such as title='Swift'"),
    ("undo", "n last limit count steps all", "`errand undo` undoes one change; repeat it for more"),
    ("redo", "n last limit count steps all", "`errand redo` redoes one change; repeat it for more"),
    ("log", "f follow", "`errand activity --follow` follows what runs"),
    ("log", "oneline graph stat p patch", "`errand changes` lists changes, `errand runs` runs"),
    ("runs", "f follow", "`errand activity --follow` follows what runs"),
    ("log", "n limit tail last count lines", "`errand runs --limit N` lists runs"),
    ("recent", "all", "`errand find links` shows all of them"),
    ("search", "all", "`errand find links WORDS` shows all of them"),
    (
      "recent", "before date",
      "write errand find links --where 'createdAt > date(\"2026-01-01\")'"
    ),
    ("recent", "sort where reverse", "`errand find links` has --sort and --where"),
    ("search", "before date", "write `after:2026-01-01` or `before:…` among the words"),
    ("search", "sort where reverse", "`errand find links WORDS` has --sort and --where"),
    ("find", "i ignore-case", "leave it out: upper and lower case are the same in words"),
    ("search", "i ignore-case", "leave it out: upper and lower case are the same in words"),
    ("find", "tag tags t", "write tag:VALUE among the words"),
    ("find", "reverse desc descending", "--sort -KEY sorts largest first"),
    ("find", "all a everything", "name what to find; without --limit, all are: errand find links"),
    (
      "find", "fields columns select",
      "`errand export ENTITY --to csv` writes all fields; "
        + "--format '{{ self.title }}' prints one"
    ),
    ("find", "delete rm remove", "errand delete ENTITY --where EXPR deletes all that match"),
    ("find", "o out", "--json prints JSON; `errand export ENTITY --to csv` writes CSV"),
    ("find", "to csv", "errand export ENTITY --to csv"),
    ("find", "since before", "write --where 'createdAt > date(\"2026-01-01\")'"),
    ("delete", "all", "errand delete ENTITY --where true"),
    ("delete", "r R recursive", "name each item, with --yes: errand delete REF --yes"),
    ("update", "t tag label add-tag", "write --add tags=TAG"),
    ("update", "tags labels", "write --add tags=TAG, or tags=TAG,… for the whole list"),
    ("create", "t tag label", "write tags=TAG"),
    ("update", "all a", "errand update ENTITY --where true NAME=VALUE"),
    ("get", "all a", "errand find ENTITY lists all of them"),
    ("add-task", "important", "write --priority high"),
    ("add-task", "at time", "write the time after the day: --due 'friday 17:00'"),
    (
      "tasks", "where sort tag tags t",
      "`errand find tasks tag:TAG` finds by tag; it has --where and --sort, too"
    ),
    ("save", "private", "errand update REF private=true afterwards"),
    ("save", "notes note description", "errand add-note TEXT --link REF"),
    ("tasks", "today", "write --due today"),
    ("tasks", "tomorrow", "write --due tomorrow"),
    ("tasks", "project", "`errand find tasks tag:TAG` finds by tag"),
    ("widget", "size format", "write --family small, medium or large"),
    ("run", "f F p", "write the name of the parameter as a flag: --NAME VALUE"),
    ("queue", "add push put", "the step `enqueue` adds a job; `errand NAME` does it at once"),
    ("tasks", "open undone pending", "it shows those that are not done; --done shows the others"),
    ("get", "field fields select", "write --format '{{ self.title }}'"),
    (
      "open", "with browser app",
      "the variable BROWSER names a program: BROWSER=firefox errand open REF"
    ),
    (
      "share", "to for with",
      "--recipient takes the public key of the other, which `errand settings` shows there"
    ),
    ("runs", "state status", "--failed shows those that failed"),
    ("tags", "add set put", "write errand update REF --add tags=TAG"),
    ("worker", "interval every", "it waits for what is due; an automation says when, by `every`"),
    ("worker", "start run", "`errand worker` starts it here; `errand worker install` for good"),
    ("worker", "status", "did you mean `errand worker --status`?"),
    (
      "worker", "stop kill restart reload disable",
      "end it with Ctrl-C, or: systemctl --user stop errand-worker"
    ),
    ("worker", "enable", "errand worker install"),
    ("worker", "daemon background d detach", "`errand worker install` runs it in the background"),
    ("worker", "uninstall", "did you mean `errand worker remove`?"),
    ("serve", "start run", "`errand serve` starts it here; `errand serve install` for good"),
    (
      "serve", "stop kill restart disable",
      "end it with Ctrl-C, or: systemctl --user stop errand-serve.socket"
    ),
    ("serve", "status", "`systemctl --user status errand-serve.socket` tells of an installed one"),
    ("serve", "enable", "errand serve install"),
    ("serve", "uninstall", "did you mean `errand serve remove`?"),
    ("serve", "host bind address", "it listens on 127.0.0.1 only; --behind-proxy names a proxy"),
    ("serve", "daemon background d detach", "errand serve install"),
    ("automations", "n limit all a", "it lists all of them"),
    ("automations", "status", "`errand automations` lists them"),
    ("automations", "enable on start unpause", "did you mean `errand automations resume NAME`?"),
    ("automations", "disable off stop", "did you mean `errand automations pause NAME`?"),
    ("settings", "edit", "`errand settings set NAME VALUE` changes one"),
    ("settings", "reset delete rm remove", "did you mean `errand settings unset NAME`?"),
    ("queue", "status ls show", "did you mean `errand queue list`?"),
    ("queue", "run work start", "did you mean `errand queue drain`?"),
    ("queue", "clear purge flush delete rm remove", "did you mean `errand queue cancel --all`?"),
    ("secret", "add create store put new", "did you mean `errand secret set NAME`?"),
    ("secret", "remove delete unset", "did you mean `errand secret rm NAME`?"),
    ("secret", "value", "leave it out to be asked, or pipe it in: errand secret set NAME -"),
    ("secret", "ls", "did you mean `errand secret list`?"),
    ("hub", "push pull", "did you mean `errand hub sync`?"),
    (
      "import", "to entity kind",
      "each line names its entity, as in {\"entity\": \"Task\", …}; `errand export` writes files"
    ),
    ("import", "output o", "`errand export` writes files; import reads them"),
    ("export", "output out o f file", "it writes to standard output: errand export > FILE"),
    ("export", "csv json format type as", "write --to csv or --to jsonl"),
    ("import", "type format as kind", "leave it out: the format is recognized; --from names one"),
    ("eval", "e c", "write the expression alone: errand eval '1 + 1'"),
    ("check", "fix repair", "`errand fmt` formats; the editor offers fixes: errand lsp"),
    ("fmt", "write w i in-place", "it writes the files; --check only tells"),
    (
      "check", "strict werror",
      "warnings do not fail a check; `errand check --format json` lists them"
    ),
    ("test", "watch follow w", "`errand check --follow FILE` checks and tests at each save"),
    ("test", "k g grep match only run name pattern", "write --filter NAME"),
    ("test", "verbose v", "--coverage shows more; --filter NAME runs some"),
    ("*", "at when schedule cron", "a time belongs to an automation: `on: [{at: '18:00'}]`"),
    ("*", "o", "--json prints JSON, where a command has it"),
    ("*", "input file", "write the input after the name, without a flag"),
    ("*", "version", "did you mean `errand version`?"),
    ("*", "all a", "`errand find ENTITY` lists all items"),
    ("*", "verbose debug v", "only intents and shortcuts have --trace"),
    ("*", "no-color no-colour", "write --color never"),
    ("*", "csv", "errand export ENTITY --to csv"),
    ("*", "pretty indent", "errand … --json | jq ."),
    ("*", "config", "`errand settings` shows and changes settings"),
    ("*", "offset skip page", "`errand find ENTITY` has --offset and --after"),
    ("*", "force f", "there is no such flag here; `errand undo` reverts what was changed"),
  ]

  /// Returns the advice for a word after a command, or for a flag without dashes; for an unknown
  /// command, `command` is empty.
  static func help(_ word: String, after command: String) -> String? {
    let word = word.count == 1 ? word : word.lowercased()
    func holds(_ words: String) -> Bool { words.split(separator: " ").contains { $0 == word } }
    return advice.first { $0.command == command && holds($0.words) }?.help
  }

  /// Returns the help for a flag that a command does not have.
  ///
  /// - Parameters:
  ///   - name: The flag without dashes.
  ///   - command: The command or action; nil if it is not known yet.
  ///   - flags: The flags of the command.
  static func help(flag name: String, of command: String?, _ flags: [Flag]) -> String? {
    if let command, let help = help(name, after: command) { return help }
    if command == "edit", name.count > 1 {
      return "it opens an editor; for one field write errand update REF \(name)=VALUE"
    }
    let names = flags.map(\.name)
    if let own = ["un", "not-", "non-", "without-"].lazy.filter(name.hasPrefix)
      .map({ String(name.dropFirst($0.count)) })
      .first(where: { name in flags.contains { $0.name == name && $0.isToggle } })
    {
      return "did you mean --no-\(own)?"
    }
    if let meant = meant(name, names) { return "did you mean --\(meant)?" }
    if name == "all", names.contains("where") { return "write --where true for all of them" }
    if let part = name.split(separator: "-").map(String.init).first(where: names.contains) {
      return "did you mean --\(part)?"
    }
    if name.count > 1, let near = Suggestion.nearest(to: name, in: names) {
      return "did you mean --\(near)?"
    }
    return help(name, after: command == nil ? "" : "*")
  }

  /// The available flag that a familiar name maps to; a letter may map to such a name first.
  static func meant(_ name: String, _ flags: [String]) -> String? {
    let others = Self.flags[name.count == 1 ? name : name.lowercased()] ?? ""
    let words = others.split(separator: " ").map(String.init)
    if let word = words.first(where: flags.contains) { return word }
    guard name.count == 1 else { return nil }
    return words.lazy.compactMap { meant($0, flags) }.first
  }
}
