import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { environment } from "../../../testing/scratch.ts";

export interface HandWorkSizes {
  /** Size of a large file: `git add` holds the lock while it reads it. */
  readonly bigBytes: number;
  /** Time for which the editor of a commit is open. */
  readonly editorMs: number;
}

const MAX_TRIES = 2000;
/** The complaints of git about a lock that we hold, or about a branch that we moved. */
const REFUSED = /index\.lock|cannot lock ref|could not write index|unable to (?:write|refresh)/i;

/**
 * A person who works with git without pause, beside applies: adds large files, commits with an open editor, commits named paths, amends,
 * stashes. Every file has one line per edit, so an edit that disappears is seen. A command that git refuses is repeated at once,
 * as a person with little patience would.
 */
export class HandWork {
  readonly #dir: string;
  readonly #random: () => number;
  readonly #sizes: HandWorkSizes;
  readonly #editor: string;
  #count = 0;
  #isOver = false;
  #work: Promise<void> = Promise.resolve();
  /** The text of each file as the person left it, and as it was last committed. */
  readonly #written = new Map<string, string>();
  readonly #committed = new Map<string, string>();
  readonly counts = { commits: 0, refused: 0 };

  constructor(dir: string, aside: string, random: () => number, sizes: HandWorkSizes) {
    this.#dir = dir;
    this.#random = random;
    this.#sizes = sizes;
    this.#editor = join(aside, "editor.sh");
    writeFileSync(this.#editor, `sleep ${sizes.editorMs / 1000}\necho "by hand, in an editor" > "$1"\n`);
    mkdirSync(join(dir, "hand"), { recursive: true });
  }

  start(): void {
    this.#work = this.#goOn();
    this.#work.catch(() => undefined); // `stop` throws it
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  /** Differences between what the person did and what is there now. */
  async lost(): Promise<string[]> {
    const broken: string[] = [];
    for (const [path, text] of this.#written)
      if (readFileSync(join(this.#dir, path), "utf8") !== text) broken.push(`${path} on disk is not what was written`);
    for (const [path, text] of this.#committed)
      if ((await this.#git("show", `main:${path}`)).said !== text)
        broken.push(`${path} on main is not what was committed`);
    return broken;
  }

  async #goOn(): Promise<void> {
    const acts = [
      () => this.#addBig(),
      () => this.#commitAll(),
      () => this.#commitAll(),
      () => this.#commitNamed(),
      () => this.#commitNamed(),
      () => this.#commitStaged(),
      () => this.#commitStaged(),
      () => this.#amend(),
      () => this.#stash(),
    ];
    while (!this.#isOver) {
      await acts[Math.floor(this.#random() * acts.length)]!();
      await delay(this.#random() * 30);
    }
  }

  async #addBig(): Promise<void> {
    const bytes = randomFillSync(Buffer.alloc(this.#sizes.bigBytes));
    writeFileSync(join(this.#dir, "hand/big.bin"), bytes);
    await this.#insist("add", "hand/big.bin");
    await this.#commit([], "commit", "-qm", "big file");
  }

  async #commitAll(): Promise<void> {
    const path = this.#edit();
    await this.#commit([path], "commit", "-qa");
  }

  async #commitNamed(): Promise<void> {
    const path = this.#edit();
    await this.#commit([path], "commit", "-qm", "named path", "--only", "--", path);
  }

  async #commitStaged(): Promise<void> {
    const path = this.#edit();
    await this.#insist("add", path);
    // Without -a the lock is free while the editor is open: git refuses the commit if main moves meanwhile.
    if (this.#random() < 0.3 && (await this.#git("commit", "-q")).code === 0) return this.#isCommitted([path]);
    await this.#commit([path], "commit", "-qm", "staged");
  }

  async #amend(): Promise<void> {
    const path = this.#edit();
    await this.#insist("add", path);
    await this.#commit([path], "commit", "-q", "--amend", "--no-edit");
  }

  async #stash(): Promise<void> {
    const path = this.#edit();
    if (!this.#committed.has(path)) return this.#commitStagedAs(path);
    await this.#insist("stash", "-q");
    await this.#insist("stash", "pop", "-q");
    await this.#commit([path], "commit", "-qam", "after a stash");
  }

  async #commitStagedAs(path: string): Promise<void> {
    await this.#insist("add", path);
    await this.#commit([path], "commit", "-qm", "first");
  }

  /** One more line in one of a few files. Returns its path; a new file is staged, so that `commit -a` takes it too. */
  #edit(): string {
    const path = `hand/${Math.floor(this.#random() * 4)}.md`;
    const text = `${this.#written.get(path) ?? ""}line ${this.#count++}\n`;
    this.#written.set(path, text);
    writeFileSync(join(this.#dir, path), text);
    return path;
  }

  async #commit(paths: readonly string[], ...args: string[]): Promise<void> {
    for (const path of paths) if (!this.#committed.has(path)) await this.#insist("add", path);
    await this.#insist(...args);
    this.#isCommitted(paths);
  }

  #isCommitted(paths: readonly string[]): void {
    this.counts.commits++;
    for (const path of paths) this.#committed.set(path, this.#written.get(path)!);
  }

  async #insist(...args: string[]): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { code, said, trouble } = await this.#git(...args);
      if (code === 0) return;
      const isQuiet = args[0] === "stash" && trouble === ""; // `git stash -q` does not say why
      if (!isQuiet && !REFUSED.test(trouble)) throw new Error(`git ${args.join(" ")}: ${said}${trouble}`);
      this.counts.refused++;
      await delay(this.#random() * 20);
    }
    throw new Error(`git ${args.join(" ")} was refused ${MAX_TRIES} times`);
  }

  #git(...args: string[]): Promise<{ readonly code: number | null; readonly said: string; readonly trouble: string }> {
    const child = spawn(
      "git",
      ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "gc.auto=0", ...args],
      {
        cwd: this.#dir,
        env: { ...environment, GIT_CONFIG_NOSYSTEM: "1", GIT_EDITOR: `sh ${this.#editor}` },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let [said, trouble] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (trouble += chunk.toString()));
    return new Promise((resolve) => child.on("close", (code) => resolve({ code, said, trouble })));
  }
}
