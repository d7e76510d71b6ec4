import type { Text } from "../../../base/text.ts";
import { isSlug } from "../../../domain/contract/slug.ts";
import { bookkeepingOf } from "../../../domain/git/gateway-commit.ts";
import { contractKey, keys, memoryPath, tree } from "../../../domain/layout.ts";
import { LAYER_ONE_TOKENS, layerOneFiles, layerOneLimits } from "../../../domain/memory/memory-limits.ts";
import { contentsId, memoryMetaText, metaOf, readValues } from "../../../domain/memory/memory-meta.ts";
import { countTokens, fitsTokens } from "../../../domain/text/tokens.ts";
import type { FoundGarden } from "../../core/garden.ts";
import { type MemoryState, readMemory } from "../../records/memory/memory-state.ts";
import { ROTATION, reportAt } from "../../records/memory/run-reports.ts";
import { type Check, mainOf } from "./check.ts";

/** Includes edits by hand: an agent would get a part of the file only. */
export const memoryLimitsCheck: Check = {
  id: "memory-limits",
  rule: "M-2",
  title: { en: "memory keeps its limits", uk: "пам'ять у своїх межах" },
  async *run(garden) {
    for await (const { slug, state } of memoriesIn(garden)) {
      let sum = 0;
      let isOver = false;
      for (const file of layerOneFiles) {
        const text = state.files[file] ?? "";
        const fits = await fitsTokens(text, layerOneLimits[file]);
        if (!fits) yield { where: memoryPath.file(slug, file), what: overLimit(layerOneLimits[file]) };
        isOver ||= !fits;
        sum += fits ? await countTokens(text) : 0;
      }
      if (!isOver && sum > LAYER_ONE_TOKENS) yield { where: `${tree.memory}/${slug}`, what: overTogether(sum) };
    }
  },
};

export const memoryMetaCheck: Check = {
  id: "memory-meta",
  rule: "M-1",
  title: { en: "meta.json of memory says what the files say", uk: "meta.json пам'яті каже те саме, що й файли" },
  async *run(garden) {
    for await (const { slug, state } of memoriesIn(garden)) {
      const { files, meta, metaText, byHand } = state;
      const where = memoryPath.meta(slug);
      if (readValues(files["values.json"]) === undefined)
        yield { where: memoryPath.file(slug, "values.json"), what: noValues };
      // A memory that was written by hand and never changed by a proposal has no meta.json.
      if (metaText === undefined && state.version <= byHand.length) continue;
      if (!meta) yield { where, what: unreadable };
      // An edit by hand does not update meta.json; the next proposal does.
      else if (meta.contents !== contentsId(files) && byHand.length > 0) continue;
      else if (memoryMetaText(metaOf(meta.version, files)) !== metaText) yield { where, what: otherFiles };
    }
  },
};

/** M-1: reports that bookkeeping moved out of git are unchanged in the store. */
export const memoryReportsCheck: Check = {
  id: "memory-reports",
  rule: "M-1",
  title: { en: "old reports of runs are in the store", uk: "давні звіти запусків лежать у сховищі" },
  async *run({ repo, store }, scan) {
    if (repo.kind === "failed" || store.kind === "failed") return;
    const seen = new Set<string>();
    for (const commit of await scan.commits()) {
      if (bookkeepingOf(commit) !== ROTATION) continue;
      for (const { path, before, after } of await repo.value.changes(commit.parents[0], commit.oid)) {
        const report = reportAt(path);
        if (after !== undefined || before === undefined || !report) {
          yield { where: commit.oid, what: notRotated(path) };
          continue;
        }
        // Only the newest move of each report, and only for existing agents.
        if (seen.has(path) || !(await store.value.get(contractKey(report.slug)))) continue;
        seen.add(path);
        const key = keys.runReport(report.slug, report.run);
        const stored = await store.value.get(key);
        if (stored?.hash !== before.oid) yield { where: `store:${key}`, what: stored ? otherReport : reportLost };
      }
    }
  },
};

async function* memoriesIn(
  garden: FoundGarden,
): AsyncGenerator<{ readonly slug: string; readonly state: MemoryState }> {
  const main = await mainOf(garden);
  if (!main) return;
  const { repo, head } = main;
  const files = await repo.list(head, tree.memory).catch(() => []);
  for (const slug of new Set(files.map(({ path }) => path.split("/")[1] ?? "").filter(isSlug))) {
    const state = await readMemory(repo, head, slug).catch(() => undefined); // repositoryCheck reports it
    if (state) yield { slug, state };
  }
}

const overLimit = (most: number): Text => ({
  en: `it has more than ${most} tokens: agents get a part of it only; shorten it`,
  uk: `у ньому понад ${most} токенів: агент отримує лише частину; скоротіть його`,
});
const overTogether = (sum: number): Text => ({
  en: `layer 1 has ${sum} tokens together; at most ${LAYER_ONE_TOKENS} are kept`,
  uk: `шар 1 разом має ${sum} токенів; зберігається не більше ${LAYER_ONE_TOKENS}`,
});
const unreadable: Text = {
  en: "it is missing or unreadable; the next update of this memory writes it again",
  uk: "його немає або його не прочитати; наступне оновлення цієї пам'яті запише його наново",
};
const otherFiles: Text = {
  en: "it does not match the files; the next update of this memory writes it again",
  uk: "він каже не те, що файли; наступне оновлення цієї пам'яті запише його наново",
};
const noValues: Text = {
  en: "this is not an object of named values: no agent can store any until it is fixed",
  uk: "це не група іменованих значень: доки її не виправлено, агент не може їх зберігати",
};
const notRotated = (path: string): Text => ({
  en: `it claims to move reports of runs to the store, but changes ${path}`,
  uk: `він каже, що прибирає звіти запусків, а змінює ${path}`,
});
const reportLost: Text = {
  en: "this report was moved out of git and is missing in the store; the history of git still has it",
  uk: "цей звіт прибрано з git, а у сховищі його вже немає; в історії git він є",
};
const otherReport: Text = {
  en: "this differs from the report that was moved out of git: it was changed by hand",
  uk: "це не той звіт, який прибрано з git: його змінено вручну",
};
