import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLineOwner } from "../../../domain/identity.ts";
import { isAgentFileKey } from "../../../domain/layout.ts";
import { changeAgentStatus } from "../../agents/lifecycle/change-status.ts";
import { createAgent } from "../../agents/lifecycle/create-agent.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import { closeFound, findGarden } from "../../core/garden.ts";
import { files, gardensLike, gardenWith, testPorts } from "../../testing/scratch.ts";
import { verifyGarden } from "./verify.ts";

/** A garden with an agent that was created and activated, and one whose contract came by hand, closed. */
const { copy: wellKept } = gardensLike(async () => {
  const made = await gardenWith();
  const echo = { slug: "echo", by: commandLineOwner } as const;
  await createAgent(made.garden, { ...echo, language: "uk", from: { kind: "template" } });
  await changeAgentStatus(made.garden, { ...echo, to: "active" });
  await made.garden.store.create("agents/hand/_agent.md", Buffer.from(contractText("hand")));
  await changeAgentStatus(made.garden, { ...echo, to: "paused" });
  return made;
});

async function findingsIn(dir: string): Promise<string[]> {
  const garden = await findGarden(testPorts(), dir);
  try {
    return (await verifyGarden(garden)).map(({ rule, where, what }) => `${rule} ${where}: ${what.en}`);
  } finally {
    await closeFound(garden);
  }
}

/** G-1a: the files that people write are in the work tree. */
const inStore = (path: string): string => (isAgentFileKey(path) ? path : `.bloom/store/${path}`);
const CONTRACT = "agents/echo/_agent.md";

test.each<[string, string[], (dir: string, read: (path: string) => string) => void]>([
  ["no finding without damage", [], () => undefined],
  [
    "C-2 a misspelt field",
    ['C-2 agents/hand/_agent.md: _agent.md:7 tols: unknown key; did you mean "tools"?'],
    (dir) => files(dir, { [inStore("agents/hand/_agent.md")]: contractText("hand").replace("tools:", "tols:") }),
  ],
  [
    "C-2 a folder that no agent can have",
    ["C-2 agents/echo-/_agent.md: the folder name is not a valid agent name, so this is not an agent"],
    (dir) => files(dir, { [inStore("agents/echo-/_agent.md")]: contractText("echo") }),
  ],
  [
    "C-8 a registry that differs from the contracts",
    ["C-8 store:registry.json: does not match the contracts (hand); `bloom agent list` writes it again"],
    (dir) => rmSync(join(dir, "agents/hand"), { recursive: true }),
  ],
  [
    "C-8 a registry of another form",
    ["C-8 store:registry.json: does not match the contracts; `bloom agent list` writes it again"],
    (dir) => files(dir, { [inStore("registry.json")]: '{"version":"9"}' }),
  ],
  ["C-8 no finding for a missing registry", [], (dir) => rmSync(join(dir, inStore("registry.json")))],
  [
    "D-6 a changed pseudocode",
    ["D-6 agents/echo/pseudocode.md: pseudocode.md differs from the diagram"],
    (dir) => files(dir, { [inStore("agents/echo/pseudocode.md")]: "ПОЧАТОК\nКІНЕЦЬ\n" }),
  ],
  [
    "D-6 a changed procedure",
    [`D-6 ${CONTRACT}: the procedure in _agent.md differs from the diagram`],
    (dir, read) =>
      files(dir, { [inStore(CONTRACT)]: read(CONTRACT).replace(/read-notes\([^)]*\)/, 'read-notes("x")') }),
  ],
  [
    "D-6 no finding for a marked hand edit",
    [],
    (dir, read) =>
      files(dir, {
        [inStore(CONTRACT)]: read(CONTRACT)
          .replace(/read-notes\([^)]*\)/, 'read-notes("x")')
          .replace('"main-flow.drakon.json"', '"main-flow.drakon.json # modified manually"'),
      }),
  ],
  [
    "C-6 an interrupted deletion",
    [
      "C-6 store:agents/gone/_deleted.json: deleting gone was interrupted; `bloom agent delete gone --confirm gone` completes it",
    ],
    (dir) => files(dir, { [inStore("agents/gone/_deleted.json")]: "{}" }),
  ],
])("SPEC §14 verify reports %s, and nothing else", async (_, expected, damage) => {
  const dir = await wellKept();
  damage(dir, (path) => readFileSync(join(dir, inStore(path)), "utf8"));
  expect(await findingsIn(dir)).toEqual(expected);
});
