import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../../base/canonical.ts";
import {
  type EvidenceWalk,
  MOST_ANSWERS,
  MOST_ICONS_PASSED,
  type WalkAnswer,
} from "../../../domain/library/evidence-record.ts";
import { canonicalForm } from "../../../drakon/canonical.ts";
import type { CallResult } from "../../../drakon/walk/call-result.ts";
import type { Program } from "../../../drakon/walk/frame.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import { walkProgram } from "../../../drakon/walk/retrace.ts";
import type { RecordedRun } from "../../insight/replay/recorded-run.ts";
import { replayRules } from "../../insight/replay/replay-rules.ts";
import { askOf, endOfWalk, passedIcons, walkOneByOne } from "./replay-evidence.ts";

/**
 * The decisions of a recorded run without any content of the garden (S-9b): the allow-list keeps truth values, numbers of ordinary size,
 * the length and order of lists, and texts and names that the published diagram has itself. Every other text becomes `t1`, `t2` …,
 * equal ones alike, and every other member is left out. Undefined if the decisions do not follow from what is left: then nothing of
 * the run leaves but its verdict.
 */
export function redactedWalk(run: RecordedRun, published: Program): EvidenceWalk | undefined {
  const { carried } = run;
  if (!carried || carried.end.kind === "unknown") return undefined;
  const end = endOfWalk(carried.end);
  const path = passedIcons(carried.machine.trace);
  if (end === undefined || path.length > MOST_ICONS_PASSED) return undefined;
  const allowed = new WalkRedaction(published);
  const given = answersByIcon(run);
  const answers: WalkAnswer[] = [];
  const input = allowed.members(run.input);
  const replayed = walkOneByOne(published, input, (request) => {
    const result = given.get(placeOf(request))?.shift() ?? (end === "stopped" ? STOPPED : CUT_OFF);
    if (result.kind === "unknown") return result;
    const told = redactedResult(allowed, request, result);
    answers.push({ ask: askOf(request), icon: request.icon, ...told.kept });
    return told.result;
  });
  const isWhole =
    endOfWalk(replayed.end) === end &&
    isDeepStrictEqual(passedIcons(replayed.machine.trace), path) &&
    [...given.values()].every((left) => left.length === 0) &&
    answers.length <= MOST_ANSWERS;
  return isWhole ? { input, answers, path, end } : undefined;
}

const CUT_OFF = { kind: "unknown", why: "cut-off" } as const;
const STOPPED = { kind: "stopped", why: { en: "stopped", uk: "зупинено" } } as const;

const placeOf = (request: Request): string => `${askOf(request)}\0${request.icon}\0${request.statement}`;

/** Everything that the run was told, in order, by icon: also what was derived without a call (the clock of the follower). */
function answersByIcon({ program, input, recorded, carried }: RecordedRun): Map<string, CallResult[]> {
  const known = new Map(carried!.answers.map(({ request, result }) => [request.id, result]));
  const found = new Map<string, CallResult[]>();
  const note = (request: Request, result: CallResult): void => {
    found.set(placeOf(request), [...(found.get(placeOf(request)) ?? []), result]);
  };
  const rules = replayRules(recorded, recorded.procedure);
  const noting = {
    ...rules,
    derivedAnswer(...[request, ...rest]: Parameters<typeof rules.derivedAnswer>) {
      const value = rules.derivedAnswer(request, ...rest);
      if (value !== undefined && request.kind !== "notify") note(request, { kind: "value", value });
      return value;
    },
  };
  walkProgram(program, input, noting, (request) => {
    const result = known.get(request.id);
    if (result) note(request, result);
    return result ?? CUT_OFF;
  });
  return found;
}

function redactedResult(
  allowed: WalkRedaction,
  { kind }: Request,
  result: CallResult,
): { readonly result: CallResult; readonly kept: { value: Json } | { failed: string } | { stopped: true } } {
  switch (result.kind) {
    case "stopped":
      return { result: STOPPED, kept: { stopped: true } };
    case "failure": {
      const code = /^[A-Z][A-Z0-9_]{1,60}$/.test(result.failure.code) ? result.failure.code : "TOOL_FAILED";
      return { result: { kind: "failure", failure: { code, message: code } }, kept: { failed: code } };
    }
    case "value": {
      const isMoment = kind === "now" || kind === "sleep";
      const value = allowed.value(result.value, isMoment);
      return { result: { kind: "value", value }, kept: { value } };
    }
  }
}

/** Members that the forms of answers have in every garden. */
const KNOWN_NAMES = ["error", "помилка", "code", "text", "number", "decision", "comment", "choice", "wokeAt", "agent"];
const KNOWN_TEXTS = ["", "approve", "reject"];
const LARGEST = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const NO_COMMIT = "0".repeat(40);

/** The allow-list of one program, with the marks that stand for other texts of one run. */
class WalkRedaction {
  readonly #texts: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #marks = new Map<string, string>();

  constructor({ trees }: Program) {
    const words = [...trees.values()].flatMap((tree) => canonicalForm(tree));
    const quoted = words.flatMap((word) => [...word.matchAll(/"([^"]*)"|«([^»]*)»|“([^”]*)”/gu)]);
    this.#texts = new Set([...KNOWN_TEXTS, ...words, ...quoted.map(([, a, b, c]) => a ?? b ?? c ?? "")]);
    const names = words.flatMap((word) => word.match(/[\p{L}_][\p{L}\p{N}_'’ʼ-]*/gu) ?? []);
    this.#names = new Set([...KNOWN_NAMES, "commit", "proposal", "status", ...names]);
  }

  value(value: Json, isMoment = false): Json {
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "number") return redactedNumber(value, isMoment);
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.map((item: Json) => this.value(item, isMoment));
    return this.members(value as { readonly [name: string]: Json }, isMoment);
  }

  members(value: { readonly [name: string]: Json }, isMoment = false): Record<string, Json> {
    const kept = Object.entries(value).filter(([name]) => this.#names.has(name));
    return Object.fromEntries(kept.map(([name, member]) => [name, this.value(member, isMoment)]));
  }

  #text(text: string): string {
    if (this.#texts.has(text)) return text;
    if (/^[0-9a-f]{40}$/.test(text)) return NO_COMMIT;
    const mark = this.#marks.get(text) ?? `t${this.#marks.size + 1}`;
    this.#marks.set(text, mark);
    return mark;
  }
}

/** Large numbers can be dates, accounts and telephone numbers: of times the day stays, of others nothing. */
function redactedNumber(number: number, isMoment: boolean): number {
  if (Math.abs(number) <= LARGEST) return Math.round(number * 1000) / 1000;
  return isMoment ? Math.floor(number / DAY_MS) * DAY_MS : 0;
}
