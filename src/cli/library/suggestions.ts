import { type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { behaviourRates } from "../../domain/library/behaviour-figures.ts";
import { dismissSuggestion } from "../../garden/federation/library/dismiss-suggestion.ts";
import { libraryStatistics } from "../../garden/federation/library/library-statistics.ts";
import {
  type BehaviourSuggestion,
  type SideFigures,
  suggestBehaviours,
} from "../../garden/federation/library/suggestions.ts";
import { learningSettings } from "../../garden/insight/learning/logic-performance.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";
import { alignColumns } from "../text-layout.ts";

const NONE: Text = {
  en: "no suggestions: no behaviour of a followed garden is better than an agent's own beyond chance",
  uk: "порад немає: жодна поведінка садів, за якими стежать, не краща за власну понад випадковість",
};
const NOTHING: Text = {
  en: "no runs or sessions with a behaviour yet",
  uk: "ще немає запусків чи сесій із поведінкою",
};

/** Verbs of `bloom library` about figures: statistics by behaviour, suggestions and their dismissal. */
export const librarySuggestions: Subcommands = {
  statistics: {
    usage: "",
    words: [0, 0],
    does: {
      en: "runs and session commits by behaviour, of this garden and of followed ones",
      uk: "запуски й коміти сесій за поведінкою, цього саду й тих, за якими стежать",
    },
    async run(_, garden) {
      const { confidence } = learningSettings(garden);
      const told = [...(await libraryStatistics(garden)).values()].flat();
      const rows = told.map((one) => ({ ...one, ...behaviourRates(one, confidence) }));
      const lines = alignColumns(
        rows.map((one) => [
          one.behaviour.slice(0, 10),
          one.garden ?? "–",
          rateText(one, confidence),
          one.models.map(({ model, temperature }) => `${model ?? "?"} ${temperature ?? "?"}`).join(", "),
          Object.entries(one.commits)
            .map(([kind, count]) => `${kind} ${count}`)
            .join(", "),
        ]),
      );
      return {
        text: lines.length === 0 ? NOTHING : verbatim(lines.join("\n")),
        json: { confidence, behaviours: rows },
        asked: true,
      };
    },
  },
  suggestions: {
    usage: "",
    words: [0, 0],
    does: {
      en: "behaviours of followed gardens that do better than an agent's own, with intervals",
      uk: "поведінки садів, за якими стежать, кращі за власні, з інтервалами",
    },
    async run(_, garden) {
      const { confidence } = learningSettings(garden);
      const { open, dismissed } = await suggestBehaviours(garden);
      const text = open.length === 0 ? NONE : joinedLines(open.map((one) => suggestionText(one, confidence)));
      return { text, json: { confidence, open, dismissed }, asked: true };
    },
  },
  dismiss: {
    usage: "SUGGESTION",
    words: [1, 1],
    does: {
      en: "do not suggest this version again; --reason says why",
      uk: "не радити цю версію знову; --reason каже чому",
    },
    async run(context, garden, [id]) {
      const reason = textOption(context, "reason") ?? "";
      const done = await dismissSuggestion(garden, { id: id!, reason }, commandLineOwner);
      return {
        text: {
          en: `${done.name} ${done.their_version} is no longer suggested for ${done.agent}: ${done.reason}`,
          uk: `${done.name} ${done.their_version} більше не радять для ${done.agent}: ${done.reason}`,
        },
        json: done,
      };
    },
  },
};

const percent = (rate: number): number => Math.round(rate * 100);

function rateText(of: SideFigures | Parameters<typeof behaviourRates>[0], confidence: number): string {
  const { good_rate, good_interval, judgedRuns } = behaviourRates(of, confidence);
  if (good_rate === null || !good_interval) return `– (0/${of.runs})`;
  return `${percent(good_rate)} % (${percent(good_interval.low)}–${percent(good_interval.high)}), ${of.good}/${judgedRuns}`;
}

function suggestionText(one: BehaviourSuggestion, confidence: number): Text {
  const [theirs, ours] = [rateText(one.theirs, confidence), rateText(one.ours, confidence)];
  const replayed = one.replay?.runs;
  const more: Text = replayed
    ? {
        en: `; on your runs ${replayed.better} better, ${replayed.worse} worse, ${replayed.same} same, ${replayed.unknown} unknown`,
        uk: `; на ваших запусках краще ${replayed.better}, гірше ${replayed.worse}, так само ${replayed.same}, невідомо ${replayed.unknown}`,
      }
    : { en: "", uk: "" };
  return {
    en: `${one.id}  ${one.agent} ${one.version} ← ${one.name} ${one.their_version} of ${one.garden}: theirs ${theirs}; yours ${ours}${more.en}`,
    uk: `${one.id}  ${one.agent} ${one.version} ← ${one.name} ${one.their_version} саду ${one.garden}: у них ${theirs}; у вас ${ours}${more.uk}`,
  };
}

const joinedLines = (texts: readonly Text[]): Text => ({
  en: texts.map(({ en }) => en).join("\n"),
  uk: texts.map(({ uk }) => uk).join("\n"),
});
