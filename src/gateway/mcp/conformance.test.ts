import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { isThorough } from "../../base/testing/tries.ts";
import { scratch } from "../../garden/testing/scratch.ts";
import { originCheck } from "../origin-check.ts";
import { answerMcpRequest } from "./mcp-endpoint.ts";
import { conformanceServer } from "./testing/conformance-server.ts";
import { fetchFrom, outside } from "./testing/mcp-client.ts";

/** The official suite, with the scenarios that it requires of a server of each revision. */
const SUITE = join(dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/package.json"))));

/** Serves one address until the test ends. */
async function served(answer: (request: Request) => Promise<Response>): Promise<string> {
  const server = createAdaptorServer({ fetch: answer });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** The required scenarios of a revision by result. `none`: the suite found nothing to check. */
async function scenarios(url: string, revision: string) {
  const args = [join(SUITE, "dist/index.js"), "server", "--url", url, "--requirements", revision];
  const child = spawn(process.execPath, args, { cwd: scratch(), stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  await once(child, "close");
  const required = new Set(
    (parse(readFileSync(join(SUITE, `requirements/${revision}.yaml`), "utf8")) as { server: string[] }).server,
  );
  const found = { passed: [] as string[], failed: [] as string[], none: [] as string[] };
  for (const [, name, passed, failed] of out.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed$/gm))
    if (required.delete(name!)) found[failed !== "0" ? "failed" : passed !== "0" ? "passed" : "none"].push(name!);
  return { ...found, missing: [...required] };
}

/** Our endpoint with the tools that the suite asks for. */
const fixture = (): Promise<string> => {
  const check = originCheck("127.0.0.1", []);
  return served(async (request) => {
    try {
      check(request);
    } catch {
      return new Response(null, { status: 403 });
    }
    return answerMcpRequest(request, conformanceServer);
  });
};

/**
 * A server without sessions cannot send a request to the client and get its answer with another HTTP request, which is how 2025-11-25 asks
 * for input. In 2026-07-28 the answer itself asks, and all of it passes. A garden asks a person by `ask-human` instead.
 */
const NEEDS_SESSIONS = [
  "tools-call-sampling",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
];

test.each([
  ["2026-07-28", 37, [], []],
  ["2025-11-25", 25, NEEDS_SESSIONS, ["server-sse-multiple-streams"]],
])("A-5 the endpoint conforms to revision %s, except what needs sessions", async (revision, passed, failed, none) => {
  const found = await scenarios(await fixture(), revision);
  expect({ ...found, passed: found.passed.length }).toEqual({ passed, failed, none, missing: [] });
});

/** Scenarios that need none of the suite's own tools, resources and prompts, or that a server without them passes. */
const OF_ANY_SERVER = {
  "2026-07-28": [
    "tools-list",
    "server-sse-multiple-streams",
    "resources-list",
    "sep-2164-resource-not-found",
    "prompts-list",
    "dns-rebinding-protection",
    "caching",
    "input-required-result-missing-input-response",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
  ],
  "2025-11-25": [
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
  ],
};

/** Both revisions in `npm run soak`; the endpoint itself is tried with both above. */
const REVISIONS = ["2026-07-28", "2025-11-25"] as const;

test.each(REVISIONS.slice(0, isThorough ? 2 : 1))(
  "A-5 the gateway of a garden passes all of revision %s that asks for no tools of the suite",
  async (revision) => {
    const gateway = await outside();
    const { passed } = await scenarios(await served(fetchFrom(gateway, gateway.token)), revision);
    expect(passed).toEqual(OF_ANY_SERVER[revision]);
  },
);
