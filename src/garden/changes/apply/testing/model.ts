import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobId } from "../../../../base/canonical.ts";
import { armCrashPoints } from "../../../../base/crash-point.ts";
import { isFailure } from "../../../../base/failure.ts";
import { seeded } from "../../../../base/testing/seeded.ts";
import { trailerOf } from "../../../../domain/git/trailers.ts";
import type { Proposal } from "../../../../domain/proposal/proposal.ts";
import { everyKey } from "../../../../ports/store.ts";
import { closeGarden, type Garden, openGarden } from "../../../core/garden.ts";
import { initGarden } from "../../../life/init.ts";
import { isOpen, readProposal, viewKey } from "../../../records/proposals/proposal-log.ts";
import { files, git, testPorts } from "../../../testing/scratch.ts";
import { recoverChanges } from "../../recover-changes.ts";
import { type Change, Hands, LINES, NOTES, textOf } from "./hands.ts";
import { LIFETIME_HOURS, type LifeAct, perform, type Told } from "./life-acts.ts";
import { lifeWorld } from "./life-points.ts";
import { type Life, runLife } from "./run-life.ts";

export interface ModelReport {
  readonly steps: number;
  readonly acts: number;
  readonly crashes: number;
  /** The number of killed child processes. */
  readonly kills: number;
  readonly applied: number;
  readonly failed: number;
  readonly rejected: number;
  readonly expired: number;
  /** Violations; empty if all is well. */
  readonly broken: readonly string[];
}

const HOUR = 3_600_000;
/** Recovery skips entries younger than this. */
const NO_LONGER_FRESH = 15_000;
const FINAL = ["applied", "rejected", "expired"];
/** Failures that concurrent callers may get; any other is a defect. */
const FAIR = ["INVALID_TRANSITION", "CONCURRENT_MODIFICATION"];

/**
 * Random sequences of submitting, deciding (alone, in a batch, by editing, again, too late), applying, crashing,
 * restarting and editing by hand, through the verbs of real requests, against a model that knows notes as lines with
 * values. The model follows main commit by commit: each commit must be a requested change, made once, on lines that its
 * author saw. At the end files and records must equal the model's, and every answer that was given must be true. Every
 * `childEvery`-th step is done by two processes at once, one of which is killed.
 */
export async function followModel(seed: number, steps: number, childEvery: number): Promise<ModelReport> {
  const dir = join(realpathSync(mkdtempSync(join(tmpdir(), "model-"))), "garden");
  const walk = new Walk(dir, seed);
  try {
    await walk.begin();
    for (let step = 1; step <= steps; step++) {
      if (step % childEvery === 0) await walk.killedChild();
      else await walk.step();
    }
    await walk.restart();
    await walk.checkViews();
    return walk.report(steps);
  } finally {
    await walk.end();
    rmSync(join(dir, ".."), { recursive: true, force: true });
  }
}

class Walk {
  readonly #dir: string;
  readonly #random: () => number;
  readonly #hands: Hands;
  readonly #world = lifeWorld(Date.parse("2026-02-14T08:00:00Z"));
  #garden!: Garden;
  #seen = "";
  readonly #counts = { acts: 0, crashes: 0, kills: 0 };
  readonly #model = new Map<string, string[] | string>();
  /** Wishes by their token. */
  readonly #asked = new Map<string, Change>();
  /** The latest answer about each proposal. */
  readonly #told = new Map<string, string>();
  readonly #landed = new Map<string, string>();
  /** The proposals at the last check. */
  #proposals: readonly Proposal[] = [];
  /** Notes that were ever edited by hand. */
  readonly #disturbed = new Set<string>();
  readonly #broken: string[] = [];

  constructor(dir: string, seed: number) {
    this.#dir = dir;
    this.#random = seeded(seed);
    this.#hands = new Hands(dir, this.#random);
  }

  async begin(): Promise<void> {
    for (let index = 0; index < NOTES; index++) this.#model.set(`notes/${index}.md`, Array<string>(LINES).fill("-"));
    files(this.#dir, Object.fromEntries([...this.#model].map(([path, values]) => [path, textOf(values as string[])])));
    await initGarden(testPorts(), this.#dir, { language: "en", name: "Model" });
    this.#seen = this.#hands.main();
    await this.open();
  }

  async open(): Promise<void> {
    this.#garden = await openGarden(testPorts(this.#world), this.#dir);
  }

  async end(): Promise<void> {
    await closeGarden(this.#garden).catch(() => undefined);
  }

  report(steps: number): ModelReport {
    const ended = (status: string): number => this.#proposals.filter((each) => each.status === status).length;
    return {
      steps,
      ...this.#counts,
      applied: ended("applied"),
      failed: ended("failed"),
      rejected: ended("rejected"),
      expired: ended("expired"),
      broken: this.#broken,
    };
  }

  async step(): Promise<void> {
    this.#world.move(5_000);
    const moves: [weight: number, move: () => Promise<void> | void][] = [
      [6, () => this.calmly()],
      [6, () => this.crash()],
      [2, () => this.#hands.edit()],
      [1, () => void this.#disturbed.add(this.#hands.leave() ?? "")],
      [1, () => this.revertByHand()],
      [1.5, () => this.#world.move(LIFETIME_HOURS * HOUR * (this.#random() < 0.3 ? -0.5 : 1.1))],
    ];
    let at = this.#random() * moves.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, move] of moves) {
      at -= weight;
      if (at < 0) return move();
    }
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  /** A few concurrent actions. */
  async acts(): Promise<LifeAct[]> {
    await this.look();
    const acts = Array.from({ length: 1 + Math.floor(this.#random() * 4) }, () => this.act());
    this.#counts.acts += acts.length;
    return acts;
  }

  act(): LifeAct {
    const waiting = this.#proposals.filter(({ status }) => status === "pending");
    const failed = this.#proposals.filter(({ status }) => status === "failed");
    const chance = this.#random();
    const one = this.pick(chance < 0.9 ? waiting : failed);
    if (chance < 0.4 || !one) return this.submission();
    if (chance < 0.6) return { kind: "approve", id: one.id };
    if (chance < 0.68) return { kind: "reject", id: one.id };
    if (chance < 0.78) return this.edition(one);
    if (chance < 0.87) return { kind: "batch", ids: waiting.slice(0, 6).map(({ id }) => id) };
    if (chance < 0.9) return { kind: "expire" };
    return { kind: "retry", id: one.id };
  }

  submission(): LifeAct {
    const chance = this.#random();
    if (chance < 0.7) {
      const { change, text, base } = this.#hands.lineChange();
      const payload = { path: change.path, text, base };
      return this.asked(change, { kind: "submit", token: change.to, action: "propose-edit", payload });
    }
    const token = this.#hands.fresh();
    if (chance < 0.85) {
      const made = { path: `notes/new-${token}.md`, text: `${token}\n` };
      return this.asked({ kind: "note", ...made }, { kind: "submit", token, action: "propose-note", payload: made });
    }
    const payload = { note: "notes/0.md", text: token };
    return this.asked({ kind: "comment" }, { kind: "submit", token, action: "propose-comment", payload });
  }

  /** An edit of a proposal by the owner. */
  edition({ id, reasoning }: Proposal): LifeAct {
    const first = this.#asked.get(reasoning ?? "");
    if (first?.kind !== "line") return { kind: "reject", id };
    const { change, text, base } = this.#hands.lineChange(first.path, first.line);
    return this.asked(change, { kind: "edit", id, token: change.to, payload: { path: change.path, text, base } });
  }

  asked(change: Change, act: LifeAct & { readonly token: string }): LifeAct {
    this.#asked.set(act.token, change);
    return act;
  }

  async calmly(): Promise<void> {
    await this.performed(this.#garden, await this.acts());
    await this.check();
  }

  async performed(garden: Garden, acts: readonly LifeAct[], isHeard = (): boolean => true): Promise<void> {
    await Promise.all(
      acts.map(async (act) => {
        const told = await perform(garden, act);
        if (!isHeard()) return; // the process is dead
        if (isFailure(told)) this.refused(act, told.code, told.text.en);
        else this.heard(told);
      }),
    );
  }

  heard(told: readonly Told[]): void {
    for (const { id, status } of told) {
      const before = this.#told.get(id);
      if (before !== undefined && FINAL.includes(before) && before !== status)
        this.#broken.push(`${id} was ${before} and is told to be ${status}`);
      this.#told.set(id, status);
    }
  }

  refused(act: LifeAct, code: string, why: string): void {
    if (!FAIR.includes(code)) this.#broken.push(`${JSON.stringify(act)}: ${code} ${why}`);
  }

  /** Simulates a crash: nothing after this line reaches the store or git. */
  async crash(): Promise<void> {
    const acts = await this.acts();
    let left = Math.floor(this.#random() * 20 * acts.length);
    let dead = false;
    const mortal = <T extends object>(port: T): T =>
      new Proxy(port, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== "function") return member;
          return (...args: unknown[]): unknown =>
            dead ? Promise.reject(new Error("dead")) : Reflect.apply(member, target, args);
        },
      });
    const disarm = armCrashPoints((name) => {
      if (!/^(inbox|decide|proposals|apply)\./.test(name)) return;
      dead ||= left-- <= 0;
      if (dead) throw new Error("dead");
    });
    const garden = { ...this.#garden, store: mortal(this.#garden.store), repo: mortal(this.#garden.repo) };
    await this.performed(garden, acts, () => !dead);
    disarm();
    if (dead) this.#counts.crashes++;
    if (this.#random() < 0.5) return this.restart();
  }

  /** A real crash: two child processes at once, one of them killed with SIGKILL. */
  async killedChild(): Promise<void> {
    const [mine, others] = [await this.acts(), await this.acts()];
    await closeGarden(this.#garden);
    const at = Math.floor(this.#random() * 12 * mine.length);
    const lives = await Promise.all([
      runLife(this.#dir, at, this.#world.now(), mine),
      runLife(this.#dir, -1, this.#world.now() + 1, others),
    ]);
    for (const life of lives) this.lived(life);
    await this.open();
    await this.restart();
  }

  lived({ killed, told, refused }: Life): void {
    this.#counts.crashes += Number(killed);
    this.#counts.kills += Number(killed);
    this.heard(told);
    // A client of the killed process may get "store unavailable".
    for (const { act, code, why } of refused) if (code !== "UPSTREAM_UNAVAILABLE") this.refused(act, code, why);
  }

  async restart(): Promise<void> {
    await closeGarden(this.#garden);
    this.#world.move(NO_LONGER_FRESH);
    await this.open();
    await recoverChanges(this.#garden);
    for await (const { key } of everyKey(this.#garden.store, "inbox/pending/"))
      this.#broken.push(`${key} is left after a restart`);
    await this.check();
    for (const { id, status } of this.#proposals)
      if (isOpen(status) && status !== "pending") this.#broken.push(`${id} is ${status} after a restart`);
  }

  revertByHand(): void {
    const id = this.pick([...this.#landed.keys()]);
    const change = id === undefined ? undefined : this.changeOf(id);
    if (change?.kind === "line") this.#hands.revert(this.#landed.get(id!)!, change);
  }

  changeOf(id: string): Change | undefined {
    const proposal = this.#proposals.find((each) => each.id === id);
    return proposal && this.#asked.get(proposal.reasoning ?? "");
  }

  /** Reads all proposals and compares each with its wish. */
  async look(): Promise<void> {
    const ids = new Set<string>();
    for await (const { key } of everyKey(this.#garden.store, "proposals/")) {
      const id = /\/(prop_[^/]+)\/0000\.json$/.exec(key)?.[1];
      if (id !== undefined) ids.add(id);
    }
    this.#proposals = await Promise.all([...ids].map((id) => readProposal(this.#garden.store, id)));
    const tokens = new Set<string>();
    for (const { id, reasoning: token = "" } of this.#proposals) {
      if (!this.#asked.has(token)) this.#broken.push(`${id} was asked for by nobody`);
      if (tokens.has(token)) this.#broken.push(`${id}: ${token} was asked for once and proposed twice`);
      tokens.add(token);
    }
    for (const [id, status] of this.#told) {
      const now = this.#proposals.find((each) => each.id === id)?.status;
      if (now === undefined || (FINAL.includes(status) && now !== status))
        this.#broken.push(`${id} was told to be ${status} and is ${now}`);
    }
  }

  /** Follows main and compares every commit and every file with the model. */
  async check(): Promise<void> {
    await this.look();
    const log = git(this.#dir, "log", "--reverse", "--format=%H%x00%B%x01", `${this.#seen}..main`)
      .split("\u0001")
      .map((each) => each.trim());
    for (const entry of log.filter(Boolean)) {
      const [commit, message] = entry.split("\0") as [string, string];
      const id = trailerOf(message, "Proposal");
      const change = id === undefined ? this.#hands.committed.get(commit) : this.changeOf(id);
      if (!change) this.#broken.push(`${commit} is nobody's`);
      if (id !== undefined && this.#landed.has(id)) this.#broken.push(`${id} landed twice`);
      if (id !== undefined) this.#landed.set(id, commit);
      if (change) this.follow(change, id ?? commit);
    }
    this.#seen = this.#hands.main();
    this.checkFiles();
    for (const proposal of this.#proposals) await this.checkProposal(proposal);
  }

  follow(change: Change, who: string): void {
    if (change.kind === "comment") this.#broken.push(`${who}: a comment made a commit`);
    if (change.kind === "note") {
      if (this.#model.has(change.path)) this.#broken.push(`${who}: ${change.path} made twice`);
      this.#model.set(change.path, change.text);
    }
    if (change.kind !== "line") return;
    const values = this.#model.get(change.path) as string[];
    if (values[change.line] !== change.from)
      this.#broken.push(`${who}: ${change.path}:${change.line} was ${values[change.line]}, not ${change.from}`);
    values[change.line] = change.to;
  }

  checkFiles(): void {
    const onMain = new Map<string, string>();
    for (const line of git(this.#dir, "ls-tree", "-r", "main", "notes/").split("\n")) {
      const [entry, path] = line.split("\t") as [string, string];
      onMain.set(path, entry.split(" ")[2]!);
      if (!this.#model.has(path)) this.#broken.push(`${path} is on main and nobody's`);
    }
    for (const [path, values] of this.#model) {
      const text = typeof values === "string" ? values : textOf(values);
      if (onMain.get(path) !== blobId(Buffer.from(text))) this.#broken.push(`${path} on main is not the model's`);
      const onDisk = existsSync(join(this.#dir, path)) ? readFileSync(join(this.#dir, path), "utf8") : undefined;
      if (onDisk !== (this.#hands.unsaved.get(path)?.text ?? text))
        this.#broken.push(`${path} on disk is not the model's`);
    }
  }

  /** Compares the record of a proposal with what happened. */
  async checkProposal({ id, status, apply_result: result, base, edits }: Proposal): Promise<void> {
    const change = this.changeOf(id);
    const commit = this.#landed.get(id);
    if (status === "applied" && change?.kind !== "comment" && result?.git_commit !== commit)
      this.#broken.push(`${id} is applied, but main has ${commit}`);
    if (status === "applied" && change?.kind === "comment" && !(await this.#garden.store.get(result!.object_path!)))
      this.#broken.push(`${id} is applied, but its comment is not there`);
    if (status !== "applied" && !(isOpen(status) && status !== "pending") && commit !== undefined)
      this.#broken.push(`${id} is ${status}, but landed`);
    if (edits !== undefined && commit !== undefined && this.#landed.has(edits))
      this.#broken.push(`${id} landed, and so did ${edits} that it took the place of`);
    if (status !== "failed" || change?.kind !== "line") return;
    const touched = git(this.#dir, "rev-list", `${base.revision}..main`, "--", change.path) !== "";
    if (!touched && !this.#disturbed.has(change.path)) this.#broken.push(`${id} failed, and nobody was in its way`);
  }

  async checkViews(): Promise<void> {
    const broken = git(this.#dir, "fsck", "--strict", "--no-dangling", "--no-progress");
    if (broken !== "") this.#broken.push(broken);
    const found = new Set<string>();
    for await (const { key } of everyKey(this.#garden.store, "proposals/"))
      if (/^proposals\/(pending|approved|applied|failed|rejected|expired)\//.test(key)) found.add(key);
    for (const key of this.#proposals.map((each) => viewKey(each)!))
      if (!found.delete(key)) this.#broken.push(`no view ${key}`);
    // A failed proposal may have the view of a crashed attempt: readers check the events.
    for (const key of found) {
      const id = /(prop_[^.]+)\.json$/.exec(key)?.[1];
      const of = this.#proposals.find((each) => each.id === id);
      const begun = key.startsWith("proposals/pending/") && !of; // never created: the view is removed when it expires
      if (!begun && !(key.startsWith("proposals/approved/") && of?.status === "failed"))
        this.#broken.push(`a view too many: ${key}`);
    }
  }
}
