import YAML

extension ActionDefinition {
  /// The definition with the texts of a translation.
  package func translated(by translation: TranslationDefinition) -> ActionDefinition {
    var action = self
    action.title = translation.title?.text ?? title
    action.description = translation.description?.text ?? description
    if !translation.phrases.isEmpty { action.phrases = translation.phrases }
    action.parameters = parameters.map { $0.translated(by: translation.parameters) }
    action.input = input?.translated(by: translation.parameters)
    action.dialog.full = translation.full ?? dialog.full
    action.dialog.short = translation.short ?? dialog.short
    if let widget = widget?.translated(by: translation) {
      action.widget = widget
      action.steps = widget.steps(DiagnosticCollector())
    } else if !translation.steps.isEmpty {
      let arguments = Dictionary(translation.steps.map { ($0.name.text, $0.arguments) }) { $1 }
      action.steps = steps.map { $0.translated(by: arguments) }
    }
    return action
  }
}

extension ParameterDefinition {
  fileprivate func translated(by namings: [TranslationDefinition.Naming]) -> ParameterDefinition {
    guard let naming = namings.first(where: { $0.name.text == name.text }) else { return self }
    var parameter = self
    parameter.title = naming.title ?? title
    parameter.description = naming.description ?? description
    parameter.prompt = naming.prompt ?? prompt
    if !naming.say.isEmpty { parameter.say = naming.say }
    return parameter
  }
}

extension EntityDefinition {
  /// The definition with the texts of a translation.
  package func translated(by translation: TranslationDefinition) -> EntityDefinition {
    var entity = self
    entity.description = translation.description?.text ?? description
    entity.displayName = translation.displayName ?? displayName
    entity.displayNamePlural = translation.displayNamePlural ?? displayNamePlural
    entity.titleTemplate = translation.titleTemplate ?? titleTemplate
    entity.subtitleTemplate = translation.subtitle ?? subtitleTemplate
    if !translation.warnings.isEmpty { entity.warningTemplates = translation.warnings }
    if !translation.marks.isEmpty { entity.markTemplates = translation.marks }
    entity.properties = properties.map { property in
      guard let naming = translation.properties.first(where: { $0.name.text == property.name.text })
      else { return property }
      var property = property
      property.title = naming.title ?? property.title
      property.description = naming.description ?? property.description
      return property
    }
    return entity
  }
}

extension Step {
  /// The step with the arguments of a translation, by its `as` or `name`.
  fileprivate func translated(by arguments: [String: Mapping]) -> Step {
    var step = self
    let own = (binding?.text ?? label).flatMap { arguments[$0] }
    switch kind {
    case .call(let call):
      guard let own else { return self }
      if let prompt = call.value?.mapping?["prompt"]?.scalar ?? call.value?.scalar,
        own["prompt"] != nil || own[call.name.text] != nil
      {
        step.originalPrompt = prompt.text
      }
      step.kind = .call(Call(name: call.name, value: call.value(translatedBy: own)))
    case .menu(let prompt, let options):
      let labels = own?["options"]?.mapping
      let translatedPrompt = own?["prompt"]?.scalar ?? own?["menu"]?.scalar
      if let translatedPrompt, translatedPrompt.text != prompt?.scalar.text {
        step.originalPrompt = prompt?.scalar.text
      }
      step.kind = .menu(
        prompt: translatedPrompt.flatMap { try? Template(scalar: $0) } ?? prompt,
        options: options.map { option in
          let label = option.label.plainText.flatMap { labels?[$0]?.scalar }
            .flatMap { try? Template(scalar: $0) }
          return Option(
            label: label ?? option.label,
            original: label == nil ? option.original : option.label.plainText,
            body: option.body.map { $0.translated(by: arguments) })
        })
    case .conditional(let branches, let otherwise):
      step.kind = .conditional(
        branches: branches.map { branch in
          Branch(
            condition: branch.condition, body: branch.body.map { $0.translated(by: arguments) })
        }, otherwise: otherwise.map { $0.translated(by: arguments) })
    case .forEach(let loop):
      step.kind = .forEach(
        ForEach(
          variable: loop.variable, list: loop.list, index: loop.index, parallel: loop.parallel,
          body: loop.body.map { $0.translated(by: arguments) }))
    case .repeatCount(let count, let index, let body):
      step.kind = .repeatCount(
        count: count, index: index, body: body.map { $0.translated(by: arguments) })
    case .whileLoop(let condition, let body):
      step.kind = .whileLoop(
        condition: condition, body: body.map { $0.translated(by: arguments) })
    case .attempt(let attempt):
      step.kind = .attempt(
        Attempt(
          body: attempt.body.map { $0.translated(by: arguments) },
          handlers: attempt.handlers.map { handler in
            var handler = handler
            handler.body = handler.body.map { $0.translated(by: arguments) }
            return handler
          },
          finally: attempt.finally.map { $0.translated(by: arguments) }))
    case .parallel(let parallel):
      step.kind = .parallel(
        Parallel(
          branches: parallel.branches.map { branch in
            (branch.name, branch.body.map { $0.translated(by: arguments) })
          }, limit: parallel.limit, settles: parallel.settles))
    case .atomic(let body): step.kind = .atomic(body.map { $0.translated(by: arguments) })
    }
    return step
  }
}

extension Step.Call {
  /// The arguments with those of a translation: by name, or the whole value by the verb's name.
  fileprivate func value(translatedBy texts: Mapping) -> Node? {
    if let whole = texts[name.text] { return whole }
    guard let value, let mapping = value.mapping else {
      // `ask: Which?` is the same as `ask: {prompt: Which?}`.
      return texts.entries.first?.value ?? value
    }
    let entries = mapping.entries.map { entry in
      texts[entry.key.text].map { Mapping.Entry(key: entry.key, value: $0) } ?? entry
    }
    return Node(content: .mapping(Mapping(entries: entries)), span: value.span)
  }
}
