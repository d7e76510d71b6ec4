import { z } from "zod";
import type { Json } from "../../base/canonical.ts";
import type { Language } from "../../base/text.ts";
import { actions } from "../../domain/proposal/action.ts";
import { valueGist } from "../../domain/run/value-gist.ts";
import { checkContractText } from "../../garden/agents/check-contract.ts";
import type { WishPreview } from "../../garden/changes/inbox/preview-wish.ts";
import { listTools } from "../../garden/runs/tools/list-tools.ts";
import type { TrialStep } from "../../garden/runs/trial/trial-journal.ts";
import { tryAgent } from "../../garden/runs/trial/try-agent.ts";
import { type Route, route } from "../route.ts";
import { costShape } from "../run-shapes.ts";
import { contractChecks, slugParams, textShape } from "../shapes.ts";
import { engineOf } from "./runs.ts";

const input = z.record(z.string(), z.json()).optional();

const trialStep = z
  .object({
    kind: z.enum(["model", "tool"]),
    name: z.string(),
    /** The output in a few words. */
    gist: z.string(),
    ms: z.number(),
    diagram: z.string().optional(),
    icon: z.string().optional(),
    line: z.int().optional(),
    failure: textShape.optional(),
  })
  .meta({ id: "TrialStep" });

export const trialEffect = z
  .object({
    action: z.string(),
    summary: z.string(),
    target: z.string().optional(),
    files: z.array(z.object({ path: z.string(), change: z.enum(["added", "changed", "removed"]), patch: z.string() })),
    sentences: z.array(textShape),
    /** The gate would refuse it, for this reason. */
    refusal: textShape.optional(),
  })
  .meta({ id: "TrialEffect" });

/** Endpoints for an editor of contracts: tools, checks of a text that is not saved, and a trial. */
export const trialRoutes: readonly Route[] = [
  route("GET /tools", {
    summary: {
      en: "the tools that a contract may name: arguments, the first sentence about each, and what it can propose (R-3)",
      uk: "інструменти, які може назвати контракт: аргументи, перше речення про кожен і що він може пропонувати (R-3)",
    },
    allows: ["owner"],
    answer: z.object({
      tools: z.array(
        z.object({ name: z.string(), signature: z.string(), about: textShape, serves: z.array(z.enum(actions)) }),
      ),
    }),
    handle: ({ garden }) => Promise.resolve({ tools: listTools(garden).map((tool) => ({ ...tool })) }),
  }),
  route("POST /agents/:slug/contract/check", {
    summary: {
      en: "checks a contract's text while it is edited: problems by line, activation checks, the next times, the model; writes nothing (C-3, C-4)",
      uk: "перевіряє текст контракту під час правки: помилки за рядками, перевірки перед активацією, найближчі запуски, модель; нічого не записує (C-3, C-4)",
    },
    allows: ["owner"],
    rate: "read",
    bodySize: "submission",
    params: slugParams,
    body: z.strictObject({ text: z.string() }),
    answer: z.object({
      ready: z.boolean(),
      ...contractChecks,
      contract: z.record(z.string(), z.unknown()).optional(),
      next: z.array(z.string()),
      timezone: z.string(),
      model: z
        .object({
          ok: z.boolean(),
          trouble: textShape.optional(),
          hint: textShape.optional(),
          price: z.object({ input: z.number(), output: z.number(), currency: z.string() }).optional(),
        })
        .optional(),
    }),
    handle: ({ garden, gateway, params: { slug }, body: { text } }) =>
      checkContractText(garden, engineOf(gateway.runs).models, { slug, text }),
  }),
  route("POST /agents/:slug/try", {
    summary: {
      en: "executes an agent without proposing: its calls and the effects that it would have; nothing is written. `text`: a contract that is not saved yet (U-1b)",
      uk: "виконує агента, не пропонуючи: його виклики й те, що він змінив би; нічого не записується. `text`: ще не збережений контракт (U-1b)",
    },
    allows: ["owner"],
    bodySize: "submission",
    params: slugParams,
    body: z.strictObject({ input, text: z.string().optional() }),
    answer: z.object({
      slug: z.string(),
      steps: z.array(trialStep),
      effects: z.array(trialEffect),
      outcome: z
        .object({ kind: z.enum(["effects", "noop", "blocked", "failed"]), reason: z.string().optional() })
        .nullable(),
      /** The question at which it ended: a trial asks nobody. */
      question: z.string().optional(),
      tokens: z.object({ input: z.int(), output: z.int() }),
      cost: costShape.optional(),
    }),
    async handle({ garden, gateway, params: { slug }, body, identity, language }) {
      const given = body.input as { readonly [name: string]: Json } | undefined;
      const trial = await tryAgent(garden, engineOf(gateway.runs).ports, {
        slug,
        by: identity,
        input: given,
        text: body.text,
      });
      const { steps, effects, outcome, question, tokens, cost } = trial;
      return {
        slug,
        steps: steps.map((step) => stepAnswer(step, language)),
        effects: effects.map(effectAnswer),
        outcome: outcome && { kind: outcome.kind, ...reasonOf(outcome) },
        ...(question && { question: question.question }),
        tokens,
        ...(cost && { cost }),
      };
    },
  }),
];

const stepAnswer = ({ kind, name, ms, output, failure, place }: TrialStep, language: Language) => ({
  kind,
  name,
  ms,
  gist: valueGist(output ?? null, language),
  ...place,
  ...(failure && { failure: failure.text }),
});

export const effectAnswer = (effect: WishPreview) =>
  effect.kind === "refused"
    ? { action: effect.action, summary: effect.summary, files: [], sentences: [], refusal: effect.failure.text }
    : {
        action: effect.action,
        summary: effect.summary,
        target: effect.target,
        files: effect.files.map(({ path, change, patch }) => ({ path, change, patch })),
        sentences: [...effect.sentences],
      };

const reasonOf = (outcome: { readonly kind: string; readonly reason?: string; readonly by?: string }) => {
  const reason = outcome.reason ?? outcome.by;
  return reason === undefined ? {} : { reason };
};
