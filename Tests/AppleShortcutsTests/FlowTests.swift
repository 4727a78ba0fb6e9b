import AppleShortcuts
import Testing

/// Control flow, variables, and how values pass from action to action: rule by rule of the semantics.
@Suite struct FlowTests {
  /// An If with a condition, that shows yes or no.
  private static func choice(_ before: String, _ condition: String) -> String {
    "[\(before), [\"if\", {\(condition)}], [\"gettext\", {\"WFTextActionText\": \"yes\"}], [\"else\"], [\"gettext\", {\"WFTextActionText\": \"no\"}], [\"fi\"]]"
  }

  @Test(arguments: [
    ("5", #""WFCondition": 0, "WFNumberValue": "6""#, "yes"),
    ("5", #""WFCondition": 0, "WFNumberValue": 5"#, "no"),
    ("5", #""WFCondition": 1, "WFNumberValue": 5"#, "yes"),
    ("5", #""WFCondition": 2, "WFNumberValue": "4.5""#, "yes"),
    ("5", #""WFCondition": 3, "WFNumberValue": "5""#, "yes"),
    ("5", #""WFCondition": 4, "WFNumberValue": "5""#, "yes"),
    ("5", #""WFCondition": 5, "WFNumberValue": "5""#, "no"),
    ("5", #""WFCondition": 1003, "WFNumberValue": "1", "WFAnotherNumber": "9""#, "yes"),
    ("5", #""WFCondition": 1003, "WFNumberValue": "6", "WFAnotherNumber": "9""#, "no"),
    ("5", #""WFCondition": "Is Greater Than", "WFNumberValue": "4""#, "yes"),
    ("5", #""WFCondition": "Is Less Than", "WFNumberValue": "4""#, "no"),
    ("5", #""WFCondition": 4, "WFConditionalActionString": "x", "WFNumberValue": "5""#, "yes"),
    ("0", #""WFCondition": 100"#, "yes"), ("0", #""WFCondition": 101"#, "no"),
  ])
  func conditionsOnNumbers(number: String, condition: String, output: String) throws {
    let actions = Self.choice("[\"number\", {\"WFNumberActionNumber\": \(number)}]", condition)
    expectNone(
      try SampleShortcut(actions).problems("expect: {output: \(output == "no" ? "'no'" : "'yes'")}")
    )
  }

  @Test(arguments: [
    ("apple", #""WFCondition": 4, "WFConditionalActionString": "apple""#, "yes"),
    ("apple", #""WFCondition": 5, "WFConditionalActionString": "apple""#, "no"),
    ("apple", #""WFCondition": "Equals", "WFConditionalActionString": "pear""#, "no"),
    ("apple", #""WFCondition": 8, "WFConditionalActionString": "app""#, "yes"),
    ("apple", #""WFCondition": 9, "WFConditionalActionString": "ple""#, "yes"),
    ("apple", #""WFCondition": 99, "WFConditionalActionString": "ppl""#, "yes"),
    ("apple", #""WFCondition": 999, "WFConditionalActionString": "ppl""#, "no"),
    ("apple", #""WFConditionalActionString": "ppl""#, "yes"),
    ("apple", #""WFCondition": "Contains", "WFConditionalActionString": "x""#, "no"),
    ("", #""WFCondition": 4"#, "yes"), ("a", #""WFCondition": 99"#, "no"),
    ("", #""WFCondition": 100"#, "no"), ("", #""WFCondition": 101"#, "yes"),
    ("12 apples", #""WFCondition": 2, "WFNumberValue": "11""#, "yes"),
    ("5", #""WFCondition": 4, "WFConditionalActionString": "5", "WFNumberValue": "7""#, "yes"),
    ("Linux", #""WFCondition": 4, "WFEnumeration": "Linux""#, "yes"),
  ])
  func conditionsOnTexts(text: String, condition: String, output: String) throws {
    let actions = Self.choice("[\"gettext\", {\"WFTextActionText\": \"\(text)\"}]", condition)
    expectNone(try SampleShortcut(actions).problems("expect: {output: '\(output)'}"))
  }

  @Test(arguments: [
    // Several items: true if any fits.
    (
      #"["list", {"WFItems": ["a", "b"]}]"#, #""WFCondition": 4, "WFConditionalActionString": "b""#,
      "yes"
    ),
    (
      #"["list", {"WFItems": ["a", "b"]}]"#,
      #""WFCondition": 99, "WFConditionalActionString": "c""#, "no"
    ),
    (#"["list", {"WFItems": ["1", "9"]}]"#, #""WFCondition": 2, "WFNumberValue": "5""#, "yes"),
    (#"["nothing"]"#, #""WFCondition": 100"#, "no"),
    (#"["nothing"]"#, #""WFCondition": 101"#, "yes"),
    // Dates: in the last, in the next, before another.
    (
      #"["adjustdate", {"WFDate": "‹now›", "WFAdjustOperation": "Subtract", "WFDuration": {"Value": {"Magnitude": "2", "Unit": "days"}}}]"#,
      #""WFCondition": 1001, "WFDuration": {"Value": {"Magnitude": "3", "Unit": "days"}}"#, "yes"
    ),
    (
      #"["adjustdate", {"WFDate": "‹now›", "WFAdjustOperation": "Subtract", "WFDuration": {"Value": {"Magnitude": "4", "Unit": "days"}}}]"#,
      #""WFCondition": 1001, "WFDuration": {"Value": {"Magnitude": "3", "Unit": "days"}}"#, "no"
    ),
    (
      #"["date", {"WFDateActionMode": "Specified Date", "WFDateActionDate": "2025-01-01"}]"#,
      #""WFCondition": 0, "WFDate": "=now""#, "yes"
    ),
    // Several conditions.
    (
      #"["number", {"WFNumberActionNumber": 5, "UUID": "n"}]"#,
      #""WFConditions": {"Value": {"WFActionParameterFilterPrefix": 1, "WFActionParameterFilterTemplates": [{"WFCondition": 2, "WFNumberValue": "1", "WFInput": {"Type": "Variable", "Variable": "=n"}}, {"WFCondition": 0, "WFNumberValue": "3", "WFInput": {"Type": "Variable", "Variable": "=n"}}]}, "WFSerializationType": "WFContentPredicateTableTemplate"}"#,
      "no"
    ),
    (
      #"["number", {"WFNumberActionNumber": 5, "UUID": "n"}]"#,
      #""WFConditions": {"Value": {"WFActionParameterFilterPrefix": 0, "WFActionParameterFilterTemplates": [{"WFCondition": 2, "WFNumberValue": "1", "WFInput": {"Type": "Variable", "Variable": "=n"}}, {"WFCondition": 0, "WFNumberValue": "3", "WFInput": {"Type": "Variable", "Variable": "=n"}}]}, "WFSerializationType": "WFContentPredicateTableTemplate"}"#,
      "yes"
    ),
  ])
  func otherConditions(before: String, condition: String, output: String) throws {
    expectNone(
      try SampleShortcut(Self.choice(before, condition)).problems("expect: {output: '\(output)'}"))
  }

  @Test(arguments: [
    // An If with an empty branch gives its input on.
    (
      #"[["gettext", {"WFTextActionText": "x"}], ["if", {"WFCondition": 101}], ["gettext", {"WFTextActionText": "y"}], ["fi", {"UUID": "e"}], ["gettext", {"WFTextActionText": "got ‹e›"}]]"#,
      "output: got x"
    ),
    (
      #"[["gettext", {"WFTextActionText": "x", "UUID": "t"}], ["if", {"WFInput": {"Type": "Variable", "Variable": "=t"}, "WFCondition": 100}], ["else"], ["gettext", {"WFTextActionText": "y"}], ["fi", {"UUID": "e"}], ["gettext", {"WFTextActionText": "got ‹e›"}]]"#,
      "output: got x"
    ),
    // The input of a branch is that of its If.
    (
      #"[["gettext", {"WFTextActionText": "a b"}], ["if", {"WFCondition": 100}], ["text.split", {"WFTextSeparator": "Spaces"}], ["fi"]]"#,
      "output: [a, b]"
    ),
    // Repeat gives the flat list of the passes; index and item by depth, from 1.
    (
      #"[["times", {"WFRepeatCount": 3}], ["gettext", {"WFTextActionText": "‹$Repeat Index›"}], ["timesEnd"]]"#,
      "output: ['1', '2', '3']"
    ),
    (
      #"[["list", {"WFItems": ["a", "b"]}], ["each"], ["gettext", {"WFTextActionText": "‹$Repeat Index›‹$Repeat Item›"}], ["eachEnd"]]"#,
      "output: [1a, 2b]"
    ),
    (
      #"[["list", {"WFItems": ["a b", "c"]}], ["each"], ["text.split", {"WFTextSeparator": "Spaces"}], ["eachEnd"]]"#,
      "output: [a, b, c]"
    ),
    (
      #"[["list", {"WFItems": ["a", "b"], "UUID": "l"}], ["each", {"WFInput": "=l", "GroupingIdentifier": "o"}], ["times", {"WFRepeatCount": 2, "GroupingIdentifier": "i"}], ["gettext", {"WFTextActionText": "‹$Repeat Item›‹$Repeat Index 2›"}], ["timesEnd", {"GroupingIdentifier": "i"}], ["eachEnd", {"GroupingIdentifier": "o"}]]"#,
      "output: [a1, a2, b1, b2]"
    ),
    (
      #"[["gettext", {"WFTextActionText": "a\nb"}], ["each"], ["gettext", {"WFTextActionText": "<‹$Repeat Item›>"}], ["eachEnd"]]"#,
      "output: [\"<a\\nb>\"]"
    ),
    (
      #"[["nothing"], ["each"], ["gettext", {"WFTextActionText": "x"}], ["eachEnd"], ["count"]]"#,
      "output: 0"
    ),
    (
      #"[["times", {"WFRepeatCount": -2}], ["gettext", {"WFTextActionText": "x"}], ["timesEnd"], ["count"]]"#,
      "output: 0"
    ),
    // A list as text is its items in lines.
    (
      #"[["list", {"WFItems": ["a", "b"], "UUID": "l"}], ["gettext", {"WFTextActionText": "‹l›!"}]]"#,
      "output: \"a\\nb!\""
    ),
    // Variables: set, unset, added to.
    (
      #"[["gettext", {"WFTextActionText": "x"}], ["setvariable", {"WFVariableName": "v"}], ["gettext", {"WFTextActionText": "‹$v›‹$unset›"}]]"#,
      "output: x"
    ),
    (
      #"[["gettext", {"WFTextActionText": "a"}], ["appendvariable", {"WFVariableName": "v"}], ["gettext", {"WFTextActionText": "b"}], ["appendvariable", {"WFVariableName": "v"}], ["getvariable", {"WFVariable": "=$v"}]]"#,
      "output: [a, b]"
    ),
    (
      #"[["gettext", {"WFTextActionText": "a"}], ["setvariable", {"WFVariableName": "v"}], ["nothing"], ["setvariable", {"WFVariableName": "v"}], ["gettext", {"WFTextActionText": "<‹$v›>"}]]"#,
      "output: <>"
    ),
    (
      #"[["number", {"WFNumberActionNumber": 1, "UUID": "n"}], ["setvariable", {"WFVariableName": "v", "WFInput": "=n"}], ["times", {"WFRepeatCount": 3}], ["math", {"WFInput": "=$v", "WFMathOperation": "×", "WFMathOperand": 2, "UUID": "m"}], ["setvariable", {"WFVariableName": "v", "WFInput": "=m"}], ["timesEnd"], ["getvariable", {"WFVariable": "=$v"}]]"#,
      "output: 8"
    ),
    (
      #"[["gettext", {"WFTextActionText": "x"}], ["setvariable", {"WFVariableName": "lyric&subtitle %"}], ["gettext", {"WFTextActionText": "‹$lyric&subtitle %›"}]]"#,
      "output: x"
    ),
    // Where all inputs are stated, a Set Variable without one empties.
    (
      #"[["gettext", {"WFTextActionText": "x", "UUID": "t"}], ["setvariable", {"WFVariableName": "v", "WFInput": "=t"}], ["count", {"Input": "=t"}], ["setvariable", {"WFVariableName": "v"}], ["gettext", {"WFTextActionText": "<‹$v›>"}]]"#,
      "output: <>"
    ),
    // The same UUID on several actions means the one that ran last.
    (
      #"[["gettext", {"WFTextActionText": "a", "UUID": "s"}], ["if", {"WFCondition": 101}], ["gettext", {"WFTextActionText": "b", "UUID": "s"}], ["fi"], ["gettext", {"WFTextActionText": "‹s›"}]]"#,
      "output: a"
    ),
    (
      #"[["gettext", {"WFTextActionText": "a", "UUID": "s"}], ["if", {"WFCondition": 100}], ["gettext", {"WFTextActionText": "b", "UUID": "s"}], ["fi"], ["gettext", {"WFTextActionText": "‹s›"}]]"#,
      "output: b"
    ),
    // A reference to an action that has not run, or is not there, is empty.
    (
      #"[["gettext", {"WFTextActionText": "<‹later›‹never›>"}], ["gettext", {"WFTextActionText": "x", "UUID": "later"}], ["nothing"]]"#,
      "output: null"
    ),
    (#"[["gettext", {"WFTextActionText": "<‹never›>"}]]"#, "output: <>"),
    // The result: that of Stop and Output or Exit, otherwise the last action's.
    (
      #"[["gettext", {"WFTextActionText": "x", "UUID": "t"}], ["output", {"WFOutput": "‹t›"}], ["gettext", {"WFTextActionText": "y"}]]"#,
      "output: x"
    ),
    (
      #"[["gettext", {"WFTextActionText": "x", "UUID": "t"}], ["times", {"WFRepeatCount": 2}], ["exit", {"WFResult": "=t"}], ["timesEnd"]]"#,
      "output: x"
    ),
    (
      #"[["gettext", {"WFTextActionText": "x"}], ["comment", {"WFCommentActionText": "a\n- b: {c}"}]]"#,
      "output: x"
    ),
    // Incomplete groups are repaired.
    (
      #"[["gettext", {"WFTextActionText": "x"}], ["if", {"WFCondition": 100}], ["gettext", {"WFTextActionText": "y"}]]"#,
      "output: y"
    ),
    (#"[["gettext", {"WFTextActionText": "x"}], ["fi"], ["else"]]"#, "output: x"),
  ])
  func flow(actions: String, expectation: String) throws {
    expectNone(try SampleShortcut(actions).problems("expect: {\(expectation)}"))
  }

  @Test func aMenuTakesTheBranchOfItsItem() throws {
    let actions =
      #"[["menu", {"WFMenuPrompt": "Which?", "WFMenuItems": ["One", "Two "]}], ["item", {"WFMenuItemTitle": "One"}], ["gettext", {"WFTextActionText": "1"}], ["item", {"WFMenuItemTitle": "Two "}], ["gettext", {"WFTextActionText": "2"}], ["menuEnd", {"UUID": "m"}], ["gettext", {"WFTextActionText": "chose ‹m›"}]]"#
    expectNone(
      try SampleShortcut(actions).problems("{answers: {'Which?': One}, expect: {output: chose 1}}"))
    expectNone(
      try SampleShortcut(actions).problems(
        "{answers: {'Which?': 'Two '}, expect: {output: chose 2}}"))
  }

  @Test func aMenuHasTitlesWithValues() throws {
    let actions =
      #"[["gettext", {"WFTextActionText": "Ada", "UUID": "t"}], ["menu", {"WFMenuItems": [{"WFItemType": 0, "WFValue": "Call ‹t›"}, "Stop"]}], ["item", {"WFMenuItemTitle": "t"}], ["gettext", {"WFTextActionText": "1"}], ["item", {"WFMenuItemTitle": "Stop"}], ["menuEnd"]]"#
    expectNone(
      try SampleShortcut(actions).problems(
        "{answers: {Choose one.: Call Ada}, expect: {output: '1'}}"))
    expectNone(
      try SampleShortcut(actions).problems("{answers: {Choose one.: Stop}, expect: {output: null}}")
    )
  }

  @Test func itCallsItself() throws {
    let actions =
      #"[["number", {"WFNumberActionNumber": "=input", "UUID": "n"}], ["if", {"WFInput": {"Type": "Variable", "Variable": "=n"}, "WFCondition": 2, "WFNumberValue": "0"}], ["math", {"WFInput": "=n", "WFMathOperation": "-", "WFMathOperand": 1, "UUID": "m"}], ["runworkflow", {"WFWorkflow": {"isSelf": true, "workflowName": "sample"}, "WFInput": "=m"}], ["else"], ["gettext", {"WFTextActionText": "done"}], ["fi"]]"#
    expectNone(try SampleShortcut(actions).problems("{input: 3, expect: {output: done}}"))
  }

  @Test func questionsOfTheImportAreParameters() throws {
    let root =
      #"{"WFWorkflowImportQuestions": [{"ActionIndex": 0, "Category": "Parameter", "ParameterKey": "WFTextActionText", "Text": "What is your API key?", "DefaultValue": "none"}]}"#
    let sample = try SampleShortcut(
      #"[["gettext", {"WFTextActionText": "", "UUID": "k"}], ["gettext", {"WFTextActionText": "key=‹k›"}]]"#,
      root: root)
    #expect(try sample.text().contains("api"))
    expectNone(try sample.problems("expect: {output: key=none}"))
  }

  @Test func propertiesAndCoercionsAreTakenInOrder() throws {
    func text(_ changes: String) -> String {
      #"[["gettext", {"WFTextActionText": "{\"a\": {\"b\": \"07 x\"}}", "UUID": "t"}], ["gettext", {"WFTextActionText": {"Value": {"string": "<￼>", "attachmentsByRange": {"{1, 1}": {"Type": "ActionOutput", "OutputUUID": "t", "Aggrandizements": [\#(changes)]}}}, "WFSerializationType": "WFTextTokenString"}}]]"#
    }
    let dictionary =
      #"{"Type": "WFCoercionVariableAggrandizement", "CoercionItemClass": "WFDictionaryContentItem"}"#
    let number =
      #"{"Type": "WFCoercionVariableAggrandizement", "CoercionItemClass": "WFNumberContentItem"}"#
    let key = #"{"Type": "WFDictionaryValueVariableAggrandizement", "DictionaryKey": "a.b"}"#
    let keys = #"{"Type": "WFPropertyVariableAggrandizement", "PropertyName": "Keys"}"#
    expectNone(
      try SampleShortcut(text("\(dictionary), \(key)")).problems("expect: {output: <07 x>}"))
    expectNone(
      try SampleShortcut(text("\(dictionary), \(key), \(number)")).problems("expect: {output: <7>}")
    )
    expectNone(try SampleShortcut(text("\(dictionary), \(keys)")).problems("expect: {output: <a>}"))
    let date =
      #"[["gettext", {"WFTextActionText": {"Value": {"string": "￼", "attachmentsByRange": {"{0, 1}": {"Type": "CurrentDate", "Aggrandizements": [{"Type": "WFDateFormatVariableAggrandizement", "WFDateFormatStyle": "Custom", "WFDateFormat": "yyyy"}]}}}, "WFSerializationType": "WFTextTokenString"}}]]"#
    expectNone(try SampleShortcut(date).problems("expect: {output: '2026'}"))
  }

  @Test func whatIsNotHereFailsWhereItIsNeeded() throws {
    let actions = #"[["takephoto", {"UUID": "p"}], ["gettext", {"WFTextActionText": "‹p›!"}]]"#
    let sample = try SampleShortcut(actions)
    #expect(try sample.text().contains("# not here: a camera"))
    expectNone(try sample.problems("expect: {error: {message: {contains: 'not here: a camera'}}}"))
    expectNone(try sample.problems("expect: {output: '!'}", missing: .skip))
    expectNone(try sample.problems("expect: {error: {code: not-here}}", missing: .fail))
    // Without a use of its result, the action does not fail.
    expectNone(
      try SampleShortcut(#"[["takephoto"], ["gettext", {"WFTextActionText": "x"}]]"#).problems(
        "expect: {output: x}"))
  }
}
