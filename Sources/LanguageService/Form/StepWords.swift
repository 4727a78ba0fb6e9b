/// Words of a person for verbs, blocks, triggers and their arguments, as forms show them.
package enum StepWords {
  /// A title, and a sentence on what it does.
  package typealias Words = (title: String, help: String)

  /// The words for a verb, the first word of a block, or a trigger; nil for others.
  package static func words(_ name: String) -> Words? { table[name] }

  /// The verbs and blocks that are used most, in the order of their use.
  static let usual = [
    "ask", "choose", "find", "show", "say", "if", "repeat", "for", "menu", "confirm", "create",
    "notify",
  ]

  /// The triggers that a form offers.
  package static let triggers = [
    "at", "every", "created", "changed", "due", "file", "share", "start", "resume", "online",
  ]

  private static let table: [String: Words] = [
    "ask": ("Ask", "Asks a question, and keeps the answer."),
    "choose": ("Choose from a list", "Lets you choose one or several of a list."),
    "confirm": ("Confirm", "Goes on only after a yes."),
    "say": ("Say", "Says a text."),
    "show": ("Show", "Shows a value, a list or items."),
    "find": ("Find items", "Finds links, tasks, notes or items of your own."),
    "get": ("Get an item", "Gets an item by its reference or title."),
    "create": ("Create an item", "Adds an item to the library."),
    "update": ("Change an item", "Changes properties of an item."),
    "delete": ("Delete an item", "Deletes an item, after a question."),
    "record-use": ("Count as used", "Counts towards the rank of an item in searches."),
    "value": ("Value", "Computes a value for later steps."),
    "set": ("Set variables", "Gives variables new values."),
    "wrap": ("Make a signed link", "Makes a link that only you can have made."),
    "unwrap": ("Read a signed link", "Reads the address in a signed link."),
    "open-url": ("Open a page or file", "Opens an address or a file."),
    "copy": ("Copy", "Copies a value to the clipboard."),
    "paste": ("Paste", "Gets the text on the clipboard."),
    "log": ("Write to the log", "Writes a line to the log."),
    "run": ("Run by name", "Runs an intent or a shortcut by a name."),
    "enqueue": ("Run later", "Has a worker run an intent or a shortcut."),
    "stop": ("Stop", "Ends without a result."),
    "return": ("End with a result", "Ends with a result."),
    "fail": ("Fail", "Ends with an error."),
    "break": ("Leave the loop", "Goes on behind the loop."),
    "continue": ("Next pass", "Goes on with the next pass of the loop."),
    "exec": ("Run a program", "Runs a program of this computer."),
    "http": ("Request from the web", "Sends a request, and keeps the answer."),
    "read-file": ("Read a file", "Reads a text or data from a file."),
    "write-file": ("Write a file", "Writes a text or data to a file."),
    "make-folder": ("Make a folder", "Makes a folder, and those above it."),
    "find-files": ("Find files", "Lists the files of a folder."),
    "move-file": ("Move a file", "Moves or renames a file."),
    "copy-file": ("Copy a file", "Copies a file."),
    "trash-file": ("Move to the trash", "Moves a file to the trash."),
    "wait": ("Wait", "Waits for some time, until a time, or for an item."),
    "notify": ("Notify", "Shows a notification."),
    "progress": ("Show progress", "Shows how far the work is."),
    "activity": ("Report an activity", "Reports work that goes on to other programs."),
    "if": ("If", "Does some steps only under a condition."),
    "for": ("For each", "Does some steps for each element of a list."),
    "repeat": ("Repeat", "Does some steps several times."),
    "while": ("As long as", "Repeats some steps under a condition."),
    "menu": ("Menu", "Asks which steps are done."),
    "try": ("Try", "Goes on when steps fail."),
    "parallel": ("At once", "Does branches of steps at the same time."),
    "atomic": ("All or nothing", "Undoes the steps if one fails."),
    "at": ("At a time of day", "Every day, or on some days of the week."),
    "every": ("Every so often", "Such as every 6h, or every monday."),
    "created": ("When an item is added", "For one kind of items."),
    "changed": ("When an item changes", "For one kind of items."),
    "due": ("When an item is due", "By its day or time."),
    "event": ("When an event takes place", "Or some time before."),
    "file": ("When a file comes to a folder", "Or is written there."),
    "share": ("When something is shared", "With Errand, by its kind."),
    "webhook": ("When its address is called", "By another program."),
    "cron": ("By a cron line", "For those who know them."),
    "start": ("When the computer starts", "Once after each start."),
    "resume": ("When the computer wakes", "After each sleep."),
    "online": ("When the network is there", "Once it is back."),
    "offline": ("When the network is gone", "Once it is away."),
  ]

  /// The label of an argument or a key; nil for its name in words.
  static func label(_ name: String, of head: String) -> String? {
    labels["\(head).\(name)"] ?? labels[name]
  }

  private static let labels = [
    "prompt": "Question", "entity": "Kind of item", "where": "Only those with",
    "match": "With these words", "sort": "In the order of", "limit": "At most",
    "first": "Only the first", "summary": "With a sentence on their number",
    "during": "In the time", "set": "With", "as": "Name of the result", "when": "Only if",
    "ask.type": "Kind of answer", "ask.where": "Only answers with", "default": "Proposed answer",
    "values": "Answers to choose from", "choose.from": "From the list", "many": "Several",
    "show.value": "What", "show.as": "As", "say.text": "Text", "optional": "A no is an answer, too",
    "if": "Condition", "while": "Condition", "for": "Name of each", "in": "For each of",
    "repeat": "How often", "index": "Name of the number", "menu": "Question",
    "at.at": "Time", "days": "On", "every.every": "How often", "created": "Kind of item",
    "changed": "Kind of item", "due": "Kind of item", "every.on": "On", "every.at": "Time",
    "was": "And before", "between": "Only between", "file.file": "Folder",
    "file.match": "Names like", "share": "What", "id": "Name in steps", "wait.for": "How long",
    "find-files.in": "Folder", "url": "Address", "changed.for": "For at least",
    "input.type": "Kind of answer",
    "input.title": "Label", "input.description": "Hint",
  ]
}
