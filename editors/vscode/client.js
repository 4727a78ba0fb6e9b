// A client of `errand lsp` for Visual Studio Code, without other packages.
'use strict';
const vscode = require('vscode');
const { Connection } = require('./connection');

const selector = [{ language: 'errand' }, { language: 'yaml' }];
let client;

/** Everything that one run of the server has to do with. */
class Client {
  constructor() {
    this.diagnostics = vscode.languages.createDiagnosticCollection('errand');
    this.parts = [this.diagnostics];
    this.opened = new Set();
  }

  async start() {
    const folders = vscode.workspace.workspaceFolders || [];
    const path = vscode.workspace.getConfiguration('errand').get('path', 'errand');
    const folder = folders[0] && folders[0].uri.scheme === 'file' ? folders[0].uri.fsPath : undefined;
    this.connection = new Connection(path, ['lsp'], folder);
    this.connection.onNotification = (method, params) => this.notified(method, params);
    this.connection.onEnd = (reason) => {
      this.diagnostics.clear();
      vscode.window.showWarningMessage(`Errand: ${reason}`);
    };
    const answer = await this.connection.request('initialize', {
      processId: process.pid,
      rootUri: folders[0] ? folders[0].uri.toString() : null,
      workspaceFolders: folders.map((f) => ({ uri: f.uri.toString(), name: f.name })),
      capabilities: {
        textDocument: {
          completion: { completionItem: { snippetSupport: true } },
          publishDiagnostics: { relatedInformation: true },
        },
      },
    });
    this.capabilities = answer.capabilities;
    this.connection.notify('initialized', {});
    this.follow();
    this.offer();
  }

  async stop() {
    for (const part of this.parts) part.dispose();
    this.connection.onEnd = () => {};
    await this.connection.stop();
  }

  // Texts

  follow() {
    for (const document of vscode.workspace.textDocuments) this.open(document);
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{yaml,yml}');
    const changed = (uri) => {
      if (this.opened.has(uri.toString())) return;
      this.connection.notify('workspace/didChangeWatchedFiles', {
        changes: [{ uri: uri.toString(), type: 2 }],
      });
    };
    this.parts.push(
      watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
      vscode.workspace.onDidOpenTextDocument((document) => this.open(document)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        const uri = document.uri.toString();
        if (!this.opened.delete(uri)) return;
        this.connection.notify('textDocument/didClose', { textDocument: { uri } });
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const uri = document.uri.toString();
        if (!this.opened.has(uri) || !contentChanges.length) return;
        this.connection.notify('textDocument/didChange', {
          textDocument: { uri, version: document.version },
          // Each range is one of the text before all changes: from the end on, they stay right.
          contentChanges: [...contentChanges]
            .sort((a, b) => b.rangeOffset - a.rangeOffset)
            .map(({ range, text }) => ({ range: fromRange(range), text })),
        });
      }));
  }

  open(document) {
    if (!vscode.languages.match(selector, document)) return;
    const uri = document.uri.toString();
    if (this.opened.has(uri)) return;
    this.opened.add(uri);
    this.connection.notify('textDocument/didOpen', {
      textDocument: {
        uri, languageId: document.languageId, version: document.version, text: document.getText(),
      },
    });
  }

  notified(method, params) {
    if (method === 'textDocument/publishDiagnostics') {
      this.diagnostics.set(vscode.Uri.parse(params.uri), params.diagnostics.map(toDiagnostic));
    } else if (method === 'window/showMessage') {
      vscode.window.showWarningMessage(params.message);
    }
  }

  // Abilities

  offer() {
    const { languages } = vscode;
    const ask = (method, document, position, more) =>
      this.connection.request(method, {
        textDocument: { uri: document.uri.toString() },
        ...(position ? { position: fromPosition(position) } : {}), ...more,
      });
    const can = this.capabilities;
    const legend = can.semanticTokensProvider && can.semanticTokensProvider.legend;
    const add = (capability, register) => {
      if (can[capability]) this.parts.push(register());
    };
    add('completionProvider', () => languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: async (document, position) => {
        const list = await ask('textDocument/completion', document, position);
        return list.items.map(toCompletion);
      },
      resolveCompletionItem: async (item) => {
        const whole = await this.connection.request('completionItem/resolve', item.source);
        item.documentation = toMarkdown(whole.documentation);
        return item;
      },
    }, ...can.completionProvider.triggerCharacters));
    add('hoverProvider', () => languages.registerHoverProvider(selector, {
      provideHover: async (document, position) => {
        const hover = await ask('textDocument/hover', document, position);
        return hover && new vscode.Hover(toMarkdown(hover.contents), toRange(hover.range));
      },
    }));
    add('signatureHelpProvider', () => languages.registerSignatureHelpProvider(selector, {
      provideSignatureHelp: async (document, position) =>
        toSignatures(await ask('textDocument/signatureHelp', document, position)),
    }, ...can.signatureHelpProvider.triggerCharacters));
    add('definitionProvider', () => languages.registerDefinitionProvider(selector, {
      provideDefinition: async (document, position) => {
        const place = await ask('textDocument/definition', document, position);
        return place && toLocation(place);
      },
    }));
    add('referencesProvider', () => languages.registerReferenceProvider(selector, {
      provideReferences: async (document, position, context) =>
        (await ask('textDocument/references', document, position, { context })).map(toLocation),
    }));
    add('documentHighlightProvider', () => languages.registerDocumentHighlightProvider(selector, {
      provideDocumentHighlights: async (document, position) =>
        (await ask('textDocument/documentHighlight', document, position)).map(
          ({ range, kind }) => new vscode.DocumentHighlight(toRange(range), kind - 1)),
    }));
    add('renameProvider', () => languages.registerRenameProvider(selector, {
      prepareRename: async (document, position) => {
        const place = await ask('textDocument/prepareRename', document, position);
        if (!place) throw new Error('There is no name here that can be changed.');
        return { range: toRange(place.range), placeholder: place.placeholder };
      },
      provideRenameEdits: async (document, position, newName) =>
        toEdit(await ask('textDocument/rename', document, position, { newName })),
    }));
    add('documentSymbolProvider', () => languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: async (document) =>
        (await ask('textDocument/documentSymbol', document)).map(toSymbol),
    }));
    add('workspaceSymbolProvider', () => languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: async (query) =>
        (await this.connection.request('workspace/symbol', { query })).map(
          ({ name, kind, location }) =>
            new vscode.SymbolInformation(name, kind - 1, '', toLocation(location))),
    }));
    add('foldingRangeProvider', () => languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: async (document) =>
        (await ask('textDocument/foldingRange', document)).map(
          ({ startLine, endLine }) => new vscode.FoldingRange(startLine, endLine)),
    }));
    add('semanticTokensProvider', () => languages.registerDocumentSemanticTokensProvider(selector, {
      provideDocumentSemanticTokens: async (document) =>
        new vscode.SemanticTokens(
          new Uint32Array((await ask('textDocument/semanticTokens/full', document)).data)),
    }, new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)));
    add('documentFormattingProvider', () => languages.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits: async (document, options) =>
        (await ask('textDocument/formatting', document, null, { options })).map(toTextEdit),
    }));
    add('codeActionProvider', () => languages.registerCodeActionsProvider(selector, {
      provideCodeActions: async (document, range) =>
        (await ask('textDocument/codeAction', document, null, {
          range: fromRange(range), context: { diagnostics: [] },
        })).map(toAction),
    }, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }));
    add('codeLensProvider', () => languages.registerCodeLensProvider(selector, {
      provideCodeLenses: async (document) =>
        (await ask('textDocument/codeLens', document)).map(
          ({ range, command }) => new vscode.CodeLens(toRange(range), command)),
    }));
  }
}

// What the protocol says, as the editor has it.

const fromPosition = ({ line, character }) => ({ line, character });
const fromRange = ({ start, end }) => ({ start: fromPosition(start), end: fromPosition(end) });
const toRange = ({ start, end }) =>
  new vscode.Range(start.line, start.character, end.line, end.character);
const toLocation = ({ uri, range }) => new vscode.Location(vscode.Uri.parse(uri), toRange(range));
const toTextEdit = ({ range, newText }) => new vscode.TextEdit(toRange(range), newText);
const toMarkdown = (content) => content && new vscode.MarkdownString(content.value);

function toDiagnostic({ range, severity, code, message, relatedInformation }) {
  const diagnostic = new vscode.Diagnostic(toRange(range), message, severity - 1);
  Object.assign(diagnostic, { code, source: 'errand' });
  diagnostic.relatedInformation = (relatedInformation || []).map(
    (other) => new vscode.DiagnosticRelatedInformation(toLocation(other.location), other.message));
  return diagnostic;
}

function toCompletion(source) {
  const item = new vscode.CompletionItem(source.label, source.kind - 1);
  const { newText, range } = source.textEdit;
  item.insertText = source.insertTextFormat === 2 ? new vscode.SnippetString(newText) : newText;
  item.range = toRange(range);
  item.detail = source.detail;
  item.sortText = source.sortText;
  item.documentation = toMarkdown(source.documentation);
  item.source = source;
  // A word that ends with a colon or a dot leads on to the next one.
  if (/[:.] ?$/.test(newText)) item.command = { command: 'editor.action.triggerSuggest', title: '' };
  return item;
}

function toSignatures(source) {
  if (!source) return null;
  const help = new vscode.SignatureHelp();
  help.signatures = source.signatures.map(({ label, documentation, parameters }) => {
    const form = new vscode.SignatureInformation(label, toMarkdown(documentation));
    form.parameters = parameters.map((one) => new vscode.ParameterInformation(one.label));
    return form;
  });
  help.activeSignature = source.activeSignature;
  help.activeParameter = source.activeParameter;
  return help;
}

function toSymbol({ name, detail, kind, range, selectionRange, children }) {
  const symbol = new vscode.DocumentSymbol(
    name, detail || '', kind - 1, toRange(range), toRange(selectionRange));
  symbol.children = children.map(toSymbol);
  return symbol;
}

function toEdit({ changes }) {
  const edit = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(changes)) {
    edit.set(vscode.Uri.parse(uri), edits.map(toTextEdit));
  }
  return edit;
}

function toAction({ title, isPreferred, diagnostics, edit }) {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.isPreferred = isPreferred;
  action.diagnostics = diagnostics.map(toDiagnostic);
  action.edit = toEdit(edit);
  return action;
}

// Commands

/** Types a command of Errand into a terminal, where the person sees it and answers. */
async function inTerminal(words, path) {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.fsPath === path);
  if (document && document.isDirty) await document.save();
  const quoted = words.map((word) => (/^[\w./:-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`));
  const program = vscode.workspace.getConfiguration('errand').get('path', 'errand');
  const terminal =
    vscode.window.terminals.find(({ name }) => name === 'Errand') ||
    vscode.window.createTerminal({ name: 'Errand' });
  terminal.show(true);
  terminal.sendText([program, ...quoted].join(' '));
}

async function restart() {
  if (client) await client.stop().catch(() => {});
  client = new Client();
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Errand: ${error.message}`);
  }
}

exports.activate = async (context) => {
  const { registerCommand } = vscode.commands;
  context.subscriptions.push(
    registerCommand('errand.restart', restart),
    registerCommand('errand.run', (name, path) => inTerminal(['run', path], path)),
    registerCommand('errand.test', (name, path) => inTerminal(['test', path], path)));
  await restart();
};

exports.deactivate = () => client && client.stop();
