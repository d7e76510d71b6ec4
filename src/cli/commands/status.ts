import { joined, type Text, verbatim } from "../../base/text.ts";
import { type GardenStatus, gardenStatus } from "../../garden/status.ts";
import type { Command } from "../command.ts";
import { rows, when } from "../rows.ts";
import { withGarden } from "../with-garden.ts";

export const status: Command = {
  name: "status",
  summary: { en: "what is in the garden, and how it is", uk: "що є в саду і в якому він стані" },
  usage: "",
  words: [0, 0],
  options: {},
  examples: [
    { line: "bloom status", does: { en: "of the garden where you are", uk: "саду, в якому ви є" } },
    { line: "bloom status --json", does: { en: "for a program", uk: "для програми" } },
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const found = await gardenStatus(garden);
      return { text: told(found), json: found, asked: true };
    }),
};

const SHOWN = 20;

function told(found: GardenStatus): Text {
  const { head, uncommitted, agents } = found;
  const table = rows([
    [{ en: "Garden", uk: "Сад" }, found.name],
    [{ en: "Folder", uk: "Тека" }, found.dir],
    [{ en: "Branch", uk: "Гілка" }, found.branch ?? { en: "none (HEAD is detached)", uk: "жодної (HEAD від'єднано)" }],
    [
      { en: "Head", uk: "Останній коміт" },
      head ? `${head.commit.slice(0, 10)} ${head.subject} (${head.author}, ${when(head.at)})` : "–",
    ],
    [{ en: "Notes", uk: "Нотаток" }, String(found.notes)],
    [{ en: "Agents", uk: "Агентів" }, agents.length === 0 ? "0" : `${agents.length}: ${agents.join(", ")}`],
    [
      { en: "Waiting for you", uk: "Чекає на вас" },
      { en: `${found.pending} proposal(s)`, uk: `пропозицій: ${found.pending}` },
    ],
    [
      { en: "Not committed", uk: "Не закомічено" },
      { en: `${uncommitted.length} file(s)`, uk: `файлів: ${uncommitted.length}` },
    ],
    [{ en: "Store", uk: "Сховище" }, health(found.store.ok, storeText(found.store))],
    [{ en: "Git", uk: "Git" }, health(found.git.ok, verbatim(found.git.version))],
  ]);
  const files = uncommitted.slice(0, SHOWN).map(({ path, kind }) => verbatim(`  ${marks[kind]} ${path}`));
  if (uncommitted.length > SHOWN) files.push({ en: "  …", uk: "  …" });
  const remarks = [...found.store.remarks, ...found.git.remarks].map((remark) => joined([verbatim("!"), remark]));
  return joined([table, ...files, ...remarks], "\n");
}

const marks = { untracked: "?", changed: "M", deleted: "D", other: "·" } as const;

const health = (ok: boolean, about: Text): Text => ({
  en: `${ok ? "healthy" : "NOT HEALTHY"} (${about.en})`,
  uk: `${ok ? "працює" : "НЕ ПРАЦЮЄ"} (${about.uk})`,
});

const storeText = ({ place, role }: GardenStatus["store"]): Text => ({
  en: `${place}; ${role}`,
  uk: `${place}; ${{ owner: "власник", client: "через власника", remote: "бакет" }[role]}`,
});
