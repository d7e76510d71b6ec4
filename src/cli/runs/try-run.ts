import type { Json } from "../../base/canonical.ts";
import { failureToRecord } from "../../base/failure.ts";
import type { Language, Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { WishPreview } from "../../garden/changes/inbox/preview-wish.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type Trial, tryAgent } from "../../garden/runs/trial/try-agent.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { printable } from "../printable.ts";
import { fileLines } from "../proposals/print-proposal.ts";
import { inBothLanguages } from "../text-layout.ts";
import { cannotRun } from "./work-and-watch.ts";

/** Executes an agent without proposing and prints what it would propose. Exit code 1 if it would fail. */
export async function tryRun(
  context: CommandContext,
  garden: Garden,
  { slug, input }: { readonly slug: string; readonly input: { readonly [name: string]: Json } | undefined },
): Promise<CommandReport> {
  const ports = await context.machine.trial?.(garden);
  if (!ports) throw cannotRun();
  const trial = await tryAgent(garden, ports, { slug, by: commandLineOwner, input });
  const { effects, outcome, question } = trial;
  const isFailed = outcome?.kind === "failed" || outcome?.kind === "blocked";
  return {
    text: inBothLanguages((language) =>
      [
        ...effects.flatMap((effect) => effectLines(context, effect, language)),
        ...(question ? [`${WORDS.asks[language]} ${printable(question.question)}`] : []),
        endLine(trial, language),
      ].join("\n"),
    ),
    json: {
      ...trial,
      effects: effects.map((effect) =>
        effect.kind === "refused" ? { ...effect, failure: failureToRecord(effect.failure) } : effect,
      ),
      steps: trial.steps.map((step) => ({ ...step, ...(step.failure && { failure: failureToRecord(step.failure) }) })),
    },
    asked: true,
    exit: isFailed ? 1 : 0,
  };
}

export function effectLines({ style }: CommandContext, effect: WishPreview, language: Language): string[] {
  const head = style.bold(`${effect.action}  ${printable(effect.summary)}`);
  if (effect.kind === "refused")
    return [head, `  ${WORDS.refused[language]} ${printable(effect.failure.text[language])}`, ""];
  return [
    head,
    ...effect.sentences.map((sentence) => `  ${printable(sentence[language])}`),
    ...effect.files.flatMap((file) => fileLines(file, style)),
    "",
  ];
}

function endLine({ steps, effects, outcome }: Trial, language: Language): string {
  const made = effects.filter(({ kind }) => kind === "possible").length;
  const reason = outcome && "reason" in outcome ? ` ${printable(outcome.reason)}` : "";
  return language === "en"
    ? `Tried without proposing: ${made} effects, ${steps.length} calls. Nothing was written.${reason}`
    : `Спроба без пропозицій: змін ${made}, викликів ${steps.length}. Нічого не записано.${reason}`;
}

const WORDS = {
  asks: { en: "It would ask you:", uk: "Він запитав би вас:" },
  refused: { en: "would be refused:", uk: "було б відмовлено:" },
} as const satisfies Record<string, Text>;
