import type { Json } from "../../base/canonical.ts";
import type { Diagram, Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import { defaultArgumentNames } from "../expression/argument-names.ts";
import { boundNames } from "../expression/bound-names.ts";
import { parametersOf } from "../expression/parameters.ts";
import { Raised } from "../expression/problem.ts";
import { diagramName } from "../expression/read-step.ts";
import type { Value } from "../expression/value.ts";
import type { IconId } from "../icon-id.ts";
import type { CallScope, IconWork, Need } from "../walk/call-scope.ts";
import { enterWork, questionWork, type Rounds, roundWork, selectWork, stepWork } from "../walk/icon-work.ts";
import type { RequestedEffect } from "../walk/request.ts";
import { beside, layoutOf, stepOf } from "./graph-layout.ts";

/**
 * A reference interpreter that follows the exits of drawn icons and does not use trees. It shares only the work of single icons
 * with the real one, so the two agree only if control flow, threads, loops and calls do.
 */
export interface GraphRequest extends RequestedEffect {
  readonly diagram: string;
  readonly icon: IconId;
  readonly visit: number;
  readonly statement: number;
}

export interface GraphWalk {
  /** `diagram icon visit answer`, in order of entry. */
  readonly trace: readonly string[];
  readonly end: string;
}

type Asked = GraphRequest | Parked;
type Mover = Generator<Asked, void, Value>;
interface Parked {
  readonly fork: readonly Mover[];
}

interface Call {
  readonly diagram: Diagram;
  readonly name: string;
  readonly place: CallScope;
  readonly currentItems: Map<string, Value>;
  readonly visits: Map<IconId, number>;
  readonly rounds: Map<IconId, Rounds>;
}

interface Runner {
  readonly mover: Mover;
  readonly parent: Runner | undefined;
  open: number;
  answer: Value;
}

class Stopped extends Error {}

export function graphWalk(
  diagrams: ReadonlyMap<string, Diagram>,
  main: string,
  input: { readonly [name: string]: Value },
  oracle: (request: GraphRequest) => Json,
  maxSteps = 5000,
): GraphWalk {
  const trace: { line: string; answer: string }[] = [];
  const drawn = new Map([...diagrams].map(([name, diagram]) => [diagramName(name), diagram]));
  const layouts = new Map([...drawn].map(([name, diagram]) => [name, layoutOf(diagram)]));
  let end = "open";
  try {
    schedule();
  } catch (thrown) {
    if (thrown instanceof Raised) end = `failed ${thrown.problem.code}`;
    else if (thrown instanceof Stopped) end = `failed ${thrown.message}`;
    else throw thrown;
  }
  return { trace: trace.map(({ line, answer }) => `${line}${answer}`), end };

  function schedule(): void {
    const first = callOf(main, Object.entries(input), true);
    const root: Runner = {
      mover: procedure(first),
      parent: undefined,
      open: 0,
      answer: null,
    };
    const ready = [root];
    const waiting: { runner: Runner; request: GraphRequest }[] = [];
    for (;;) {
      for (let next = ready.shift(); next; next = ready.shift()) {
        const step = next.mover.next(next.answer);
        next.answer = null;
        const asked = step.done ? undefined : step.value;
        if (asked && "fork" in asked) {
          const { fork } = asked;
          const parent = next;
          const begun = fork.map((mover) => ({ mover, parent, open: 0, answer: null }));
          next.open = fork.length;
          ready.push(...begun);
        } else if (asked) waiting.push({ runner: next, request: asked });
        else if (next.parent) {
          if (--next.parent.open === 0) ready.push(next.parent);
        } else {
          const result = first.place.names.get("результат") ?? first.place.names.get("result");
          end = result === undefined ? "done" : `returned ${JSON.stringify(result)}`;
          return;
        }
      }
      const oldest = waiting.shift();
      if (!oldest) return;
      oldest.runner.answer = oracle(oldest.request);
      ready.push(oldest.runner);
    }
  }

  function callOf(name: string, named: readonly (readonly [string, Value])[], open: boolean): Call {
    const diagram = drawn.get(diagramName(name))!;
    const { tree } = layouts.get(diagramName(name))!;
    const names = new Map(named);
    const bound = new Set([...boundNames(tree), ...(open ? names.keys() : [])]);
    const currentItems = new Map<string, Value>();
    const place: CallScope = {
      names,
      bound,
      argumentNames: defaultArgumentNames,
      currentItems,
      hasDiagram: (one) => drawn.has(one),
      valueOf: (one) => names.get(one),
      isUnset: (one) => bound.has(one),
    };
    return { diagram, name, place, currentItems, visits: new Map(), rounds: new Map() };
  }

  function* procedure(call: Call): Mover {
    const { branches } = layouts.get(diagramName(call.name))!;
    yield* follow(call, branches[0]!.id);
  }

  function enter(call: Call, icon: Icon): { visit: number; entry: { line: string; answer: string } } {
    const visit = call.visits.get(icon.id) ?? 0;
    call.visits.set(icon.id, visit + 1);
    const entry = { line: `${call.name} ${icon.id} ${visit}`, answer: "" };
    trace.push(entry);
    if (trace.length > maxSteps) throw new Stopped("long");
    return { visit, entry };
  }

  /** From an icon to the end of the procedure or of the process. */
  function* follow(call: Call, start: IconId): Mover {
    const { loopStarts, cases, processes, parallelEnds, loopEnds } = layouts.get(diagramName(call.name))!;
    const icon = (id: IconId | undefined): Icon => call.diagram.icons.get(id!)!;
    let at = start;
    let back = false;
    for (;;) {
      const here = icon(at);
      switch (roleOf(here.type)) {
        case "end":
          return;
        case "parend":
          return;
        case "branch":
        case "arrow-loop":
          enter(call, here);
          at = here.one!;
          break;
        case "question": {
          const { visit, entry } = enter(call, here);
          const answer = yield* worked(call, here, visit, 0, questionWork(beside(call.diagram, here), call.place));
          entry.answer = ` ${answer}`;
          at = (answer === here.yesIsDown ? here.one : here.two)!;
          break;
        }
        case "select": {
          const { visit, entry } = enter(call, here);
          const all = cases.get(here.id)!;
          const last = all.at(-1)!;
          const otherwise = last.text.trim() === "";
          const labels = (otherwise ? all.slice(0, -1) : all).map(({ text }) => text);
          const found = yield* worked(
            call,
            here,
            visit,
            0,
            selectWork(beside(call.diagram, here), labels, otherwise, call.place),
          );
          entry.answer = ` ${found ?? null}`;
          const chosen = found === undefined ? (otherwise ? last : undefined) : all[found];
          if (!chosen) throw new Stopped("no-case");
          enter(call, chosen);
          if (chosen.final) return;
          at = chosen.one!;
          break;
        }
        case "loopend":
          at = loopStarts.get(here.id)!;
          back = true;
          break;
        case "loopbegin": {
          const known = call.visits.get(here.id) ?? 0;
          if (!back) call.rounds.set(here.id, yield* worked(call, here, known, 0, enterWork(here.text, call.place)));
          back = false;
          const { visit, entry } = enter(call, here);
          const rounds = call.rounds.get(here.id)!;
          const more = yield* worked(call, here, visit, 1, roundWork(rounds, here.text, call.place, call.currentItems));
          entry.answer = ` ${more}`;
          const after = loopEnds.get(here.id)!;
          if (!more && after.final) return;
          at = more ? here.one! : after.one!;
          break;
        }
        case "parbegin": {
          yield { fork: processes.get(here.id)!.map((one) => process(call, one)) };
          const parend = parallelEnds.get(here.id)!;
          enter(call, parend);
          if (parend.final) return;
          at = parend.one!;
          break;
        }
        default: {
          const { visit } = enter(call, here);
          yield* worked(call, here, visit, 0, stepWork(stepOf(call.diagram, here), call.place));
          if (here.final) return;
          at = here.one!;
        }
      }
    }
  }

  function* process(call: Call, head: Icon): Mover {
    enter(call, head);
    yield* follow(call, head.one!);
  }

  function* worked<T>(
    call: Call,
    icon: Icon,
    visit: number,
    part: number,
    work: IconWork<T>,
  ): Generator<Asked, T, Value> {
    let statement = part * 1_000_000;
    let step = work.next();
    while (!step.done) {
      const need: Need = step.value;
      if (need.need === "answer")
        step = work.next(yield { ...need.ask, diagram: call.name, icon: icon.id, visit, statement: statement++ });
      else {
        statement++;
        const inner = layouts.get(diagramName(need.diagram))!;
        const parameters = parametersOf(inner.tree.params);
        const given = [...need.positional.map((value, index) => [parameters[index]!, value] as const), ...need.named];
        const called = callOf(need.diagram, given, false);
        yield* procedure(called);
        step = work.next(called.place.names.get("результат") ?? called.place.names.get("result") ?? null);
      }
    }
    return step.value;
  }
}
