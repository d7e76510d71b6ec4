import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { languages } from "../src/base/text.ts";
import { readContract } from "../src/domain/contract/contract.ts";
import { checkText } from "../src/drakon/check.ts";
import { driftOf } from "../src/drakon/export/agent-exporter.ts";
import { analyse } from "../src/drakon/expression/analyse.ts";
import { renderPseudocode } from "../src/drakon/text/render.ts";

/** The rules of every agent, checked on the agents of the demo garden; one-garden.test.ts runs them. */
const folder = join(import.meta.dirname, "../examples/demo-agents");
const agents = languages.flatMap((language) =>
  readdirSync(join(folder, language)).map((slug) => [language, slug] as const),
);

test("U-3 every agent of the demo exists in both languages", () => {
  const [uk, en] = languages.map((language) => readdirSync(join(folder, language)).toSorted());
  expect([uk, en]).toEqual([en, ["archivist", "gardener", "librarian", "optimizer", "test-echo"]]);
});

describe.each(agents)("%s/%s", (language, slug) => {
  const text = (path: string): string => readFileSync(join(folder, language, slug, path), "utf8");
  const { tree, findings } = checkText(text("drakon/main-flow.drakon.json"));

  test("D-6 diagram, pseudocode.md and contract agree, in the language of the folder", () => {
    const rendered = renderPseudocode(tree!, { language }).text;
    expect({
      findings,
      pseudocode: text("pseudocode.md"),
      drift: driftOf({ rendered: [rendered], pseudocode: text("pseudocode.md"), agent: text("_agent.md") }),
    }).toEqual({ findings: [], pseudocode: rendered, drift: [] });
  });

  test("R-2 the agent runs on the follower: none of its icons needs a language model", () => {
    const contract = readContract(Buffer.from(text("_agent.md")));
    const inWords = [...analyse(tree!).icons.values()].filter((kind) => kind === "words");
    expect({ contract, inWords }).toMatchObject({
      contract: { kind: "contract", contract: { slug, model: "bloom/follower" } },
      inWords: [],
    });
  });
});
