import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countTokens, fitsTokens } from "../text/tokens.ts";
import { changelogEntries, withEntry, withLostEntries } from "./logic-changelog.ts";
import { adoptedMeta, MAX_META_BYTES, metaText, readMeta } from "./logic-meta.ts";
import { procedureOf, pseudoText, readPseudo } from "./logic-pseudo.ts";
import { rationaleText, readRationale, withMeasuredResult } from "./logic-rationale.ts";
import { versionAfter, versionNamed, versionOfPath } from "./logic-version.ts";

describe("L-1a versions", () => {
  test("the next version follows the highest one, even if others are missing", () => {
    expect({ none: versionAfter([]), one: versionAfter(["v001"]), gap: versionAfter(["v007", "v002"]) }).toEqual({
      none: "v001",
      one: "v002",
      gap: "v008",
    });
  });

  test("the version after v999 is a failure with a hint", () => {
    expect(() => versionAfter(["v999"])).toThrowError(/v999/);
    expect(versionAfter(["v998"])).toBe("v999");
  });

  test.each([
    ["logic/a/versions/v006.rationale.md", "v006"],
    ["logic/a/versions/v006.drakon.json", "v006"],
    ["logic/a/versions/v000.pseudo.md", undefined],
    ["logic/a/versions/notes.md", undefined],
    ["logic/a/current.pseudo.md", undefined],
  ])("%s belongs to %s", (path, version) => expect(versionOfPath(path)).toBe(version));
});

describe("L-1 current.meta.json", () => {
  const longest = {
    agentId: "a".repeat(63),
    logicVersion: "v999",
    activeSince: "2026-02-10T09:00:00Z",
    sourceProposal: "prop_2026-02-10_090000_abc123",
  };

  test("an adopted meta has the fields of source 000 in order, and no runs", () => {
    expect(metaText(adoptedMeta({ ...longest, agentId: "curator", logicVersion: "v007" }))).toBe(`{
  "agentId": "curator",
  "logicVersion": "v007",
  "activeSince": "2026-02-10T09:00:00Z",
  "sourceProposal": "prop_2026-02-10_090000_abc123",
  "runsOnThisVersion": 0,
  "successRate": null,
  "avgTokensPerRun": null,
  "optimizerLastAnalysis": null,
  "optimizerRecommendation": "none",
  "schemaVersion": "1.0"
}
`);
  });

  test("the meta stays below 500 bytes with the longest name, a full record and many runs", () => {
    const full = {
      ...adoptedMeta(longest),
      runsOnThisVersion: 999_999,
      successRate: 0.9412,
      avgTokensPerRun: 123_456,
      optimizerLastAnalysis: "2026-02-17T08:00:00Z",
      optimizerRecommendation: "rollback",
    };
    expect(Buffer.byteLength(metaText(full))).toBeLessThan(MAX_META_BYTES);
    expect(readMeta(metaText(full))).toEqual(full);
  });

  test.each([["not JSON"], ["{}"], ['{"agentId":"a","logicVersion":"v1"}']])(
    "an invalid meta is not guessed: %s",
    (text) => expect(readMeta(text)).toBeUndefined(),
  );
});

describe("L-1a current.pseudo.md", () => {
  const pseudo = {
    agentId: "curator",
    version: "v007",
    updated: "2026-02-17T14:30:00Z",
    proposal: "prop_x",
    procedure: 'ПОЧАТОК "x"\n\n  крок\n\nКІНЕЦЬ\n',
  };

  test("the file begins with the header of source 000 §2.2", () => {
    expect(pseudoText(pseudo)).toBe(
      `# Псевдокод: curator\n**Версія логіки:** v007\n**Оновлено:** 2026-02-17T14:30:00Z\n**На основі Proposal:** prop_x\n\n## Головний потік\n\n${pseudo.procedure}`,
    );
  });

  test("any procedure is read back unchanged", () => {
    const procedure = fc
      .string({ unit: fc.constantFrom("a", "#", " ", "\n", "**Версія логіки:** v1", "## Головний потік", "\t", "ї") })
      .filter((text) => text.trim() !== "")
      .map((text) => `${text.replace(/^(?:[ \t]*\n)+/, "").trimEnd()}\n`);
    fc.assert(
      fc.property(procedure, (text) => {
        expect(readPseudo(pseudoText({ ...pseudo, procedure: text }))).toEqual({ ...pseudo, procedure: text });
      }),
    );
  });

  test("a file without its header or with Windows line ends still gives the procedure", () => {
    expect(procedureOf(pseudo.procedure)).toBe(pseudo.procedure);
    expect(procedureOf(pseudoText(pseudo).replaceAll("\n", "\r\n")).replaceAll("\r", "")).toBe(pseudo.procedure);
  });
});

describe("L-3 changelog.md", () => {
  const entry = {
    version: "v007",
    date: "2026-02-10",
    proposal: "prop_x",
    initiator: "optimizer",
    reason: "runs 98-112\n## v999 — forged",
    change: "додано перевірку",
  };

  test("the changelog begins with its title and has the fields of source 000", () => {
    expect(withEntry(undefined, "curator", entry)).toBe(`# Logic Changelog: curator

## v007 — 2026-02-10
**Proposal:** prop_x${"  "}
**Ініціатор:** optimizer${"  "}
**Причина:** runs 98-112 ## v999 — forged${"  "}
**Зміна:** додано перевірку${"  "}
`);
  });

  test("a rollback is named in the heading as source 000 §3.4 does", () => {
    const text = withEntry(undefined, "c", { ...entry, version: "v008", rollbackTo: "v006" });
    expect(text).toContain("## v008 — rollback до v006 — 2026-02-10");
    expect(changelogEntries(text)[0]).toMatchObject({ version: "v008", date: "2026-02-10" });
  });

  test.each([
    ["a preface", "# Log\n\nMy words.\n\n## v006 — 2026-01-28\nold\n"],
    ["no title", "## v006 — 2026-01-28\nold\n"],
    ["no entries and no line end", "# Log\n\njust prose"],
    ["only prose", "prose without any heading\n"],
    ["Windows line ends", "# Log\r\n\r\n## v006 — 2026-01-28\r\nold\r\n"],
    ["an entry inside a code fence", "# Log\n\n```\n## v001 — not one\n```\n\n## v006 — x\nold\n"],
  ])("a new entry keeps every line of a file with %s, and is read first", (_, text) => {
    const after = withEntry(text, "c", entry);
    const lines = after.split(/\r?\n/);
    let at = -1;
    for (const line of text.split(/\r?\n/)) {
      at = lines.indexOf(line, at + 1);
      expect(at).toBeGreaterThanOrEqual(0);
    }
    expect(changelogEntries(after)[0]?.version).toBe("v007");
    expect(after.includes("\r\n")).toBe(text.includes("\r\n"));
  });

  test("only the last ten entries are loaded", () => {
    let text: string | undefined;
    for (let n = 1; n <= 12; n++) text = withEntry(text, "c", { ...entry, version: versionNamed(n) });
    expect(changelogEntries(text!).map(({ version }) => version)).toEqual(
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map(versionNamed),
    );
  });

  test("L-7 entries that a revert removed are restored above the others", () => {
    const six = withEntry(undefined, "c", { ...entry, version: "v006" });
    const seven = withEntry(six, "c", entry);
    expect(withLostEntries(six, "c", seven)).toBe(seven);
    expect(withLostEntries(seven, "c", six)).toBe(seven);
  });
});

describe("L-3 vNNN.rationale.md", () => {
  const words = fc
    .string({ unit: fc.constantFrom("a", "# ", "## Докази", "\\#", " ", "\n", "```", "~~~", "|", "ї") })
    .map((text) => text.replace(/\r/g, "").trim());

  test("L-3 has the headings and the table of source 000 §2.2; the measured result is filled in when it is read", () => {
    const text = rationaleText({
      problem: "Runs 98-112: the agent looped",
      change: "Add a guard",
      evidenceRuns: ["run_098"],
      agentId: "c",
      version: "v007",
      before: "v006",
      measured: { successRate: 0.87, avgTokensPerRun: 3800 },
      proposal: "prop_x",
      adopted: "2026-02-10T09:00:00Z",
      comparison: "+3 рядки",
    });
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    const filled = withMeasuredResult(text, "Результат після 143 запусків: success_rate 0.87 → 0.994", {
      successRate: 0.994,
      avgTokensPerRun: 3200,
    });
    expect({
      headings,
      unknown: text.includes("Ще невідомо"),
      filled: filled.slice(filled.indexOf("## Результат")),
    }).toEqual({
      headings: [
        "Проблема, яку вирішувала ця версія",
        "Запропонована зміна",
        "Докази",
        "Результат",
        "Порівняння з v006",
      ],
      unknown: true,
      filled: `## Результат
Результат після 143 запусків: success_rate 0.87 → 0.994

## Порівняння з v006
+3 рядки

| Метрика | v006 | v007 |
|---|---|---|
| success_rate | 0.87 | 0.994 |
| avg_tokens | 3800 | 3200 |
| error_rate | 0.13 | 0.006 |
`,
    });
  });

  test("any rationale is read back, and its text cannot begin a section", () => {
    fc.assert(
      fc.property(words, words, fc.array(fc.constantFrom("run_098", "run_103")), (problem, change, evidenceRuns) => {
        const text = rationaleText({
          problem: `x ${problem}`,
          change: `y ${change}`,
          evidenceRuns,
          agentId: "c",
          version: "v007",
          before: "v006",
          proposal: "prop_x",
          adopted: "2026-02-10T09:00:00Z",
          comparison: "+3 рядки",
        });
        const read = readRationale(text);
        expect(read.evidenceRuns).toEqual(evidenceRuns);
        expect(read.problem?.startsWith(`x ${problem}`.trimEnd())).toBe(true);
        expect(read.change?.startsWith(`y ${change}`.trimEnd())).toBe(true);
      }),
    );
  });
});

describe("M-2a tokens", () => {
  test.each([
    ["", 0],
    ["hello world", 2],
    ["Псевдокод", 6],
    ["<|endoftext|>", 7],
  ])("%j has as many tokens as o200k counts", async (text, count) => expect(await countTokens(text)).toBe(count));

  test("a limit is exact, and a hostile word of a megabyte is counted quickly", async () => {
    const text = "слово ".repeat(3000);
    const exact = await countTokens(text);
    expect({ exact: await fitsTokens(text, exact), tooSmall: await fitsTokens(text, exact - 1) }).toEqual({
      exact: true,
      tooSmall: false,
    });
    expect(await fitsTokens("і".repeat(1_000_000), 8000)).toBe(false);
  });
});

test("L-1 an English garden has English heads, and files of either language are read alike", () => {
  const entry = {
    version: "v002",
    date: "2026-02-10",
    rollbackTo: "v001",
    proposal: "prop_1",
    initiator: "owner",
    reason: "Why",
    change: "What",
  };
  const pseudo = { agentId: "a", version: "v002", updated: "2026-02-10", proposal: "prop_1", procedure: "BEGIN\n" };
  const text = withEntry(undefined, "a", entry, "en");
  const read = (["en", "uk"] as const).map((language) => ({
    fields: [...changelogEntries(withEntry(undefined, "a", entry, language))[0]!.fields],
    pseudo: readPseudo(pseudoText(pseudo, language)),
  }));
  expect({ hasUkrainian: /[а-яіїєґ]/i.test(text + pseudoText(pseudo, "en")), equal: read[0] }).toEqual({
    hasUkrainian: false,
    equal: read[1],
  });
});
