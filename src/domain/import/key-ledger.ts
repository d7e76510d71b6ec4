import type { Text } from "../../base/text.ts";
import { redact } from "../text/redact.ts";
import type { FrontSource } from "./front-source.ts";
import type { Fate, ImportEntry } from "./import-report.ts";

type Path = readonly PropertyKey[];

/** Collects the fate of each key of one file's front matter. */
export class KeyLedger {
  readonly #file: string;
  readonly #source: FrontSource;
  readonly #told = new Map<string, ImportEntry>();

  constructor(file: string, source: FrontSource) {
    this.#file = file;
    this.#source = source;
  }

  tell(path: Path, fate: Fate, why: Text, to?: string): void {
    const key = fieldOf(path);
    this.#told.set(key, {
      file: this.#file,
      line: this.#source.lineOf(path),
      key: redact(key),
      fate,
      why,
      ...(to !== undefined && fate !== "lost" && fate !== "refused" && { to }),
    });
  }

  has(path: Path): boolean {
    return this.#told.has(fieldOf(path));
  }

  /**
   * The entries of all keys at every depth. A key that nobody told of shares the fate of the key around it if that is kept, lost or
   * refused; inside of a mapped key it is lost. So no key is passed over in silence.
   */
  entries(): ImportEntry[] {
    for (const path of keyPaths(this.#source.front)) {
      if (this.has(path)) continue;
      const around = this.#around(path);
      if (around === undefined || around.fate === "mapped") this.tell(path, "lost", NO_COUNTERPART);
      else this.tell(path, around.fate, around.why);
    }
    return [...this.#told.values()];
  }

  #around(path: Path): ImportEntry | undefined {
    for (let length = path.length - 1; length > 0; length--) {
      const found = this.#told.get(fieldOf(path.slice(0, length)));
      if (found) return found;
    }
    return undefined;
  }
}

export const NO_COUNTERPART: Text = { en: "no counterpart here", uk: "тут немає відповідника" };

const MAX_DEPTH = 30;

/** Every key of a value, parents before their members; items of a list count only if they contain keys. */
export function keyPaths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null || at.length > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => keyPaths(item, [...at, index]));
  return Object.entries(value).flatMap(([key, member]) => [[...at, key], ...keyPaths(member as unknown, [...at, key])]);
}

export const fieldOf = (path: Path): string =>
  path.map((part, index) => (typeof part === "number" ? `[${part}]` : `${index ? "." : ""}${String(part)}`)).join("");
