"""The checks of scripts/test-lsp."""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = pathlib.Path(os.environ["HOME"]) / ".config/errand"
SHIPPED = [p for d in ("schemas", "shortcuts", "automations") for p in sorted((ROOT / d).rglob("*.yaml"))]
LONG = "shortcut: long\nparameters: {name: string}\nsteps:\n" + "".join(
    f"  - say: 'Step {n} of {{{{ name }}}}'\n" for n in range(497)
)


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["ERRAND_PROGRAM"], "lsp"]))
async def client(lsp_client: LanguageClient):
    lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda parameters: None)
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"), root_uri=FOLDER.as_uri()))
    yield
    await lsp_client.shutdown_session()


async def open_file(client, path, text):
    """Opens a file, and returns the diagnostics that come for it."""
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(
        uri=path.as_uri(), language_id="errand", version=1, text=text)))
    return await diagnostics(client, path)


async def diagnostics(client, path):
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[path.as_uri()])


def place(text, part, after=False):
    """The position of a part of an ASCII text."""
    offset = text.index(part) + (len(part) if after else 0)
    line = text.count("\n", 0, offset)
    return types.Position(line, offset - (text.rfind("\n", 0, offset) + 1))


def document(path):
    return types.TextDocumentIdentifier(path.as_uri())


def applied(text, edits):
    """A text with edits; all of them within lines, or one of the whole."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        first, last = edit.range.start, edit.range.end
        if first.line == 0 and first.character == 0 and last.line >= len(lines) - 1:
            return edit.new_text
        assert first.line == last.line
        line = lines[first.line]
        lines[first.line] = line[: first.character] + edit.new_text + line[last.character:]
    return "\n".join(lines)


@pytest.mark.asyncio
@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
async def test_shipped(client, path):
    text = path.read_text()
    found = await open_file(client, path, text)
    assert [d.message for d in found if d.severity == types.DiagnosticSeverity.Error] == []
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(document(path)))
    assert symbols
    edits = await client.text_document_formatting_async(types.DocumentFormattingParams(
        document(path), types.FormattingOptions(tab_size=2, insert_spaces=True)))
    assert not edits
    tokens = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(document(path)))
    assert len(tokens.data) % 5 == 0
    key = next(line for line in text.splitlines() if line.startswith(("description", "title", "steps")))
    hover = await client.text_document_hover_async(
        types.HoverParams(document(path), place(text, key)))
    assert hover is not None


@pytest.mark.asyncio
async def test_types_completes_renames_and_formats_500_lines(client):
    path = FOLDER / "long.yaml"
    assert LONG.count("\n") == 500
    assert await open_file(client, path, LONG) == []
    text, version = LONG, 1
    for letter in "  - sa":
        version += 1
        end = types.Position(text.count("\n"), len(text) - (text.rfind("\n") + 1))
        client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=version, uri=path.as_uri()),
            [types.TextDocumentContentChangePartial(types.Range(end, end), letter)]))
        text += letter
    assert any("sa" in d.message for d in await diagnostics(client, path))
    end = types.Position(text.count("\n"), 6)
    found = await client.text_document_completion_async(
        types.CompletionParams(document(path), end))
    items = found.items if isinstance(found, types.CompletionList) else found
    assert {"say", "save"} <= {item.label for item in items}
    version += 1
    text = LONG + "  -   say:   'Done'\n"
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(version=version, uri=path.as_uri()),
        [types.TextDocumentContentChangeWholeDocument(text)]))
    assert await diagnostics(client, path) == []
    edit = await client.text_document_rename_async(
        types.RenameParams(document(path), place(text, "name: string"), "whom"))
    renamed = applied(text, edit.changes[path.as_uri()])
    assert renamed.count("{{ whom }}") == 497 and "{{ name }}" not in renamed
    edits = await client.text_document_formatting_async(types.DocumentFormattingParams(
        document(path), types.FormattingOptions(tab_size=2, insert_spaces=True)))
    assert applied(text, edits).endswith("\n  - say: Done\n")
    hover = await client.text_document_hover_async(
        types.HoverParams(document(path), place(text, "name }}")))
    assert "string" in hover.contents.value
