import { recallModes } from "../../domain/memory/memory-limits.ts";
import {
  diffMemory,
  listFacts,
  searchAgentMemory,
  showMemory,
  showMemoryHistory,
  showRunReport,
} from "../memory/show-memory.ts";
import { listMemorySnapshots, restoreMemory, snapshotMemory } from "../memory/snapshot-memory.ts";
import { example, flag, option } from "../options.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";

const MOST_WORDS = 50;

const subcommands: Subcommands = {
  show: {
    usage: `SLUG [--mode ${recallModes.join("|")}] [--at COMMIT|DATE]`,
    words: [1, 1],
    does: { en: "print the memory as the agent reads it", uk: "що агент отримує, коли її читає" },
    run: showMemory,
  },
  facts: {
    usage: "SLUG",
    words: [1, 1],
    does: {
      en: "list the facts with date, author and last use",
      uk: "кожен зі своїм минулим: відколи, від кого, коли востаннє знадобився",
    },
    run: listFacts,
  },
  search: {
    usage: "SLUG WORDS… [--deep]",
    words: [2, MOST_WORDS],
    does: { en: "search by words, in any inflected form", uk: "за словами в будь-якій формі" },
    run: searchAgentMemory,
  },
  diff: {
    usage: "SLUG COMMIT|DATE [COMMIT|DATE]",
    words: [1, 3],
    does: { en: "compare two commits or dates", uk: "що змінилося між двома моментами" },
    run: diffMemory,
  },
  history: {
    usage: "SLUG [--limit N]",
    words: [1, 1],
    does: { en: "list its changes, by proposals and by hand", uk: "хто її змінював: пропозиції й люди власноруч" },
    run: showMemoryHistory,
  },
  report: {
    usage: "SLUG RUN",
    words: [2, 2],
    does: { en: "print the report of a run, archived ones included", uk: "що в ній лишив запуск, давній теж" },
    run: showRunReport,
  },
  snapshot: {
    usage: "SLUG [--out FILE]",
    words: [1, 1],
    does: { en: "archive the memory", uk: "зберегти її архів" },
    run: snapshotMemory,
  },
  snapshots: {
    usage: "SLUG",
    words: [1, 1],
    does: { en: "list the archives", uk: "збережені архіви" },
    run: listMemorySnapshots,
  },
  restore: {
    usage: "SLUG SNAPSHOT|COMMIT|DATE, SLUG --file FILE [--approve]",
    words: [1, 2],
    does: { en: "propose to return to an earlier state", uk: "запропонувати повернутися до того, що було" },
    run: restoreMemory,
  },
};

export const memoryCommand = gardenCommand({
  name: "memory",
  summary: { en: "inspect and restore the memory of agents", uk: "переглядати, що знають агенти, і повертатися назад" },
  usual: "show",
  subcommands,
  options: {
    mode: option(recallModes.join("|"), "show: recall mode (default: wide)", "show: скільки (wide)"),
    at: option("COMMIT|DATE", "show: at this commit or date", "show: якою вона була тоді"),
    from: option("DATE", "show --mode temporal, diff: start", "show --mode temporal, diff: від"),
    to: option("DATE", "show --mode temporal, diff: end", "show --mode temporal, diff: до"),
    deep: flag("search: include archived reports (layer 2)", "search: і в шарі 2"),
    limit: option("N", "history, search: maximum number (default: 20)", "history, search: не більше (20)"),
    out: option("FILE", "snapshot: write it to this file too", "snapshot: ще й у файл"),
    file: option("FILE", "restore: from this archive file", "restore: з архіву у файлі"),
    reason: option("TEXT", "restore: reason", "restore: чому"),
    approve: flag("restore: approve it at once", "restore: і одразу схвалити"),
  },
  examples: [example("bloom memory diff archivist 2026-02-01 2026-02-14", "two weeks", "за два тижні")],
});
