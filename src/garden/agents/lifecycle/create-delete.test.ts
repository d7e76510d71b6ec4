import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { isFailure } from "../../../base/failure.ts";
import { type Language, languages } from "../../../base/text.ts";
import { auditRecord } from "../../../domain/audit-record.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { findAgent, readAgent } from "../../records/agents/read-agent.ts";
import { readRegistry } from "../../records/agents/registry.ts";
import { storeWith } from "../../records/logic/testing/agent.ts";
import { files, gardensLike, gardenWith, git, scratch, testPorts } from "../../testing/scratch.ts";
import { contractText } from "../testing/contract-text.ts";
import { activationReport } from "./activation.ts";
import { changeAgentStatus } from "./change-status.ts";
import { createAgent } from "./create-agent.ts";
import { deleteAgent } from "./delete-agent.ts";
import type { NewAgentWish } from "./first-files.ts";

const DIAGRAM = JSON.stringify({
  name: "Watering",
  items: {
    "1": { type: "branch", branchId: 0, one: "2" },
    "2": { type: "action", content: 'notes ← search-notes("dry")', one: "3" },
    "3": {
      type: "action",
      content: 'create-proposal(type: "propose-comment", note: notes, text: "water me")',
      one: "9",
    },
    "9": { type: "end" },
  },
});

const wish = (from: NewAgentWish["from"], language: Language = "en", slug = "echo"): NewAgentWish => ({
  slug,
  by: commandLineOwner,
  language,
  from,
});
const template = { kind: "template" } as const;
const diagram = { kind: "diagram", file: "somewhere/watering.drakon", bytes: Buffer.from(DIAGRAM) } as const;

const keysOf = async (store: Store, prefix = "agents/"): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key } of everyKey(store, prefix)) found.push(key);
  return found;
};

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => (isFailure(error) ? error.code : String(error)),
  );

const archived = async (garden: Garden): Promise<void> => {
  await changeAgentStatus(garden, { slug: "echo", to: "archived", by: commandLineOwner });
};

/** Makes the verb throw at its n-th crash point. Returns whether the verb reached it. */
async function dyingAt(point: number, work: () => Promise<unknown>): Promise<boolean> {
  let passed = 0;
  const disarm = armCrashPoints((name) => {
    if (name.startsWith("agent.") && passed++ === point) throw new Error("killed");
  });
  try {
    await work();
    return false;
  } catch (error) {
    if (!(error instanceof Error) || error.message !== "killed") throw error;
    return true;
  } finally {
    disarm();
  }
}

describe("creating an agent", () => {
  test.each(languages)(
    "D-5 the template in %s makes an agent that passes activation, matches its diagram, and has logic v001",
    async (language) => {
      const { garden, dir } = await gardenWith();
      const agent = await createAgent(garden, wish(template, language));
      const { checks } = await activationReport(garden, "echo");
      expect(checks.filter(({ result }) => result !== "pass")).toEqual([]);
      expect(agent.contract).toMatchObject({
        status: "draft",
        version: "1.0.0",
        logic_version: "v001",
        generated_from: "main-flow.drakon.json",
      });
      expect(git(dir, "log", "--format=%s").split("\n").slice(0, 3)).toEqual([
        "[owner] echo: export logic v001",
        expect.stringMatching(/^logic-update: echo .*v001/),
        "[owner] echo: create agent from template",
      ]);
    },
  );

  test("an agent from a diagram gets the tools and safe outputs that the diagram names", async () => {
    const { garden } = await gardenWith();
    const { contract, body } = await createAgent(garden, wish(diagram));
    expect(contract).toMatchObject({
      name: "Watering",
      tools: ["search-notes", "create-proposal"],
      safe_outputs: ["propose-comment"],
      generated_from: "watering.drakon.json",
    });
    expect(body).toContain('BEGIN "Watering"');
    expect(await keysOf(garden.store)).toEqual([
      "agents/echo/_agent.md",
      "agents/echo/drakon/watering.drakon.json",
      "agents/echo/pseudocode.md",
    ]);
  });

  test("an agent in prose has its body as logic v001", async () => {
    const { garden, dir } = await gardenWith();
    const { contract } = await createAgent(garden, {
      ...wish({ kind: "prose" }),
      name: 'Ann\'s "echo": #1',
      description: "a: b",
    });
    expect(contract).toMatchObject({
      name: 'Ann\'s "echo": #1',
      description: "a: b",
      logic_version: "v001",
    });
    const tracked = git(dir, "ls-tree", "-r", "--name-only", "HEAD", "logic");
    expect({
      tracksPseudocode: tracked.includes("current.pseudo.md"),
      tracksDiagram: tracked.includes("drakon"),
    }).toEqual({ tracksPseudocode: true, tracksDiagram: false });
  });

  test("an agent from a folder gets its contract, diagrams and sources, not its runs and memory", async () => {
    const { garden } = await gardenWith();
    const folder = join(scratch(), "model");
    files(folder, {
      "_agent.md": contractText("model", { status: "active", logic_version: "v009" }),
      "drakon/aside.drakon.json": DIAGRAM,
      "sources/Guide (1).MD": "x",
      "runs/run_2026-02-14_080000_abc123/manifest.json": "{}",
      "memory/observations.jsonl": "{}\n",
    });
    const { contract, text } = await createAgent(
      garden,
      wish({ kind: "folder", folder: testPorts().folders.at(folder) }),
    );
    expect(contract).toMatchObject({ slug: "echo", status: "draft", logic_version: "v001" });
    expect(text).toContain("tools: [read-notes, create-proposal] # only these");
    expect(await keysOf(garden.store)).toEqual([
      "agents/echo/_agent.md",
      "agents/echo/drakon/aside.drakon.json",
      "agents/echo/pseudocode.md",
      "agents/echo/sources/^guide (1).^m^d",
    ]);
  });

  test.each<[string, NewAgentWish, string]>([
    ["a name that is no slug", wish(template, "en", "Echo!"), "VALIDATION_FAILED"],
    ["a name that is reserved for the owner", wish(template, "en", "owner"), "VALIDATION_FAILED"],
    ["a name that Windows keeps for itself", wish(template, "en", "nul"), "VALIDATION_FAILED"],
    ["a diagram with errors", wish({ ...diagram, bytes: Buffer.from("{}") }), "VALIDATION_FAILED"],
    ["a file name that no store holds", wish({ ...diagram, file: "Water?.drakon" }), "VALIDATION_FAILED"],
    ["a model that is two words", { ...wish(template), model: "a b" }, "VALIDATION_FAILED"],
    ["an empty name", { ...wish(template), name: " " }, "VALIDATION_FAILED"],
    [
      "a folder without a contract",
      wish({ kind: "folder", folder: testPorts().folders.at("/nonexistent") }),
      "NOT_FOUND",
    ],
    ["a caller that is not the owner", { ...wish(template), by: { type: "agent", slug: "x", run: "r" } }, "FORBIDDEN"],
  ])("createAgent refuses %s, and writes nothing", async (_, asked, code) => {
    const { garden } = await gardenWith();
    expect({ code: await codeOf(createAgent(garden, asked)), keys: await keysOf(garden.store) }).toEqual({
      code,
      keys: [],
    });
  });

  test("one of several concurrent calls gets the slug, and a file that exists is not overwritten", async () => {
    const { garden } = await gardenWith();
    const answers = await Promise.all([1, 2, 3].map(() => codeOf(createAgent(garden, wish(template)))));
    expect(answers.toSorted()).toEqual(["DUPLICATE_ENTRY", "DUPLICATE_ENTRY", "done"]);
    await garden.store.create(keys.diagram("other", "watering.drakon.json"), Buffer.from("mine"));
    expect(await codeOf(createAgent(garden, wish(diagram, "en", "other")))).toBe("DUPLICATE_ENTRY");
    expect(await findAgent(garden.store, "other")).toBeUndefined();
  });

  test("C-1 a crash between any two writes leaves a whole agent or none, and a retry or activation completes it", async () => {
    const left: string[] = [];
    for (let point = 0; ; point++) {
      const { garden } = await gardenWith();
      const died = await dyingAt(point, () => createAgent(garden, wish(template)));
      const agent = await findAgent(garden.store, "echo");
      left.push(agent ? "whole" : "none");
      if (!agent) await createAgent(garden, wish(template));
      await changeAgentStatus(garden, { slug: "echo", to: "active", by: commandLineOwner });
      expect((await readAgent(garden.store, "echo")).contract).toMatchObject({
        status: "active",
        logic_version: "v001",
      });
      if (!died) break;
    }
    expect(left).toEqual(["none", "none", "none", "none", "none", "whole", "whole", "whole"]);
  });
});

describe("C-6 deleting an agent", () => {
  const deletion = { slug: "echo", by: commandLineOwner, confirm: "echo", reason: "no longer needed" } as const;

  const echoes = gardensLike(async () => {
    const made = await gardenWith();
    const { store } = made.garden;
    await createAgent(made.garden, wish(template));
    await store.create("agents/echo/memory/observations.jsonl", Buffer.from("{}\n"));
    await store.create("agents/echo/runs/run_2026-02-14_080000_abc123/manifest.json", Buffer.from("{}"));
    await store.create("agents/echo-two/_agent.md", Buffer.from(contractText("echo-two")));
    await archived(made.garden);
    return made;
  });
  const archivedEcho = async (): Promise<Garden> => (await echoes.open()).garden;

  const recordsOf = async ({ store }: Garden) => {
    const found = [];
    for (const key of await keysOf(store, "audit/")) {
      const record = auditRecord.parse(JSON.parse(Buffer.from((await store.get(key))!.bytes).toString()));
      if (record.kind === "agent-deleted") found.push(record);
    }
    return found;
  };

  test("removes the whole folder and no other, records the contract, and updates the registry", async () => {
    const garden = await archivedEcho();
    const { text } = await readAgent(garden.store, "echo");
    expect(await deleteAgent(garden, deletion)).toEqual({ slug: "echo", removed: 5 });
    expect(await keysOf(garden.store)).toEqual(["agents/echo-two/_agent.md"]);
    const [record] = await recordsOf(garden);
    expect(record).toMatchObject({
      by: "owner",
      subject: "echo",
      why: "no longer needed",
      details: { contract: text, count: 5 },
    });
    expect((await readRegistry(garden)).agents.map(({ slug }) => slug)).toEqual(["echo-two"]);
  });

  test.each(["draft", "active", "paused", "error"])("an agent in state %s cannot be deleted", async (status) => {
    const { garden } = await gardenWith();
    await garden.store.create(contractKey("echo"), Buffer.from(contractText("echo", { status })));
    const refused = await deleteAgent(garden, deletion).catch((error: unknown) => error);
    expect(isFailure(refused, "INVALID_AGENT_TRANSITION") && refused.details).toEqual({
      agent: "echo",
      from: status,
      to: "deleted",
    });
  });

  test.each<[string, object, string]>([
    ["without its confirmed name", { confirm: "ehco" }, "VALIDATION_FAILED"],
    ["by an agent", { by: { type: "agent", slug: "echo", run: "r" } }, "FORBIDDEN"],
    ["that does not exist", { slug: "nobody", confirm: "nobody" }, "NOT_FOUND"],
    ["by a path", { slug: "../echo", confirm: "../echo" }, "NOT_FOUND"],
  ])("an agent cannot be deleted %s", async (_, over, code) => {
    const { garden } = await gardenWith();
    await garden.store.create(contractKey("echo"), Buffer.from(contractText("echo", { status: "archived" })));
    expect({
      code: await codeOf(deleteAgent(garden, { ...deletion, ...over })),
      keys: await keysOf(garden.store),
    }).toEqual({ code, keys: ["agents/echo/_agent.md"] });
  });

  test("a crash between any two steps leaves the agent whole or gone, and a retry completes the deletion with one record", async () => {
    for (let point = 0; ; point++) {
      const garden = await archivedEcho();
      const before = await keysOf(garden.store, "agents/echo/");
      const died = await dyingAt(point, () => deleteAgent(garden, deletion));
      if (died && (await findAgent(garden.store, "echo")))
        expect(await keysOf(garden.store, "agents/echo/")).toEqual(expect.arrayContaining(before));
      if (died) await deleteAgent(garden, deletion);
      expect({ keys: await keysOf(garden.store, "agents/echo/"), records: (await recordsOf(garden)).length }).toEqual({
        keys: [],
        records: 1,
      });
      if (!died) break;
    }
  });

  test.each([
    ["another diagram", diagram, "v002"],
    ["the same diagram", template, "v001"],
  ] as const)(
    "L-2 a new agent of the same name with %s inherits nothing, and its contract names its version",
    async (_, from, version) => {
      const garden = await archivedEcho();
      await dyingAt(3, () => deleteAgent(garden, deletion));
      const { contract } = await createAgent(garden, wish(from));
      const file = from === template ? "main-flow" : "watering";
      expect({ version: contract.logic_version, keys: await keysOf(garden.store, "agents/echo/") }).toEqual({
        version,
        keys: ["agents/echo/_agent.md", `agents/echo/drakon/${file}.drakon.json`, "agents/echo/pseudocode.md"],
      });
    },
  );

  test("C-1 of two calls that create the agent again after an interrupted deletion, the slower one keeps the new files", async () => {
    const garden = await archivedEcho();
    await dyingAt(3, () => deleteAgent(garden, deletion));
    let listed = false;
    const slow = storeWith(garden.store, {
      async list(prefix, page) {
        const found = await garden.store.list(prefix, page);
        if (prefix !== keys.agentFolder("echo") || listed) return found;
        listed = true;
        await createAgent(garden, wish(template)); // the other call, while this one reads its list
        return found;
      },
    });
    expect(await codeOf(createAgent({ ...garden, store: slow }, wish(diagram)))).toBe("DUPLICATE_ENTRY");
    const { contract } = await readAgent(garden.store, "echo");
    expect(await keysOf(garden.store, "agents/echo/drakon/")).toContain(keys.diagram("echo", contract.generated_from!));
  });

  test("an agent restored during its deletion keeps all its files", async () => {
    const garden = await archivedEcho();
    await dyingAt(1, () => deleteAgent(garden, deletion));
    await changeAgentStatus(garden, { slug: "echo", to: "draft", by: commandLineOwner });
    expect(await keysOf(garden.store, "agents/echo/")).toHaveLength(5);
  });
});
