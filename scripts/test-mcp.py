"""The checks of scripts/test-mcp, with the official SDK as the client."""

import asyncio
import os
import sys
import warnings

import httpx2
import jsonschema
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

PROGRAM, URL, TOKEN = sys.argv[1:]
warnings.simplefilter("ignore")


def expect(holds, text):
    if not holds:
        sys.exit(f"test-mcp: {text}")


def answers():
    """Answers the questions of `greet`; returns the callback and the messages that it saw."""
    seen = []

    async def answer(context, parameters):
        seen.append(parameters.message)
        schema = parameters.requested_schema
        schema = schema if isinstance(schema, dict) else schema.model_dump(by_alias=True)
        kind = schema["properties"]["answer"]
        if "oneOf" in kind:
            content = kind["oneOf"][1]["const"]
        else:
            content = True if kind["type"] == "boolean" else "Ada"
        return types.ElicitResult(action="accept", content={"answer": content})

    return answer, seen


def check_schemas(tools):
    for tool in tools:
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
        for name, schema in tool.input_schema["properties"].items():
            for example in schema.get("examples", []) + [schema[k] for k in schema if k == "default"]:
                jsonschema.validate(example, schema)
        expect(tool.annotations is not None, f"{tool.name} has no annotations")


def transport(kind):
    if kind == "stdio":
        return StdioServerParameters(command=PROGRAM, args=["mcp"], env=dict(os.environ))
    client = httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
    return streamable_http_client(URL, http_client=client)


async def check(kind, mode):
    answer, seen = answers()
    server = transport(kind)
    async with Client(server, mode=mode, elicitation_callback=answer) as client:
        tools = (await client.list_tools()).tools
        names = [tool.name for tool in tools]
        expect("recent" in names and "save" in names, f"tools are {names}")
        expect("read" not in names, "a tool that changes is offered unasked")
        check_schemas(tools)

        found = await client.call_tool("search", {"query": "swift"})
        expect(found.structured_content["result"][0]["title"] == "Swift", f"found {found}")
        saved = await client.call_tool("save", {"url": f"https://yaml.org/{kind}/{mode}", "tags": ["a"]})
        expect(not saved.is_error, f"saved {saved}")
        expect(saved.structured_content["result"]["source"], "a saved link has no source")
        wrong = await client.call_tool("recent", {"limit": "many"})
        expect(wrong.is_error, "a wrong argument is accepted")

        greeted = await client.call_tool("greet", {})
        expect(greeted.structured_content["result"] == "Ada blue", f"greeted {greeted}")
        expect(len(seen) == 3, f"asked {seen}")

        steps = []

        async def progress(done, total, message):
            steps.append((done, total, message))

        await client.call_tool("count", {}, progress_callback=progress)
        expect(steps == [(1, 2, "Counting"), (2, 2, "Counting")], f"progress {steps}")

        try:
            await asyncio.wait_for(client.call_tool("linger", {}), 1)
            expect(False, "a wait ended")
        except (TimeoutError, asyncio.TimeoutError):
            pass
        expect(not (await client.call_tool("recent", {})).is_error, "dead after a cancel")

        uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
        expect("errand://Link/1" in uris, f"resources are {uris}")
        text = (await client.read_resource("errand://Link/1")).contents[0].text
        expect('"Swift"' in text, f"read {text}")
        templates = (await client.list_resource_templates()).resource_templates
        expect(any("Link" in template.uri_template for template in templates), "no templates")
    print(f"test-mcp: {kind}, {mode} passed")


async def main():
    for kind in ("stdio", "http"):
        for mode in ("legacy", "2026-07-28", "auto"):
            await asyncio.wait_for(check(kind, mode), 120)


asyncio.run(main())
