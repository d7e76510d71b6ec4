import { recallModes } from "../../domain/memory/memory-limits.ts";
import type { Command } from "../command.ts";
import {
  diffMemory,
  historyOfMemory,
  listFacts,
  searchInMemory,
  showMemory,
  showReport,
} from "../memory/read-verbs.ts";
import { restoreMemory, snapshotMemory, snapshotsOfMemory } from "../memory/snapshot-verbs.ts";
import { option, runVerb, type Verbs, verbExamples } from "../verbs.ts";

const MOST_WORDS = 50;

const verbs: Verbs = {
  show: {
    usage: `SLUG [--mode ${recallModes.join("|")}] [--at COMMIT|DATE]`,
    words: [1, 1],
    does: { en: "what the agent is given when it reads it", uk: "що агент отримує, коли її читає" },
    run: showMemory,
  },
  facts: {
    usage: "SLUG",
    words: [1, 1],
    does: {
      en: "each with its past: since when, from whom, when it was last of use",
      uk: "кожен зі своїм минулим: відколи, від кого, коли востаннє знадобився",
    },
    run: listFacts,
  },
  search: {
    usage: "SLUG WORDS… [--deep]",
    words: [2, MOST_WORDS],
    does: { en: "by words, in any form", uk: "за словами в будь-якій формі" },
    run: searchInMemory,
  },
  diff: {
    usage: "SLUG COMMIT|DATE [COMMIT|DATE]",
    words: [1, 3],
    does: { en: "what changed between two moments", uk: "що змінилося між двома моментами" },
    run: diffMemory,
  },
  history: {
    usage: "SLUG [--limit N]",
    words: [1, 1],
    does: { en: "who changed it: proposals, and people by hand", uk: "хто її змінював: пропозиції й люди власноруч" },
    run: historyOfMemory,
  },
  report: {
    usage: "SLUG RUN",
    words: [2, 2],
    does: { en: "what a run left in it, old runs included", uk: "що в ній лишив запуск, давній теж" },
    run: showReport,
  },
  snapshot: {
    usage: "SLUG [--out FILE]",
    words: [1, 1],
    does: { en: "put an archive of it away", uk: "зберегти її архів" },
    run: snapshotMemory,
  },
  snapshots: {
    usage: "SLUG",
    words: [1, 1],
    does: { en: "the archives that were put away", uk: "збережені архіви" },
    run: snapshotsOfMemory,
  },
  restore: {
    usage: "SLUG SNAPSHOT|COMMIT|DATE, SLUG --file FILE [--approve]",
    words: [1, 2],
    does: { en: "propose to go back to what it was", uk: "запропонувати повернутися до того, що було" },
    run: restoreMemory,
  },
};

export const memory: Command = {
  name: "memory",
  summary: { en: "look at what agents know, and go back", uk: "переглядати, що знають агенти, і повертатися назад" },
  usage: `${Object.keys(verbs).join("|")} SLUG […]`,
  words: [1, MOST_WORDS + 1],
  options: {
    mode: option(recallModes.join("|"), "show: how much (wide)", "show: скільки (wide)"),
    at: option("COMMIT|DATE", "show: as it was then", "show: якою вона була тоді"),
    from: option("DATE", "show --mode temporal, diff: from", "show --mode temporal, diff: від"),
    to: option("DATE", "show --mode temporal, diff: to", "show --mode temporal, diff: до"),
    deep: {
      type: "boolean",
      about: { en: "search: through layer 2 too", uk: "search: і в шарі 2" },
    },
    limit: option("N", "history, search: at most so many (20)", "history, search: не більше (20)"),
    out: option("FILE", "snapshot: into a file too", "snapshot: ще й у файл"),
    file: option("FILE", "restore: from an archive in a file", "restore: з архіву у файлі"),
    reason: option("TEXT", "restore: why", "restore: чому"),
    approve: {
      type: "boolean",
      about: { en: "restore: and approve it at once", uk: "restore: і одразу схвалити" },
    },
  },
  examples: [
    ...verbExamples("memory", verbs),
    {
      line: "bloom memory diff archivist 2026-02-01 2026-02-14",
      does: { en: "two weeks", uk: "за два тижні" },
    },
  ],
  run: (context) => runVerb("memory", verbs, "show", context),
};
