import { createHash } from "node:crypto";
import { argumentNamesFor } from "../../expression/argument-names.ts";
import type { CallResult, Dependency, RecordedAnswer } from "../call-result.ts";
import { derivedValue, proposalSubjects } from "../derived-answer.ts";
import { errorAnswer } from "../error-answer.ts";
import type { Request } from "../request.ts";
import type { ReplayRules } from "../retrace.ts";
import { hasProposalId, isToolRequest } from "../tool-request.ts";
import { answerOf } from "./generated.ts";

const draw = (...words: readonly (string | number)[]): number =>
  createHash("sha1").update(JSON.stringify(words)).digest().readUInt16BE(0);

/** The dependencies of requests in the small world. */
export function touchIn(request: Pick<Request, "kind" | "name" | "sem">): Dependency {
  switch (request.kind) {
    case "llm":
    case "judge":
    case "human":
      return { how: "drawn" };
    case "now":
    case "random":
    case "sleep":
      return { how: "moment" };
    case "call":
    case "receive":
      return { how: "absent" };
    case "tool":
      if (request.name === "read-notes") return { how: "constant" };
      if (request.name === "read-context") return { how: "reads", scope: "memory" };
      if (request.name === "look-around") return { how: "reads" };
      return { how: "changes", scope: "memory" };
    case "propose":
      return [{ how: "changes", scope: "p" }, { how: "changes", scope: "q" }, { how: "changes" }][
        draw(request.sem) % 3
      ] as Dependency;
    default:
      return { how: "changes" };
  }
}

/**
 * A world of stateful tools: a result depends on the earlier changes of its scope and on those without a scope, in order. One call
 * in twelve fails, by the same rule. Deterministic from the seed.
 */
export function smallWorld(seed: number): (request: Request) => CallResult {
  const changes: { readonly scope: string | undefined; readonly sem: string }[] = [];
  const times = new Map<string, number>();
  let everything = "";
  return (request) => {
    const { sem } = request;
    const touch = touchIn(request);
    const seen = times.get(sem) ?? 0;
    times.set(sem, seen + 1);
    const mark = (): number => {
      if (touch.how === "constant") return draw(seed, sem);
      if (touch.how === "drawn") return draw(seed, sem, seen);
      if (touch.how === "reads" || touch.how === "changes") {
        const near = changes.filter(({ scope }) => !touch.scope || !scope || scope === touch.scope);
        return draw(seed, sem, ...near.map((each) => each.sem));
      }
      return draw(seed, sem, everything);
    };
    const drawn = mark();
    everything = createHash("sha1").update(everything).update(sem).digest("hex");
    if (touch.how === "changes") changes.push({ scope: touch.scope, sem });
    if (isToolRequest(request) && drawn % 12 === 5)
      return { kind: "failure", failure: { code: "NOT_FOUND", message: `no ${drawn}` } };
    return { kind: "value", value: answerOf(request, drawn) };
  };
}

const TOOLS = [
  { name: "read-notes", fields: ["folder"] },
  { name: "read-context", fields: ["name"] },
  { name: "write-memory", fields: ["text", "n"] },
  { name: "create-proposal", fields: ["type", "content"] },
];

/** The rules of a `flow` run, with a budget of calls. */
export const carrying = (mostCalls = 200): ReplayRules => ({
  options: { maxSteps: 4000, argumentNames: argumentNamesFor(TOOLS) },
  dependencyOf: touchIn,
  nextBatch: (open) => {
    const together = open.filter(({ kind }) => kind !== "human" && kind !== "sleep");
    return together.length > 0 ? together : open.slice(0, 1);
  },
  derivedAnswer: (request, told, count) =>
    request.kind === "notify" ? null : derivedValue(request, proposedIn(told.slice(0, count))),
  errorAnswer,
  limit: (_, told) =>
    told.length >= mostCalls ? { kind: "stops", why: { en: "too many calls", uk: "забагато викликів" } } : undefined,
});

const proposedIn = (told: readonly RecordedAnswer[]): string[] =>
  told.flatMap(({ request, result: came }) =>
    came.kind === "value" && hasProposalId(came.value) ? proposalSubjects(request) : [],
  );
