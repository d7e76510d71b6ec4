/**
 * Random diagrams, reproducible from a source of chance. `structuredItems` draws plausible diagrams: nested questions, selects,
 * loops, parallel blocks, silhouettes, with breaks, returns and crossing joins. `wildItems` connects any exit to any icon.
 */
export type Items = Record<string, Record<string, unknown>>;

export interface DrawingOptions {
  /** About how many icons. */
  readonly size: number;
  readonly silhouette?: boolean;
}

type Chance = () => number;

/** Ids of the icons that an exit from inside may lead to. */
interface Scope {
  readonly loopEnd?: string;
  readonly loopFollow?: string;
  /** Icons after the enclosing constructs. */
  readonly joins: readonly string[];
  readonly inProcess: boolean;
}

export function structuredItems(chance: Chance, options: DrawingOptions): Items {
  const items: Items = {};
  let budget = options.size;
  let named = 0;
  const name = (): string => `n${named++}`;
  const put = (id: string, item: Record<string, unknown>): string => {
    items[id] = item;
    return id;
  };
  const text = (kind: string): string => `${kind}${named}`;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  const branchIds = options.silhouette ? Array.from({ length: 2 + Math.floor(chance() * 4) }, name) : [name()];
  const end = put(name(), { type: "end" });

  /** A run of icons that leads to `next`; returns the id of its first. Built from the end to the front. */
  function run(next: string, scope: Scope, depth: number): string {
    let first = next;
    for (let count = Math.floor(chance() * 4); count > 0 && budget > 0; count--) first = one(first, scope, depth);
    return first;
  }

  function one(next: string, scope: Scope, depth: number): string {
    budget--;
    const inner: Scope = { ...scope, joins: [...scope.joins, next].slice(-4) };
    const roll = depth > 5 ? 0 : chance();
    if (roll < 0.3) return step(next);
    if (roll < 0.6) return question(next, inner, depth);
    if (roll < 0.68) return select(next, inner, depth);
    if (roll < 0.78) return forEach(next, inner, depth);
    if (roll < 0.9) return arrowLoop(next, inner, depth);
    return parallel(next, depth);
  }

  function step(next: string): string {
    const kind = pick([
      "action",
      "action",
      "action",
      "comment",
      "insertion",
      "output",
      "pause",
      "shelf",
      "simpleinput",
      "event",
    ]);
    const item: Record<string, unknown> = { type: kind, content: text(kind), one: next };
    if (chance() < 0.1) item["side"] = put(name(), { type: "duration", content: text("d") });
    if (chance() < 0.03) item["final"] = true;
    if (kind === "output" || kind === "shelf") item["secondary"] = text("upper");
    return put(name(), item);
  }

  /** Mostly a run to `next`; sometimes another legal target. */
  function way(next: string, scope: Scope, depth: number): string {
    const roll = chance();
    if (roll < 0.1 && scope.loopEnd) return scope.loopEnd;
    if (roll < 0.2 && scope.loopFollow) return scope.loopFollow;
    if (roll < 0.28 && !scope.inProcess) return options.silhouette && chance() < 0.7 ? pick(branchIds) : end;
    if (roll < 0.36 && scope.joins.length > 0) return pick(scope.joins);
    return run(next, scope, depth + 1);
  }

  function question(next: string, scope: Scope, depth: number): string {
    const down = way(next, scope, depth);
    const right = way(next, scope, depth);
    return put(name(), { type: "question", content: text("q"), one: down, two: right, flag1: chance() < 0.5 ? 1 : 0 });
  }

  function select(next: string, scope: Scope, depth: number): string {
    const count = 1 + Math.floor(chance() * 3);
    let right: string | undefined;
    for (let i = 0; i < count; i++) {
      const content = i === 0 && chance() < 0.5 ? "" : text("case");
      right = put(name(), { type: "case", content, one: way(next, scope, depth), ...(right ? { two: right } : {}) });
    }
    return put(name(), { type: "select", content: text("s"), one: right });
  }

  function forEach(next: string, scope: Scope, depth: number): string {
    const loopEnd = put(name(), { type: "loopend", one: next, ...(chance() < 0.03 && { final: true }) });
    const body = run(
      loopEnd,
      { ...scope, loopEnd, loopFollow: next, joins: chance() < 0.3 ? scope.joins : [] },
      depth + 1,
    );
    return put(name(), { type: "loopbegin", content: text("x; xs"), one: body });
  }

  function arrowLoop(next: string, scope: Scope, depth: number): string {
    const arrow = name();
    const inside: Scope = { ...scope, loopEnd: arrow, loopFollow: next, joins: chance() < 0.3 ? scope.joins : [] };
    const [exitDown, back] = chance() < 0.8 ? [next, arrow] : [arrow, next];
    const flag1 = chance() < 0.5 ? 1 : 0;
    const until = chance() < 0.5;
    const test = put(name(), {
      type: "question",
      content: text("again"),
      one: until || exitDown === arrow ? exitDown : next,
      two: until ? back : run(arrow, inside, depth + 1),
      flag1,
    });
    put(arrow, { type: "arrow-loop", one: until ? run(test, inside, depth + 1) : test });
    return arrow;
  }

  function parallel(next: string, depth: number): string {
    const parend = put(name(), { type: "parend", one: next, ...(chance() < 0.03 && { final: true }) });
    const scope: Scope = { joins: chance() < 0.5 ? [parend] : [], inProcess: true };
    let right: string | undefined;
    for (let i = 1 + Math.floor(chance() * 3); i > 0; i--) {
      right = put(name(), { type: "parbegin", one: run(parend, scope, depth + 1), ...(right ? { two: right } : {}) });
    }
    return right!;
  }

  for (const [index, id] of branchIds.entries()) {
    const following = branchIds[index + 1];
    budget = Math.max(budget, options.size / branchIds.length);
    const target = following ?? end;
    let first = target;
    while (budget > (options.size * (branchIds.length - 1 - index)) / branchIds.length && budget > 0) {
      const before = budget;
      first = run(first, { joins: [], inProcess: false }, 0);
      if (budget === before) budget--;
    }
    put(id, { type: "branch", branchId: options.silhouette ? index + 1 : 0, content: text("branch"), one: first });
  }
  return items;
}

/** Icons in a row with exits to random places, mostly forward; arrows back to random arrow icons. */
export function wildItems(chance: Chance, size: number): Items {
  const items: Items = { start: { type: "branch", branchId: 0, one: "1" }, end: { type: "end" } };
  const arrows: number[] = [];
  const forward = (from: number): string => {
    const roll = chance();
    const to = roll < 0.6 ? from + 1 : from + 1 + Math.floor(chance() * chance() * (size - from));
    return to > size ? "end" : String(to);
  };
  for (let i = 1; i <= size; i++) {
    const roll = chance();
    const back =
      arrows.length > 0 && chance() < 0.25 ? String(arrows[Math.floor(chance() * arrows.length)]) : undefined;
    if (roll < 0.15) {
      items[i] = { type: "arrow-loop", one: forward(i) };
      arrows.push(i);
    } else if (roll < 0.45) items[i] = { type: "action", content: `a${i}`, one: back ?? forward(i) };
    else
      items[i] = {
        type: "question",
        content: `q${i}`,
        one: forward(i),
        two: back ?? forward(i),
        flag1: chance() < 0.5 ? 1 : 0,
      };
  }
  return items;
}

/** The same diagram with other ids, in another order. */
export function shuffledIds(items: Items, chance: Chance): Items {
  const ids = Object.keys(items);
  const numbers = ids.map((_, i) => String(i + 1));
  for (let i = numbers.length - 1; i > 0; i--) {
    const j = Math.floor(chance() * (i + 1));
    [numbers[i], numbers[j]] = [numbers[j]!, numbers[i]!];
  }
  const renamed = new Map(ids.map((id, i) => [id, numbers[i]!]));
  const target = (value: unknown): unknown => (typeof value === "string" ? (renamed.get(value) ?? value) : value);
  const entries = ids.map((id): [string, Record<string, unknown>] => {
    const item = { ...items[id]! };
    for (const field of ["one", "two", "side"]) if (field in item) item[field] = target(item[field]);
    return [renamed.get(id)!, item];
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => Number(a) - Number(b)));
}

/** Every question with its exits swapped and its flag toggled: the same meaning. */
export function flipped(items: Items): Items {
  return Object.fromEntries(
    Object.entries(items).map(([id, item]) =>
      item["type"] === "question"
        ? [id, { ...item, one: item["two"], two: item["one"], flag1: item["flag1"] ? 0 : 1 }]
        : [id, item],
    ),
  );
}
