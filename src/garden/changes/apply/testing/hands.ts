import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../../../testing/scratch.ts";

/** The effect of one commit on the model: a line of a note gets another value, or a note appears. */
export type LineChange = {
  readonly kind: "line";
  readonly path: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
};
export type Change =
  | LineChange
  | { readonly kind: "note"; readonly path: string; readonly text: string }
  | { readonly kind: "comment" };

export const NOTES = 5;
export const LINES = 24;
export const textOf = (values: readonly string[]): string =>
  values.map((value, line) => `${line}: ${value}\n`).join("");

/** A person who edits notes with an editor and git, beside the program. */
export class Hands {
  readonly #dir: string;
  readonly #random: () => number;
  #count = 0;
  /** Their commits. */
  readonly committed = new Map<string, Change>();
  /** Their uncommitted edits, by path. */
  readonly unsaved = new Map<string, { readonly change: LineChange; readonly text: string }>();

  constructor(dir: string, random: () => number) {
    this.#dir = dir;
    this.#random = random;
  }

  fresh(): string {
    return `v${this.#count++}`;
  }

  main(): string {
    return git(this.#dir, "rev-parse", "main");
  }

  /** A change of one line of a note on main, and the whole text with it. */
  lineChange(
    path = `notes/${Math.floor(this.#random() * NOTES)}.md`,
    line = Math.floor(this.#random() * LINES),
  ): { readonly change: LineChange; readonly text: string; readonly base: string } {
    const base = this.main();
    const now = git(this.#dir, "show", `${base}:${path}`).split("\n");
    const to = this.fresh();
    const change: LineChange = { kind: "line", path, line, from: now[line]!.replace(/^\d+: /, ""), to };
    return { change, base, text: `${now.with(line, `${line}: ${to}`).join("\n")}\n` };
  }

  edit(): void {
    const { change, text } = this.lineChange();
    if (this.unsaved.has(change.path)) return this.#save(change.path);
    writeFileSync(join(this.#dir, change.path), text);
    this.#commit(change);
  }

  /** Begins an edit without committing it, or ends or undoes it. Returns the path of the note that is being edited. */
  leave(): string | undefined {
    const { change, text } = this.lineChange();
    if (this.unsaved.has(change.path)) {
      if (this.#random() < 0.5) this.#save(change.path);
      else {
        git(this.#dir, "checkout", "-q", "--", change.path);
        this.unsaved.delete(change.path);
      }
      return undefined;
    }
    writeFileSync(join(this.#dir, change.path), text);
    this.unsaved.set(change.path, { change, text });
    return change.path;
  }

  revert(commit: string, change: LineChange): void {
    try {
      git(this.#dir, "revert", "--no-edit", commit);
    } catch {
      try {
        git(this.#dir, "revert", "--abort");
      } catch {
        // not begun: the file is being edited
      }
      return;
    }
    this.committed.set(this.main(), { ...change, from: change.to, to: change.from });
  }

  #save(path: string): void {
    const { change } = this.unsaved.get(path)!;
    this.unsaved.delete(path);
    this.#commit(change);
  }

  #commit(change: LineChange): void {
    git(this.#dir, "add", change.path);
    git(this.#dir, "commit", "-qm", `by hand: ${change.to}`, "--", change.path);
    this.committed.set(this.main(), change);
  }
}
