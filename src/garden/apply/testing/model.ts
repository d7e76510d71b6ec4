import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { seeded } from "../../../base/testing/seeded.ts";
import { trailerOf } from "../../../domain/trailers.ts";
import { everyKey } from "../../../ports/store.ts";
import { closeGarden, type Garden, openGarden } from "../../garden.ts";
import { initGarden } from "../../init.ts";
import { isOpen, readProposal, viewKey } from "../../proposals/proposal-log.ts";
import { files, git, testGround } from "../../testing/scratch.ts";
import { applyProposal, resumeApplying } from "../apply-proposal.ts";
import { runChild } from "./crash-matrix.ts";
import { approve, edit, note, proposed } from "./proposals.ts";

/** What one commit does to the model: a line of a note gets another value, or a note appears. */
type Change =
  | { readonly kind: "line"; readonly path: string; readonly line: number; readonly from: string; readonly to: string }
  | { readonly kind: "note"; readonly path: string; readonly text: string }
  | { readonly kind: "comment" };

export interface ModelReport {
  readonly steps: number;
  readonly crashes: number;
  readonly applied: number;
  readonly failed: number;
  /** What does not hold. Empty, if the promise is kept. */
  readonly broken: readonly string[];
}

const NOTES = 5;
const LINES = 24;
const CHILD_EVERY = 40;
const textOf = (values: readonly string[]): string => values.map((value, line) => `${line}: ${value}\n`).join("");

/**
 * Random sequences of submit, decide, apply, crash, restart, edits by hand (committed or not) and reverts by hand, against
 * a model that knows of notes only lines with values. The model follows main commit by commit: each one must be a change
 * that somebody made, made once, on lines that stood as its author saw them; in the end the files are the model's.
 */
export async function followModel(seed: number, steps: number): Promise<ModelReport> {
  const dir = join(realpathSync(mkdtempSync(join(tmpdir(), "model-"))), "garden");
  const walk = new Walk(dir, seed);
  try {
    await walk.begin();
    for (let step = 1; step <= steps; step++) await walk.step(step);
    await walk.restart();
    await walk.check(true);
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
  #garden!: Garden;
  #seen = "";
  #crashes = 0;
  #count = 0;
  readonly #model = new Map<string, string[] | string>();
  readonly #wishes = new Map<string, Change>();
  readonly #byHand = new Map<string, Change>();
  readonly #landed = new Map<string, string>();
  /** What a person has written and not committed. */
  readonly #unsaved = new Map<string, { readonly change: Change & { kind: "line" }; readonly text: string }>();
  /** Proposals whose note somebody had under their hands. */
  readonly #disturbed = new Set<string>();
  readonly #held = new Set<string>();
  readonly #broken: string[] = [];

  constructor(dir: string, seed: number) {
    this.#dir = dir;
    this.#random = seeded(seed);
  }

  async begin(): Promise<void> {
    for (let index = 0; index < NOTES; index++) this.#model.set(`notes/${index}.md`, Array<string>(LINES).fill("-"));
    files(this.#dir, Object.fromEntries([...this.#model].map(([path, values]) => [path, textOf(values as string[])])));
    await initGarden(testGround(), this.#dir, { language: "en", name: "Model" });
    this.#seen = git(this.#dir, "rev-parse", "main");
    await this.open();
  }

  async end(): Promise<void> {
    await closeGarden(this.#garden).catch(() => undefined);
  }

  report(steps: number): ModelReport {
    return {
      steps,
      crashes: this.#crashes,
      applied: this.#landed.size,
      failed: this.#failed,
      broken: this.#broken,
    };
  }
  #failed = 0;

  async step(number: number): Promise<void> {
    if (number % CHILD_EVERY === 0) return this.killedChild();
    const moves: [weight: number, move: () => Promise<void> | void][] = [
      [4, () => this.several(() => this.submit())],
      [4, () => this.several(() => this.decide())],
      [2, () => this.apply()],
      [4, () => this.crash()],
      [2, () => this.editByHand()],
      [1, () => this.leaveUnsaved()],
      [1, () => this.revertByHand()],
    ];
    let at = this.#random() * moves.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, move] of moves) {
      at -= weight;
      if (at < 0) return move();
    }
  }

  async several(move: () => Promise<void>): Promise<void> {
    for (let times = 1 + Math.floor(this.#random() * 3); times > 0; times--) await move();
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  async withStatus(...wanted: string[]): Promise<string[]> {
    const found: string[] = [];
    for (const id of this.#wishes.keys())
      if (wanted.includes((await readProposal(this.#garden.store, id)).status)) found.push(id);
    return found;
  }

  /** A change of one line of a note as main has it. */
  lineChange(): Change & { kind: "line" } {
    const path = `notes/${Math.floor(this.#random() * NOTES)}.md`;
    const line = Math.floor(this.#random() * LINES);
    const now = git(this.#dir, "show", `main:${path}`).split("\n");
    return { kind: "line", path, line, from: now[line]!.replace(/^\d+: /, ""), to: `v${this.#count++}` };
  }

  textWith({ path, line, to }: Change & { kind: "line" }): string {
    const now = git(this.#dir, "show", `main:${path}`).split("\n");
    return `${now.with(line, `${line}: ${to}`).join("\n")}\n`;
  }

  async submit(): Promise<void> {
    const chance = this.#random();
    if (chance < 0.7) {
      const change = this.lineChange();
      const { id } = await proposed(this.#garden, edit(change.path, this.textWith(change)));
      this.#wishes.set(id, change);
      if (this.#unsaved.has(change.path)) this.#disturbed.add(id);
    } else if (chance < 0.85) {
      const path = `notes/new-${this.#count++}.md`;
      const { id } = await proposed(this.#garden, note(path, `${path}\n`));
      this.#wishes.set(id, { kind: "note", path, text: `${path}\n` });
    } else {
      const payload = { note: "notes/0.md", text: `c${this.#count++}` };
      const { id } = await proposed(this.#garden, { action: "propose-comment", payload });
      this.#wishes.set(id, { kind: "comment" });
    }
  }

  async decide(): Promise<void> {
    const id = this.pick(await this.withStatus("pending"));
    if (id !== undefined) await approve(this.#garden, id);
  }

  async some(): Promise<string[]> {
    const open = await this.withStatus("approved", "applying", "failed");
    return open.filter(() => this.#random() < 0.6);
  }

  async apply(): Promise<void> {
    await Promise.all((await this.some()).map((id) => applyProposal(this.#garden, id, "owner")));
    await this.check();
  }

  /** The process is gone from one line to the next: nothing that it would have done after reaches store or git. */
  async crash(): Promise<void> {
    const ids = await this.some();
    if (ids.length === 0) return;
    let left = Math.floor(this.#random() * 12 * ids.length);
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
      if (!/^(apply|proposals)\./.test(name)) return;
      dead ||= left-- <= 0;
      if (dead) throw new Error("dead");
    });
    const garden = { ...this.#garden, store: mortal(this.#garden.store), repo: mortal(this.#garden.repo) };
    await Promise.allSettled(ids.map((id) => applyProposal(garden, id, "owner")));
    disarm();
    if (dead) this.#crashes++;
    if (this.#random() < 0.5) return this.restart();
  }

  /** The same in earnest: a process of its own, and SIGKILL. */
  async killedChild(): Promise<void> {
    const ids = await this.some();
    await closeGarden(this.#garden);
    const at = String(Math.floor(this.#random() * 15));
    const run = await runChild(this.#dir, ids.length === 0 ? "resume" : "apply", at, "few", ids);
    if (run.killed) this.#crashes++;
    await this.open();
    await resumeApplying(this.#garden);
    await this.check();
  }

  async open(): Promise<void> {
    this.#garden = await openGarden(testGround(), this.#dir);
  }

  async restart(): Promise<void> {
    await closeGarden(this.#garden);
    await this.open();
    await resumeApplying(this.#garden);
    await this.check();
  }

  editByHand(): void {
    const change = this.lineChange();
    if (this.#unsaved.has(change.path)) return this.save(change.path);
    writeFileSync(join(this.#dir, change.path), this.textWith(change));
    this.commit(change);
  }

  leaveUnsaved(): void {
    const change = this.lineChange();
    if (this.#unsaved.has(change.path)) {
      if (this.#random() < 0.5) return this.save(change.path);
      git(this.#dir, "checkout", "-q", "--", change.path);
      this.#unsaved.delete(change.path);
      return;
    }
    const text = this.textWith(change);
    writeFileSync(join(this.#dir, change.path), text);
    this.#unsaved.set(change.path, { change, text });
    for (const [id, wish] of this.#wishes)
      if (wish.kind === "line" && wish.path === change.path) this.#disturbed.add(id);
  }

  save(path: string): void {
    const { change } = this.#unsaved.get(path)!;
    this.#unsaved.delete(path);
    this.commit(change);
  }

  commit(change: Change & { kind: "line" }): void {
    git(this.#dir, "add", change.path);
    git(this.#dir, "commit", "-qm", `by hand: ${change.to}`, "--", change.path);
    this.#byHand.set(git(this.#dir, "rev-parse", "main"), change);
  }

  revertByHand(): void {
    const id = this.pick([...this.#landed.keys()]);
    const change = id === undefined ? undefined : this.#wishes.get(id);
    if (change?.kind !== "line") return;
    try {
      git(this.#dir, "revert", "--no-edit", this.#landed.get(id!)!);
    } catch {
      try {
        git(this.#dir, "revert", "--abort");
      } catch {
        // it did not even begin: the file is being edited
      }
      return;
    }
    this.#byHand.set(git(this.#dir, "rev-parse", "main"), { ...change, from: change.to, to: change.from });
  }

  /** Follows main to where it is, and holds every commit and every file against the model. */
  async check(all = false): Promise<void> {
    const range = `${this.#seen}..main`;
    const log = git(this.#dir, "log", "--reverse", "--format=%H%x00%B%x01", range)
      .split("\u0001")
      .map((each) => each.trim());
    for (const entry of log.filter(Boolean)) {
      const [commit, message] = entry.split("\0") as [string, string];
      const id = trailerOf(message, "Proposal");
      const change = id === undefined ? this.#byHand.get(commit) : this.#wishes.get(id);
      if (!change) this.#broken.push(`${commit} is nobody's`);
      if (id !== undefined && this.#landed.has(id)) this.#broken.push(`${id} landed twice`);
      if (id !== undefined) this.#landed.set(id, commit);
      if (change) this.follow(change, id ?? commit);
    }
    this.#seen = git(this.#dir, "rev-parse", "main");
    for (const [path, values] of this.#model) {
      if (typeof values === "string" && !all && this.#held.has(path)) continue; // nobody touches those again
      this.#held.add(path);
      const text = typeof values === "string" ? values : textOf(values);
      if (`${git(this.#dir, "show", `main:${path}`)}\n` !== text)
        this.#broken.push(`${path} on main is not the model's`);
      const onDisk = existsSync(join(this.#dir, path)) ? readFileSync(join(this.#dir, path), "utf8") : undefined;
      if (onDisk !== (this.#unsaved.get(path)?.text ?? text)) this.#broken.push(`${path} on disk is not the model's`);
    }
    await this.checkProposals();
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

  /** What the records say is what happened. */
  async checkProposals(): Promise<void> {
    this.#failed = 0;
    for (const [id, change] of this.#wishes) {
      const { status, apply_result: result, base } = await readProposal(this.#garden.store, id);
      const commit = this.#landed.get(id);
      if (status === "applied" && change.kind !== "comment" && result?.git_commit !== commit)
        this.#broken.push(`${id} is applied, but main has ${commit}`);
      if (status === "applied" && change.kind === "comment" && !(await this.#garden.store.get(result!.object_path!)))
        this.#broken.push(`${id} is applied, but its comment is not there`);
      if (status !== "applied" && !isOpen(status) && commit !== undefined)
        this.#broken.push(`${id} is ${status}, but landed`);
      if (status !== "failed") continue;
      this.#failed++;
      const touched =
        change.kind === "line" && git(this.#dir, "rev-list", `${base.revision}..main`, "--", change.path) !== "";
      if (!touched && !this.#disturbed.has(id)) this.#broken.push(`${id} failed, and nobody was in its way`);
    }
  }

  async checkViews(): Promise<void> {
    const broken = git(this.#dir, "fsck", "--strict", "--no-dangling", "--no-progress");
    if (broken !== "") this.#broken.push(broken);
    const expected: string[] = [];
    for (const id of this.#wishes.keys()) expected.push(viewKey(await readProposal(this.#garden.store, id))!);
    const found = new Set<string>();
    for await (const { key } of everyKey(this.#garden.store, "proposals/"))
      if (/^proposals\/(pending|approved|applied|failed)\//.test(key)) found.add(key);
    for (const key of expected) if (!found.delete(key)) this.#broken.push(`no view ${key}`);
    // Of one that failed, the view of an attempt that died may be left: who reads it asks the events.
    for (const key of found) {
      const id = /(prop_[^.]+)\.json$/.exec(key)?.[1];
      if (!key.startsWith("proposals/approved/") || (await readProposal(this.#garden.store, id!)).status !== "failed")
        this.#broken.push(`a view too many: ${key}`);
    }
  }
}
