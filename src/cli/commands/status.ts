import { asFailure } from "../../base/failure.ts";
import { joined, type Text, verbatim } from "../../base/text.ts";
import { isWorkerRole } from "../../domain/peer.ts";
import { type AgentTrouble, agentTroubles } from "../../garden/agents/lifecycle/agent-troubles.ts";
import { keyRemarks, type SeenPeer } from "../../garden/core/peers.ts";
import { type GardenStatus, gardenStatus } from "../../garden/records/status.ts";
import { openRequests } from "../../garden/runs/hold.ts";
import type { RepoRemote } from "../../ports/repo-health.ts";
import type { Command } from "../command.ts";
import { example } from "../options.ts";
import { formatTime, labelledRows } from "../text-layout.ts";
import { withGarden } from "../with-garden.ts";

export const statusCommand: Command = {
  name: "status",
  summary: { en: "show the contents and the health of the garden", uk: "що є в саду і в якому він стані" },
  usage: "",
  words: [0, 0],
  options: {},
  examples: [
    example("bloom status", "of the current garden", "саду, в якому ви є"),
    example("bloom status --json", "for a program", "для програми"),
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const found = await gardenStatus(garden);
      const troubles = await agentTroubles(garden);
      const questions = (await openRequests(garden)).length;
      const engine = await context.machine.engineHealth?.(garden).catch(failedEngine(garden.config.engine.kind));
      return {
        text: statusText(found, questions, engine, troubles),
        json: { ...found, questions, engine: { ...found.engine, ...engine }, troubles },
        asked: true,
      };
    }),
};

const SHOWN = 20;
const NAMED = 8;

interface EngineState {
  readonly kind: string;
  readonly ok: boolean;
  readonly remarks: readonly Text[];
}

/** An engine that cannot be asked: its SDK is not installed. */
const failedEngine =
  (kind: string) =>
  (error: unknown): EngineState => {
    const { text, hint } = asFailure(error);
    return { kind, ok: false, remarks: hint ? [text, hint] : [text] };
  };

function statusText(
  found: GardenStatus,
  questions: number,
  engine: EngineState | undefined,
  troubles: readonly AgentTrouble[],
): Text {
  const { head, uncommitted, agents } = found;
  const table = labelledRows([
    [{ en: "Garden", uk: "Сад" }, found.name],
    [{ en: "Folder", uk: "Тека" }, found.dir],
    [{ en: "Branch", uk: "Гілка" }, found.branch ?? { en: "none (HEAD is detached)", uk: "жодної (HEAD від'єднано)" }],
    [
      { en: "Head", uk: "Останній коміт" },
      head ? `${head.commit.slice(0, 10)} ${head.subject} (${head.author}, ${formatTime(head.at)})` : "–",
    ],
    [{ en: "Notes", uk: "Нотаток" }, String(found.notes)],
    [{ en: "Agents", uk: "Агентів" }, agentsText(agents)],
    [{ en: "Needs you", uk: "Чекає на вас" }, needsYou(found.pending, questions)],
    [{ en: "Uncommitted", uk: "Не закомічено" }, counted(uncommitted.length, ["file", "files"], "файлів")],
    [{ en: "Store", uk: "Сховище" }, health(found.store.ok, storeText(found.store))],
    [{ en: "Git", uk: "Git" }, health(found.git.ok, verbatim(found.git.version))],
    ...(found.git.remote ? [remoteRow(found.git.remote)] : []),
    ...engineRows(engine, found.engine.url),
    ...peerRows(found.peers),
  ]);
  const files = uncommitted.slice(0, SHOWN).map(({ path, kind }) => verbatim(`  ${marks[kind]} ${path}`));
  if (uncommitted.length > SHOWN) files.push({ en: "  …", uk: "  …" });
  const remarks = [
    ...found.store.remarks,
    ...found.git.remarks,
    ...(found.git.remote?.trouble ? [found.git.remote.trouble] : []),
    ...(found.git.remote && found.store.role !== "remote" ? [ONE_MACHINE] : []),
    ...(engine?.remarks ?? []),
    ...keyRemarks(found.peers),
  ].map((remark) => joined([verbatim("!"), remark]));
  const workers = isWithoutWorker(found.peers) ? [NO_WORKER] : [];
  return joined([table, ...files, ...workers, ...remarks, ...troubles.map(troubleText)], "\n");
}

const ONE_MACHINE: Text = {
  en: "Proposals and runs are on this machine only; other clones of the remote do not see them. For several machines: `bloom move --to s3://…`.",
  uk: "Пропозиції й запуски — лише на цій машині; інші клони віддаленого репозиторію їх не бачать. Для кількох машин: `bloom move --to s3://…`.",
};

/** O-8: an engine outside of this process; the embedded one is part of the processes below. */
const engineRows = (engine: EngineState | undefined, url = ""): readonly (readonly [Text, Text])[] =>
  engine && engine.kind !== "embedded"
    ? [[{ en: "Engine", uk: "Рушій" }, health(engine.ok, verbatim(`${engine.kind} ${url}`.trim()))]]
    : [];

/** O-10: a row for each process that serves the garden; none if nothing does. */
const peerRows = (peers: readonly SeenPeer[]): readonly (readonly [Text, Text])[] =>
  peers.map((peer, i) => [i === 0 ? { en: "Served by", uk: "Обслуговують" } : verbatim(""), peerText(peer)]);

function peerText({ role, version, url, host, age_s, present, running, working_on }: SeenPeer): Text {
  const more = running > working_on.length ? ", …" : "";
  const runs = working_on.length === 0 ? "" : `: ${working_on.join(", ")}${more}`;
  const seen: Text = present
    ? { en: `seen ${age_s} s ago`, uk: `озвався ${age_s} с тому` }
    : { en: `SILENT for ${age_s} s`, uk: `МОВЧИТЬ ${age_s} с` };
  return joined(
    [
      verbatim(`${role} ${version} ${url}${host === undefined ? "" : ` (${host})`}`),
      seen,
      { en: `runs ${running}${runs}`, uk: `запусків ${running}${runs}` },
    ],
    ", ",
  );
}

const isWithoutWorker = (peers: readonly SeenPeer[]): boolean =>
  peers.length > 0 && !peers.some(({ role, present }) => present && isWorkerRole(role));

const NO_WORKER: Text = {
  en: "! No worker is running: requested runs stay queued. Start one with `bloom up --role worker`.",
  uk: "! Жоден виконавець не працює: замовлені запуски чекають у черзі. Запустіть його: `bloom up --role worker`.",
};

/** C-7: an agent that stopped, why, and the commands that start it again. */
const troubleText = ({ slug, why }: AgentTrouble): Text => ({
  en: `! ${slug} is in error and does not run: ${why.en.replaceAll("\n", "\n    ")}\n  → bloom agent check ${slug}, then bloom agent activate ${slug}`,
  uk: `! ${slug} має стан error і не запускається: ${why.uk.replaceAll("\n", "\n    ")}\n  → bloom agent check ${slug}, потім bloom agent activate ${slug}`,
});

/** A count, and the command that lists the items. */
const counted = (count: number, en: readonly [one: string, many: string], uk: string, command?: string): Text => {
  const next = command === undefined || count === 0 ? "" : ` → ${command}`;
  return { en: `${count} ${en[count === 1 ? 0 : 1]}${next}`, uk: `${uk}: ${count}${next}` };
};

/** Questions of runs that wait for an answer are named only if there are any. */
const needsYou = (proposals: number, questions: number): Text =>
  joined(
    [
      counted(proposals, ["proposal", "proposals"], "пропозицій", "bloom proposals"),
      ...(questions > 0 ? [counted(questions, ["question", "questions"], "запитань", "bloom requests")] : []),
    ],
    ", ",
  );

function agentsText(slugs: readonly string[]): string {
  if (slugs.length === 0) return "0";
  const more = slugs.length > NAMED ? ", …" : "";
  return `${slugs.length}: ${slugs.slice(0, NAMED).join(", ")}${more} → bloom agent list`;
}

/** The remote that every machine of the garden pushes to. */
function remoteRow(remote: RepoRemote): [Text, Text] {
  const { address, behind, ahead, lastContact, reachable, blocked } = remote;
  const contact = lastContact === undefined ? "–" : formatTime(lastContact);
  return [
    { en: "Remote", uk: "Віддалений" },
    health(reachable && !blocked, {
      en: `${address}; behind ${behind}, ahead ${ahead}; last contact ${contact}`,
      uk: `${address}; позаду на ${behind}, попереду на ${ahead}; останній зв'язок ${contact}`,
    }),
  ];
}

const marks = { untracked: "?", changed: "M", deleted: "D", other: "·" } as const;

const health = (ok: boolean, about: Text): Text => ({
  en: `${ok ? "healthy" : "NOT HEALTHY"} (${about.en})`,
  uk: `${ok ? "працює" : "НЕ ПРАЦЮЄ"} (${about.uk})`,
});

const storeText = ({ place, role }: GardenStatus["store"]): Text => ({
  en: `${place}; ${role}`,
  uk: `${place}; ${{ owner: "власник", client: "через власника", reader: "лише читання", remote: "кошик" }[role]}`,
});
