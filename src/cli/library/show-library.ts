import { joined, type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { type BehaviourComparison, compareBehaviours } from "../../garden/federation/library/compare-behaviours.ts";
import {
  findLibraryEntry,
  type LibraryDetail,
  type LibraryRow,
  libraryDetail,
  libraryRows,
} from "../../garden/federation/library/library-rows.ts";
import type { LibraryFigures } from "../../garden/federation/library/own-behaviours.ts";
import { nameBehaviour } from "../../garden/federation/library/shelf.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";
import { alignColumns, labelledRows, oneLine, quotedLines } from "../text-layout.ts";

const NONE: Text = {
  en: 'the library is empty: `bloom library name AGENT "NAME"`, `bloom library import FILE`, or follow a garden that publishes behaviours',
  uk: 'бібліотека порожня: `bloom library name АГЕНТ "НАЗВА"`, `bloom library import ФАЙЛ` або стежте за садом, що оприлюднює поведінки',
};

/** Verbs of `bloom library` that read, and the one that names. */
export const libraryShown: Subcommands = {
  list: {
    usage: "",
    words: [0, 0],
    does: { en: "the behaviours of the library with their figures", uk: "поведінки бібліотеки з їхніми числами" },
    async run(_, garden) {
      const behaviours = await libraryRows(garden);
      const lines = alignColumns(behaviours.map(cellsOf));
      return { text: lines.length === 0 ? NONE : verbatim(lines.join("\n")), json: { behaviours }, asked: true };
    },
  },
  show: {
    usage: "BEHAVIOUR",
    words: [1, 1],
    does: { en: "its logic, figures and evidence, replayed here", uk: "її логіка, числа й докази, відтворені тут" },
    async run(_, garden, [wanted]) {
      const detail = await libraryDetail(garden, wanted!);
      return { text: detailText(detail), json: detail, asked: true, exit: detail.state === "sound" ? 0 : 1 };
    },
  },
  compare: {
    usage: "BEHAVIOUR [BEHAVIOUR]",
    words: [1, 2],
    does: {
      en: "compare with another behaviour, or with the logic of --agent: diagrams, and figures side by side",
      uk: "порівняти з іншою поведінкою або з логікою --agent: діаграми, і числа поруч",
    },
    async run(context, garden, [wanted, entry]) {
      const { id } = await findLibraryEntry(garden, wanted!);
      const agent = textOption(context, "agent") ?? "";
      const other = entry === undefined ? { agent, version: textOption(context, "version") } : { entry };
      const compared = await compareBehaviours(garden, id, other);
      return { text: comparisonText(compared), json: compared, asked: true };
    },
  },
  name: {
    usage: "AGENT NAME",
    words: [2, 2],
    does: {
      en: "name the behaviour of an agent (--version: of a version); it stays at home until it is published",
      uk: "назвати поведінку агента (--version: версії); вона лишається вдома, доки її не оприлюднено",
    },
    async run(context, garden, [agent, name]) {
      const version = textOption(context, "version");
      const named = await nameBehaviour(garden, { agent: agent!, name: name!, version }, commandLineOwner);
      return {
        text: {
          en: `${named.agent} ${named.version} is “${named.name}” in the library: ${named.behaviour}`,
          uk: `${named.agent} ${named.version} у бібліотеці — «${named.name}»: ${named.behaviour}`,
        },
        json: named,
      };
    },
  },
};

const percent = (rate: number): number => Math.round(rate * 100);

/** `96 % (94–98), 301/312`. */
function judgedText(figures: LibraryFigures | null): string {
  if (!figures || figures.rate === null || !figures.interval) return "–";
  const { rate, interval, good, judged } = figures;
  return `${percent(rate)} % (${percent(interval.low)}–${percent(interval.high)}), ${good}/${judged}`;
}

const cellsOf = ({ id, name, version, garden, source, state, sent, here }: LibraryRow): string[] => [
  id.length > 40 ? `${id.slice(0, -28)}…` : id.slice(0, 12),
  oneLine(name) || "–",
  version ?? "–",
  garden ?? source,
  state,
  judgedText(sent),
  judgedText(here),
];

function detailText(detail: LibraryDetail): Text {
  const { evidence, problems, replays, sent } = detail;
  const count = (outcome: LibraryDetail["evidence"][number]["outcome"]): number =>
    evidence.filter((one) => one.outcome === outcome).length;
  const models = (sent?.models ?? []).map(
    ({ model, temperature, good, bad }) => `${oneLine(model)} ${temperature ?? "?"}: ${good}/${good + bad}`,
  );
  const rows = labelledRows([
    [{ en: "name", uk: "назва" }, oneLine(detail.name) || "–"],
    [{ en: "behaviour", uk: "поведінка" }, detail.behaviour],
    [{ en: "from", uk: "звідки" }, `${detail.garden ?? detail.source} ${detail.version ?? ""}`.trim()],
    [{ en: "signed by", uk: "підписано" }, detail.key ?? "–"],
    [{ en: "sent figures", uk: "надіслані числа" }, judgedText(sent)],
    [{ en: "figures here", uk: "числа тут" }, judgedText(detail.here)],
    [{ en: "models", uk: "моделі" }, models.join(", ") || "–"],
    [
      { en: "evidence", uk: "докази" },
      {
        en: `${count("agrees")} agree, ${count("differs")} differ, ${count("verdict-only")} with a verdict only`,
        uk: `збігаються ${count("agrees")}, відрізняються ${count("differs")}, лише з вердиктом ${count("verdict-only")}`,
      },
    ],
  ]);
  const replayed = replays.map(({ agent, runs: { same, better, worse, unknown } }) => ({
    en: `replayed on runs of ${agent}: ${same} same, ${better} better, ${worse} worse, ${unknown} unknown`,
    uk: `відтворено на запусках ${agent}: так само ${same}, краще ${better}, гірше ${worse}, невідомо ${unknown}`,
  }));
  const lies = problems.map(({ en, uk }) => ({ en: `! ${oneLine(en)}`, uk: `! ${oneLine(uk)}` }));
  return joined([rows, ...replayed, ...lies, verbatim(quotedLines(detail.procedure).join("\n"))], "\n");
}

function comparisonText({ before, after, same, summary, riskLevel, diff, claim }: BehaviourComparison): Text {
  const rows = alignColumns([before, after].map(({ label, figures }) => [label, judgedText(figures)]));
  const told: Text = same
    ? { en: "both have one behaviour", uk: "в обох одна поведінка" }
    : { en: `${summary.en} (risk: ${riskLevel})`, uk: `${summary.uk} (ризик: ${riskLevel})` };
  const claimed: Text = claim
    ? {
        en: `${claim.after} is ${claim.verdict}: difference ${claim.interval.low} … ${claim.interval.high}`,
        uk: `${claim.after}: ${VERDICTS[claim.verdict]}, різниця ${claim.interval.low} … ${claim.interval.high}`,
      }
    : { en: "too few runs for a claim of better or worse", uk: "замало запусків, щоб казати про краще чи гірше" };
  return joined([verbatim(rows.join("\n")), claimed, told, ...(diff === "" ? [] : [verbatim(diff.trimEnd())])], "\n");
}

const VERDICTS = { better: "краще", worse: "гірше", alike: "однаково" } as const;
