import { assert } from "../../base/assert.ts";
import { isFailure } from "../../base/failure.ts";
import { type ArgumentNames, defaultArgumentNames } from "../expression/argument-names.ts";
import { Raised } from "../expression/problem.ts";
import { isBounded, type Value } from "../expression/value.ts";
import type { IconId } from "../icon-id.ts";
import type { Need } from "./call-scope.ts";
import { frameMaker, type Program, procedureResult } from "./frame.ts";
import { Instructions } from "./instructions.ts";
import { answerFault, idOf, type JournalEntry, type Request, type RequestedEffect, semOf } from "./request.ts";
import { type Activation, newThread, type Thread } from "./thread.ts";
import { failedWalk, iconProblem, type OnEnter, type TraceEntry, type WalkEnd, walkProblem } from "./walk-end.ts";

export interface WalkOptions {
  readonly argumentNames?: ArgumentNames;
  /** The pseudocode line of an icon. */
  readonly lineOf?: (diagram: string, icon: IconId) => number | undefined;
  /** Maximum number of instructions; more end the walk with `step-limit`. */
  readonly maxSteps?: number;
  /** Called with every value that a formula reads by name, to detect when a pending result is needed. */
  readonly onRead?: (value: Value | undefined) => void;
  /** Called for every icon that is entered, with the variables at that moment. The map is live: copy what you keep. */
  readonly onEnter?: OnEnter;
}

const MAX_STEPS = 1_000_000;
/** The limit for a run: far above the number of calls that a run can record, and an endless loop is found within milliseconds. */
export const MAX_RUN_STEPS = 200_000;

export const MAX_CALL_DEPTH = 50;

/** The initial variables of a walk: parameters and any other names. */
export type WalkInput = { readonly [name: string]: Value };

/**
 * The interpreter. It exposes its open requests and accepts answers in any order. Its state is a pure function of program, input
 * and the sequence of answers. Threads are switched only when one waits, in order of creation, so that shared variables have the
 * same values in every replay.
 */
export class WalkMachine {
  readonly trace: TraceEntry[] = [];
  /** Open requests by id, the oldest first. */
  readonly pending = new Map<string, { readonly request: Request; readonly thread: Thread }>();
  readonly #options: WalkOptions;
  readonly #frames: ReturnType<typeof frameMaker>;
  readonly #instructions: Instructions;
  readonly #ready: Thread[] = [];
  #steps = 0;
  #end: WalkEnd | undefined;

  constructor(program: Program, input: WalkInput, options: WalkOptions = {}) {
    this.#options = options;
    this.#frames = frameMaker(program, options.argumentNames ?? defaultArgumentNames, options.onRead);
    this.#instructions = new Instructions(this.trace, (thread) => this.#ready.push(thread), options.onEnter);
    if (!isBounded(input)) {
      this.#end = failedWalk(walkProblem("input", { en: "it is too large or too deep", uk: "завеликі або заглибокі" }));
      return;
    }
    const named = Object.entries(input);
    const frame = this.#frames.frameOf({ diagram: program.main, proc: "", positional: [], named, open: true });
    if ("scope" in frame) {
      this.#ready.push(newThread(frame, 0));
      this.#run();
    } else this.#end = failedWalk(frame);
  }

  get end(): WalkEnd | undefined {
    return this.#end;
  }

  get requests(): Request[] {
    return [...this.pending.values()].map(({ request }) => request);
  }

  /** Applies one journal entry. An entry that does not fit ends the walk as failed, with its position in the journal. */
  answer(entry: JournalEntry, position: number): void {
    if (this.#end) {
      if (this.#end.kind !== "failed") this.#finish(failedWalk(walkProblem("surplus", "", { position })));
      return;
    }
    const waiting = this.pending.get(entry.id);
    if (!waiting || waiting.request.sem !== entry.sem || waiting.request.kind !== entry.kind)
      return this.#finish(failedWalk(walkProblem("non-determinism", `${entry.kind} ${entry.id}`, { position })));
    const { request, thread } = waiting;
    const fault = answerFault(request, entry.value);
    if (fault) {
      const { diagram, proc, icon } = request;
      return this.#finish(failedWalk(walkProblem("wrong-answer", fault, { diagram, proc, icon, position })));
    }
    this.pending.delete(entry.id);
    thread.answer = entry.value;
    this.#ready.push(thread);
    this.#run();
  }

  #finish(end: WalkEnd): void {
    this.#end = end;
    this.pending.clear();
    this.#ready.length = 0;
  }

  #run(): void {
    for (let next = 0; next < this.#ready.length && !this.#end; next++) {
      this.#runThread(this.#ready[next]!);
    }
    this.#ready.length = 0;
  }

  /** Runs until the thread waits, forks, joins or ends. */
  #runThread(thread: Thread): void {
    const limit = this.#options.maxSteps ?? MAX_STEPS;
    for (;;) {
      const activation = thread.activations.at(-1);
      assert(activation, "a running thread is somewhere");
      try {
        if (++this.#steps > limit)
          return this.#finish(failedWalk(walkProblem("step-limit", String(limit), whereIs(activation))));
        const need = this.#advance(thread, activation);
        if (need === "over") {
          if (this.#leaveProcedure(thread)) continue;
          return;
        }
        if (need === "parked") return;
        if (need === "no-case") return this.#finish(failedWalk(walkProblem("no-case", "", whereIs(activation))));
        if (need === "go-on") continue;
        if (need.need === "answer") return this.#open(thread, activation, need.ask);
        if (!this.#callProcedure(thread, activation, need)) return;
      } catch (thrown) {
        if (thrown instanceof Raised) return this.#finish(failedWalk(iconProblem(thrown.problem, whereIs(activation))));
        // Canonical JSON rejects lone surrogates, which external text may contain.
        if (isFailure(thrown, "VALIDATION_FAILED"))
          return this.#finish(failedWalk(walkProblem("input", thrown.text, whereIs(activation))));
        throw thrown;
      }
    }
  }

  /** Executes one instruction, or resumes one that waited. */
  #advance(thread: Thread, activation: Activation): Need | "go-on" | "parked" | "over" | "no-case" {
    if (!activation.active) {
      const moved = this.#instructions.begin(thread, activation);
      if (moved !== "work") return moved;
    }
    const { answer } = thread;
    thread.answer = undefined;
    const active = activation.active!;
    const step = answer === undefined ? active.work.next(null) : active.work.next(answer);
    if (!step.done) return step.value;
    const moved = this.#instructions.finish(activation, active, step.value);
    if (moved === "go-on") activation.active = undefined;
    return moved;
  }

  #open(thread: Thread, { frame, active }: Activation, ask: RequestedEffect): void {
    assert(active, "a request comes from an icon");
    const { diagram, proc } = frame;
    const { icon, number, visit } = active;
    const statement = active.asked++;
    const sem = semOf(ask);
    const id = idOf(sem, { proc, number, visit, statement });
    const line = this.#options.lineOf?.(diagram, icon);
    const where = { diagram, proc, icon, visit, statement, ...(line !== undefined && { line }) };
    assert(!this.pending.has(id), "a request is open once");
    this.pending.set(id, { request: { id, sem, ...ask, ...where }, thread });
  }

  #callProcedure(thread: Thread, activation: Activation, need: Extract<Need, { need: "procedure" }>): boolean {
    const active = activation.active!;
    if (activation.depth + 1 > MAX_CALL_DEPTH) {
      this.#finish(failedWalk(walkProblem("call-depth", String(MAX_CALL_DEPTH), whereIs(activation))));
      return false;
    }
    const proc = `${activation.frame.proc}/${active.number}.${active.visit}.${active.asked++}`;
    const frame = this.#frames.frameOf({ ...need, proc, open: false });
    if (!("scope" in frame)) {
      this.#finish(failedWalk({ ...whereIs(activation), ...frame }));
      return false;
    }
    thread.activations.push({ frame, pc: 0, depth: activation.depth + 1, active: undefined });
    return true;
  }

  /** Returns to the calling icon; false if there is none and the walk has ended. */
  #leaveProcedure(thread: Thread): boolean {
    const { frame } = thread.activations.pop()!;
    const result = procedureResult(frame);
    if (thread.activations.length > 0) {
      thread.answer = result ?? null;
      return true;
    }
    this.#finish(result === undefined ? { kind: "done" } : { kind: "returned", value: result });
    return false;
  }
}

const whereIs = ({ frame, active }: Activation): { diagram: string; proc: string; icon?: IconId } => ({
  diagram: frame.diagram,
  proc: frame.proc,
  ...(active && { icon: active.icon }),
});
