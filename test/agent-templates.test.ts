import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowListEgress } from "../src/adapters/egress/allow-list.ts";
import { scriptedModel } from "../src/adapters/runtime/testing/scripted-model.ts";
import { fixedWorld } from "../src/base/testing/fixed-world.ts";
import { isThorough } from "../src/base/testing/tries.ts";
import { type Language, languages } from "../src/base/text.ts";
import { FOLLOWER } from "../src/domain/config/model-registry.ts";
import { commandLineOwner } from "../src/domain/identity.ts";
import { keys } from "../src/domain/layout.ts";
import { checkText } from "../src/drakon/check.ts";
import { analyse } from "../src/drakon/expression/analyse.ts";
import { meaningErrors } from "../src/drakon/meaning.ts";
import { renderPseudocode } from "../src/drakon/text/render.ts";
import { activationReport } from "../src/garden/agents/lifecycle/activation.ts";
import { changeAgentStatus } from "../src/garden/agents/lifecycle/change-status.ts";
import { createAgent } from "../src/garden/agents/lifecycle/create-agent.ts";
import { agentTemplates } from "../src/garden/agents/templates/templates.ts";
import { listPending } from "../src/garden/changes/proposals/list-proposals.ts";
import { closeGarden, type Garden, openGarden } from "../src/garden/core/garden.ts";
import { initGarden } from "../src/garden/life/init.ts";
import { live, manifestOf, portsWith, requestedRun } from "../src/garden/runs/testing/agent-ground.ts";
import { files, git, scratch, testPorts } from "../src/garden/testing/scratch.ts";

/** `npm run soak` tries every template in both languages, `npm test` each in one of them. */
const cases = agentTemplates.flatMap((template, at) =>
  languages.filter((_, nth) => isThorough || nth === at % 2).map((language) => [template.id, language] as const),
);
const question = (language: Language) => ({ [language === "uk" ? "питання" : "question"]: "Compost heap" });
const templateOf = (id: string) => agentTemplates.find((template) => template.id === id)!;

/** Pages: one that exists, one that is gone, one that fails. */
const pages = createServer((request, response) => {
  response.statusCode = { "/there": 200, "/gone": 404, "/broken": 500 }[request.url ?? ""] ?? 404;
  response.end();
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((listening) => void pages.listen(0, "127.0.0.1", listening));
  port = (pages.address() as AddressInfo).port;
});
afterAll(() => void pages.close());

/** A small garden in which every template has something to do. */
const notes = (language: Language): Record<string, string> => ({
  "notes/compost.md":
    "---\ntags: [soil]\n---\n# Compost heap\n\nThe compost heap needs leaves and grass in turn.\n\n**Mulch** — a layer that keeps the soil moist\n- [ ] Turn the compost heap\n",
  "notes/heap.md": `# Compost heap in winter\n\nCover the heap. See http://127.0.0.1:${port}/gone and http://127.0.0.1:${port}/there, http://127.0.0.1:${port}/broken, https://example.com/x.\n`,
  "notes/inbox/leaves.md": "# Leaves for the compost heap\n\nTwo sacks of leaves.\n",
  "notes/meetings/spring.md":
    language === "uk"
      ? "---\ntags: [зустріч]\n---\n# Весна\n\nВирішили: садити в травні.\n- [ ] Купити насіння\n"
      : "---\ntags: [meeting]\n---\n# Spring\n\nDecided: plant in May.\n- [ ] Buy seeds\n",
  "notes/daily/2026-02-13.md": "# Friday\n\n- [ ] Call Hanna\n- [x] Water\n",
  "notes/long.md": `# Bees\n\n${"Bees visit the lime tree in June and carry nectar to the hive. ".repeat(20)}\n`,
});

/** `renamed`: a note got another name, and the link to it stayed behind. */
async function templateGarden(language: Language, renamed = false): Promise<{ garden: Garden; dir: string }> {
  const dir = join(scratch(), "g");
  const ground = testPorts(fixedWorld("2026-02-14T08:00:00Z", 1000));
  files(dir, notes(language));
  // A rename is certain only if the note has a text of its own.
  const body =
    "# A note\n\nThe lime tree at the corner blooms around the twentieth of June, and the hives are left alone.\n";
  if (renamed) files(dir, { "notes/old-name.md": body, "notes/links.md": "See [[old-name]].\n" });
  await initGarden(ground, dir, { language, name: "Rose" });
  if (renamed) {
    git(dir, "mv", "notes/old-name.md", "notes/new-name.md");
    git(dir, "-c", "user.name=O", "-c", "user.email=o@example.com", "commit", "-qm", "Rename");
  }
  return { garden: await openGarden(ground, dir), dir };
}

/** The proposals of a first run in the garden above. */
const proposed: Readonly<Record<string, readonly string[]>> = {
  gardener: ["propose-edit notes/links.md"],
  tagger: ["propose-tag notes/heap.md", "propose-tag notes/inbox/leaves.md"],
  "daily-note": ["propose-note notes/daily/2026-02-14.md"],
  "weekly-digest": ["propose-note notes/digests/2026-W07.md"],
  archivist: [
    "memory-update memory/archivist",
    "propose-summary agents/archivist/artifacts/summary-long-2026-02-14.md",
    "propose-tag notes/long.md",
  ],
  librarian: ["propose-note notes/answers/compost-heap.md"],
  "meeting-notes": ["propose-summary notes/meetings/spring.md"],
  "inbox-sorter": ["propose-comment notes/inbox/leaves.md", "propose-tag notes/inbox/leaves.md"],
  "glossary-keeper": ["propose-note notes/glossary.md"],
  "link-checker": ["propose-artifact agents/link-checker/artifacts/web-links.md", "propose-comment notes/heap.md"],
  translator: ["propose-note notes/{other}/compost.md"],
};

test("U-1b the gallery has the eleven templates, and their ids are slugs of their own", () => {
  expect(agentTemplates.map(({ id }) => id).toSorted()).toEqual(Object.keys(proposed).toSorted());
});

describe.each(cases)("template %s in %s", (id, language) => {
  const template = templateOf(id);

  test("U-1b C-4 it becomes a valid contract and diagram that pass every activation check", async () => {
    const { garden } = await templateGarden(language);
    const made = await createAgent(garden, {
      slug: id,
      by: commandLineOwner,
      language,
      from: { kind: "template", template: id },
    });
    const { checks, findings } = await activationReport(garden, id);
    const stored = (await garden.store.get(keys.diagram(id, "main-flow.drakon.json")))!;
    const { tree, findings: drawn } = checkText(Buffer.from(stored.bytes).toString());
    const inWords = [...analyse(tree!).icons.values()].filter((kind) => kind === "words").length;
    expect({
      checks: checks.filter(({ result }) => result !== "pass"),
      findings: [...findings, ...drawn, ...meaningErrors(tree!)],
      procedure: renderPseudocode(tree!, { language }).text,
      offline: made.contract.model === FOLLOWER,
      needsNoModel: inWords === 0,
      says: [made.contract.name, made.contract.description, made.contract.status],
    }).toEqual({
      checks: [],
      findings: [],
      procedure: template.procedure[language],
      offline: template.tokens === undefined,
      needsNoModel: template.tokens === undefined,
      says: [template.name[language], template.purpose[language], "draft"],
    });
    await closeGarden(garden);
  });

  test("R-2 its first run makes the proposals that it promises", async () => {
    const { garden } = await templateGarden(language, id === "gardener");
    await createAgent(garden, { slug: id, by: commandLineOwner, language, from: { kind: "template", template: id } });
    await changeAgentStatus(garden, { slug: id, to: "active", by: commandLineOwner });
    const place = await requestedRun(garden, id, id === "librarian" ? question(language) : undefined);
    const egress = allowListEgress({ allow: [`127.0.0.1:${port}`] });
    const model = scriptedModel(Array.from({ length: 10 }, () => ({ text: "# Translated\n" })));
    await live(garden, place, portsWith(model, { egress }));
    const { status } = await manifestOf(garden, place);
    const { proposals } = await listPending(garden);
    const made = proposals.map(({ action, target }) => `${action} ${target}`).toSorted();
    const other = language === "uk" ? "en" : "uk";
    const expected = proposed[id]!.map((line) => line.replace("{other}", other));
    expect({ status, made }).toEqual({
      status: "completed",
      made: id === "translator" ? (expect.arrayContaining(expected) as unknown) : expected,
    });
    await closeGarden(garden);
  });
});

test.each(["gardener", "archivist", "librarian"])("U-3 the %s of the demo follows its template", (id) => {
  const folder = join(import.meta.dirname, "../examples/demo-agents");
  const demo = (language: Language): string => readFileSync(join(folder, language, id, "pseudocode.md"), "utf8");
  expect({ uk: demo("uk"), en: demo("en") }).toEqual(templateOf(id).procedure);
});
