import type { Diagram, Icon } from "../diagram/diagram.ts";
import { isKnownType, roleOf } from "../diagram/icon-types.ts";
import { type Finding, type FindingCode, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { casesOfSelects, ignoredTexts } from "./icon-checks.ts";

/** The position of an icon: its branch, and its process in a parallel block. */
interface Context {
  readonly branch: IconId;
  readonly process: { readonly head: IconId; readonly index: number; readonly outer: Context } | undefined;
}

/** The reachable icons, the icons that belong together (cases, processes, ends of blocks) and the findings on the way. */
export interface DiagramSurvey {
  readonly branches: readonly Icon[];
  /** Reached icons, in order of discovery. */
  readonly reached: ReadonlyMap<IconId, Context>;
  /** Processes of a parallel block, by the id of its first icon. */
  readonly processes: ReadonlyMap<IconId, readonly Icon[]>;
  readonly parallelEnds: ReadonlyMap<IconId, Icon>;
  readonly cases: ReadonlyMap<IconId, readonly Icon[]>;
  readonly findings: readonly Finding[];
}

export function surveyDiagram(diagram: Diagram): DiagramSurvey {
  return new Surveyor(diagram).run();
}

class Surveyor {
  readonly #icons: ReadonlyMap<IconId, Icon>;
  readonly #findings: Finding[] = [];
  readonly #reached = new Map<IconId, Context>();
  readonly #processes = new Map<IconId, Icon[]>();
  readonly #parallelEnds = new Map<IconId, Icon>();
  readonly #cases = new Map<IconId, Icon[]>();
  readonly #entries = new Map<IconId, IconId[]>();
  readonly #addressed = new Set<IconId>();
  readonly #work: { id: IconId; context: Context }[] = [];
  /** Ends of parallel blocks that a line outside of any process leads to. */
  readonly #strayEnds = new Set<IconId>();
  readonly reported = new Set<string>();

  constructor(diagram: Diagram) {
    this.#icons = diagram.icons;
  }

  run(): DiagramSurvey {
    const branches = this.#branches();
    for (const branch of branches) {
      const context: Context = { branch: branch.id, process: undefined };
      this.#reached.set(branch.id, context);
      this.#go(branch, "one", branch.one, context);
      for (let next = this.#work.pop(); next; next = this.#work.pop()) this.#visit(next.id, next.context);
    }
    this.#checkWhole(branches);
    return {
      branches,
      reached: this.#reached,
      processes: this.#processes,
      parallelEnds: this.#parallelEnds,
      cases: this.#cases,
      findings: this.#findings,
    };
  }

  report(code: FindingCode, icon: Icon | undefined, field?: string, detail?: string, isOrigin = false): void {
    const mark = `${code} ${icon?.id} ${field}`;
    if (this.reported.has(mark)) return;
    this.reported.add(mark);
    const about = icon && { icon: icon.id, iconText: icon.text };
    this.#findings.push(
      finding(code, {
        ...about,
        ...(field !== undefined && { field }),
        ...(detail !== undefined && { detail }),
        isOrigin,
      }),
    );
  }

  #branches(): Icon[] {
    const branches = [...this.#icons.values()].filter(({ type }) => type === "branch");
    if (branches.length === 0) this.report("E-NO-BRANCH", undefined);
    const byId = new Map<number, Icon>();
    for (const branch of branches) {
      const twin = branch.branchId === undefined ? undefined : byId.get(branch.branchId);
      if (branch.branchId === undefined || twin)
        this.report("E-BRANCHID", branch, undefined, String(branch.branchId ?? "–"));
      if (twin) this.report("E-BRANCHID", twin, undefined, String(twin.branchId));
      if (branch.branchId !== undefined) byId.set(branch.branchId, branch);
    }
    return branches.toSorted((a, b) => (a.branchId ?? Infinity) - (b.branchId ?? Infinity));
  }

  /** Follows an exit: reports an invalid target, or adds it to the work list. */
  #go(from: Icon, field: "one" | "two", target: IconId | undefined, context: Context): void {
    if (target === undefined) return this.report("E-MISSING-EXIT", from, field);
    const icon = this.#icons.get(target);
    if (!icon) return this.report("E-DANGLING", from, field);
    const role = roleOf(icon.type);
    if (role === "none" || role === "duration" || role === "case") return this.report("E-WRONG-TARGET", from, field);
    if (role === "branch") {
      this.#addressed.add(icon.id);
      if (context.process) this.report("E-PAR-ESCAPE", from, field, target, true);
      return;
    }
    if (role === "end") {
      if (context.process) this.report("E-PAR-ESCAPE", from, field, target, true);
      this.#reached.set(icon.id, this.#reached.get(icon.id) ?? context);
      return;
    }
    const entries = this.#entries.get(target);
    if (entries) entries.push(from.id);
    else this.#entries.set(target, [from.id]);
    this.#work.push({ id: target, context });
  }

  #visit(id: IconId, context: Context): void {
    const icon = this.#icons.get(id)!;
    const role = roleOf(icon.type);
    if (role === "parend") return this.#endProcess(icon, context);
    const before = this.#reached.get(id);
    if (before && role === "parbegin" && !this.#processes.has(id)) return this.#conflict(icon, "E-PROCESS-ENTRY");
    if (before) {
      if (!sameContext(before, context))
        this.#conflict(icon, before.branch === context.branch ? "E-PAR-ESCAPE" : "E-CROSS-BRANCH");
      return;
    }
    this.#reached.set(id, context);
    this.#checkIcon(icon);
    if (icon.final) {
      // A final icon ends its process; its line shows where the block ends if no other process says so.
      const below = icon.one === undefined ? undefined : this.#icons.get(icon.one);
      if (context.process && below?.type === "parend") this.#go(icon, "one", icon.one, context);
      return;
    }
    switch (role) {
      case "question":
        // Right exit first: the list is a stack, and the icons below should be found first.
        this.#go(icon, "two", icon.two, context);
        this.#go(icon, "one", icon.one, context);
        return;
      case "select":
        return this.#select(icon, context);
      case "parbegin":
        return this.#parallel(icon, context);
      default:
        this.#go(icon, "one", icon.one, context);
    }
  }

  #select(select: Icon, context: Context): void {
    const cases: Icon[] = [];
    const seen = new Set<IconId>();
    const first = select.one === undefined ? undefined : this.#icons.get(select.one);
    if (select.one !== undefined && !first) return this.report("E-DANGLING", select, "one");
    if (first?.type !== "case") return this.report("E-SELECT-NO-CASE", select);
    for (let next: Icon | undefined = first; next && !seen.has(next.id); ) {
      seen.add(next.id);
      cases.push(next);
      if (this.#reached.has(next.id)) this.report("E-CASE-STRAY", next);
      this.#reached.set(next.id, context);
      if (next.two === undefined) break;
      const right: Icon | undefined = this.#icons.get(next.two);
      if (!right) this.report("E-DANGLING", next, "two");
      else if (right.type !== "case") this.report("E-WRONG-TARGET", next, "two");
      else if (seen.has(right.id)) this.report("E-CASE-STRAY", next);
      next = right?.type === "case" ? right : undefined;
    }
    this.#cases.set(select.id, cases);
    if (cases.at(-1)!.text.trim() !== "") this.report("W-NO-DEFAULT", select);
    for (const one of cases.slice(0, -1)) if (one.text.trim() === "") this.report("E-CASE-EMPTY-MIDDLE", one);
    for (const one of cases.toReversed()) if (!one.final) this.#go(one, "one", one.one, context);
  }

  #parallel(head: Icon, context: Context): void {
    const processes: Icon[] = [];
    for (let next: Icon | undefined = head; next; ) {
      processes.push(next);
      if (next.two === undefined) break;
      const right: Icon | undefined = this.#icons.get(next.two);
      if (!right) this.report("E-DANGLING", next, "two");
      else if (right.type !== "parbegin" || this.#reached.has(right.id)) this.report("E-WRONG-TARGET", next, "two");
      next = right?.type === "parbegin" && !this.#reached.has(right.id) ? right : undefined;
      if (next) this.#reached.set(next.id, context);
    }
    this.#processes.set(head.id, processes);
    for (let index = processes.length - 1; index >= 0; index--) {
      const process = processes[index]!;
      this.#go(process, "one", process.one, {
        branch: context.branch,
        process: { head: head.id, index, outer: context },
      });
    }
  }

  #endProcess(icon: Icon, context: Context): void {
    const { process } = context;
    if (!process) {
      this.#strayEnds.add(icon.id);
      return;
    }
    const known = this.#parallelEnds.get(process.head);
    if (known?.id === icon.id) return;
    if (known || this.#reached.has(icon.id)) {
      for (const end of [known, icon]) if (end) this.report("E-PAR-UNPAIRED", end);
      return this.#conflict(icon, "E-PAR-ESCAPE");
    }
    this.#parallelEnds.set(process.head, icon);
    this.#reached.set(icon.id, process.outer);
    if (!icon.final) this.#go(icon, "one", icon.one, process.outer);
  }

  /** Two lines meet here illegally. Either may be the wrong one, so all their origins are reported. */
  #conflict(icon: Icon, code: FindingCode): void {
    const sources = this.#entries.get(icon.id) ?? [];
    this.report(code, icon, undefined, sources.join(", "));
    for (const source of sources) this.report(code, this.#icons.get(source), undefined, icon.id, true);
  }

  /** Lines from outside lead to the end of a parallel block. */
  #enteredFromOutside(end: Icon): void {
    const outer = this.#reached.get(end.id)!;
    const sources = (this.#entries.get(end.id) ?? []).filter((source) => {
      const from = this.#reached.get(source);
      return from && sameContext(from, outer) && this.#icons.get(source)?.type !== "parbegin";
    });
    this.report("E-PAR-ESCAPE", end, undefined, sources.join(", "));
    for (const source of sources) this.report("E-PAR-ESCAPE", this.#icons.get(source), undefined, end.id, true);
  }

  /** Checks an icon on its own. */
  #checkIcon(icon: Icon): void {
    const empty = icon.text.trim() === "" && !icon.secondary?.trim();
    if (empty && icon.type === "question") this.report("E-EMPTY-QUESTION", icon);
    if (empty && icon.type === "select") this.report("E-EMPTY-SELECT", icon);
    if (empty && icon.type === "loopbegin") this.report("E-EMPTY-LOOP", icon);
    if (empty && roleOf(icon.type) === "step" && icon.type !== "drakon-image") this.report("W-EMPTY-ACTION", icon);
    if (!isKnownType(icon.type)) this.report("W-UNKNOWN-TYPE", icon, undefined, icon.type || "–");
    if (icon.side !== undefined) {
      const beside = this.#icons.get(icon.side);
      if (!beside) this.report("E-DANGLING", icon, "side");
      else if (beside.type !== "duration") this.report("W-SIDE", icon);
      else this.#reached.set(beside.id, this.#reached.get(icon.id)!);
    }
  }

  /** Checks that need the whole survey. */
  #checkWhole(branches: readonly Icon[]): void {
    for (const head of this.#processes.keys()) {
      if (!this.#parallelEnds.has(head)) this.report("E-PAR-NO-END", this.#icons.get(head));
    }
    const ended = new Set([...this.#parallelEnds.values()].map(({ id }) => id));
    for (const id of this.#strayEnds) {
      if (ended.has(id)) this.#enteredFromOutside(this.#icons.get(id)!);
      else this.report("E-PAR-UNPAIRED", this.#icons.get(id));
    }
    const names = new Map<string, Icon>();
    for (const [index, branch] of branches.entries()) {
      const name = branch.text.trim();
      const twin = names.get(name);
      if (twin && branches.length > 1) for (const one of [twin, branch]) this.report("W-BRANCH-NAME-DUP", one);
      names.set(name, branch);
      if (index > 0 && !this.#addressed.has(branch.id)) this.report("W-BRANCH-UNREFERENCED", branch);
    }
    const ends = [...this.#icons.values()].filter(({ type }) => type === "end");
    if (ends.length === 0 && branches.length > 0) this.report("W-NO-END", undefined);
    if (ends.length > 1) for (const end of ends.slice(1)) this.report("W-MULTI-END", end);
    const chained = casesOfSelects(this.#icons);
    for (const icon of this.#icons.values()) {
      if (this.#reached.has(icon.id))
        for (const field of ignoredTexts(icon)) this.report("W-TEXT-IGNORED", icon, field);
      if (this.#reached.has(icon.id) || roleOf(icon.type) === "none") continue;
      const isStray = icon.type === "case" && !chained.has(icon.id);
      this.report(isStray ? "E-CASE-STRAY" : "W-UNREACHABLE", icon);
    }
  }
}

export function sameContext(a: Context, b: Context): boolean {
  for (
    let x: Context | undefined = a, y: Context | undefined = b;
    x !== y;
    x = x?.process?.outer, y = y?.process?.outer
  ) {
    if (x?.branch !== y?.branch || x?.process?.head !== y?.process?.head || x?.process?.index !== y?.process?.index)
      return false;
  }
  return true;
}
