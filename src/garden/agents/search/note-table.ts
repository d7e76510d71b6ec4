import type { Oid } from "../../../domain/git/git-names.ts";

const OID_BYTES = 20;

/**
 * The notes whose keys are cached, by number; a number is never reused. Columns instead of objects: of a hundred thousand notes the
 * objects and the text of the ids would take 20 MB.
 */
export class NoteTable {
  readonly #paths: (string | undefined)[] = [];
  #oids = Buffer.alloc(0);
  #lengths = new Uint32Array(0);
  /** 1: a note of the current commit has this text. */
  #live = new Uint8Array(0);

  get size(): number {
    return this.#paths.length;
  }

  add(path: string, oid: Oid, length: number): number {
    const number = this.#push(path);
    this.#oids.write(oid, number * OID_BYTES, "hex");
    this.#lengths[number] = length;
    return number;
  }

  /** A number without a note. */
  addNone(): void {
    this.#push(undefined);
  }

  /** Undefined if there is none, or it was removed. */
  path(number: number): string | undefined {
    return this.#paths[number];
  }

  oid(number: number): Oid {
    return this.#oids.toString("hex", number * OID_BYTES, (number + 1) * OID_BYTES);
  }

  /** Number of terms. */
  length(number: number): number {
    return this.#lengths[number]!;
  }

  isLive(number: number): boolean {
    return this.#live[number] === 1;
  }

  setLive(number: number, isLive: boolean): void {
    this.#live[number] = isLive ? 1 : 0;
  }

  /** No note is live any more. */
  killAll(): void {
    this.#live.fill(0);
  }

  remove(number: number): void {
    this.#paths[number] = undefined;
    this.#live[number] = 0;
  }

  #push(path: string | undefined): number {
    const number = this.#paths.push(path) - 1;
    if (number < this.#live.length) return number;
    const room = Math.ceil(number * 1.25) + 1024;
    this.#oids = Buffer.concat([this.#oids], room * OID_BYTES);
    this.#lengths = grown(this.#lengths, new Uint32Array(room));
    this.#live = grown(this.#live, new Uint8Array(room));
    return number;
  }
}

function grown<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
