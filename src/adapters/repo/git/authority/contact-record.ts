import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Text } from "../../../../base/text.ts";
import type { World } from "../../../../base/world.ts";
import { readIfThere } from "../disk/small-file.ts";

/** The last contact with the remote, shared by the processes of one clone. */
export interface Contact {
  /** The address, without credentials. Tracking refs of another address are worthless. */
  readonly address: string;
  /** Milliseconds since 1970 of the last answer. */
  readonly at?: number;
  /** Attempts without an answer since then, and the time of the last one. */
  readonly failures: number;
  readonly failedAt?: number;
  readonly why?: Text;
}

export interface ContactRecord {
  /** Undefined if there was no attempt yet, also after the address has changed. */
  read(): Contact | undefined;
  /** Atomic, not synced: a lost record costs one fetch. */
  write(contact: Omit<Contact, "address">): void;
}

export function contactRecord(gitDir: string, address: string): ContactRecord {
  const path = join(gitDir, "bloom-remote.json");
  const temporary = `${path}.${process.pid}.tmp`;
  return {
    read() {
      const contact = parsed(readIfThere(path));
      return contact?.address === address ? contact : undefined;
    },
    write(contact) {
      try {
        writeFileSync(temporary, `${JSON.stringify({ address, ...contact })}\n`);
        renameSync(temporary, path);
      } catch {
        rmSync(temporary, { force: true }); // a read-only or full disk: the next contact writes it
      }
    },
  };
}

const MAX_BACKOFF = 16;
const AWAY_MS = 5_000;

/** The times of contact, and when the next one is due: the interval doubles with every attempt without an answer. */
export class Contacts {
  readonly #record: ContactRecord;
  readonly #world: World;
  readonly #everyMs: number;

  constructor(record: ContactRecord, world: World, everyMs: number) {
    this.#record = record;
    this.#world = world;
    this.#everyMs = everyMs;
  }

  reached(): void {
    this.#record.write({ at: this.#world.now(), failures: 0 });
  }

  failed(why: Text): void {
    const last = this.#record.read();
    const failures = (last?.failures ?? 0) + 1;
    this.#record.write({ ...(last?.at !== undefined && { at: last.at }), failures, failedAt: this.#world.now(), why });
  }

  /** True if the last attempt got no answer a moment ago: a read does not wait for another one. */
  isAway(): boolean {
    const { failures = 0, failedAt = 0 } = this.#record.read() ?? {};
    const since = this.#world.now() - failedAt;
    return failures > 0 && since >= 0 && since < AWAY_MS;
  }

  isDue(): boolean {
    const { at = 0, failedAt = 0, failures = 0 } = this.#record.read() ?? {};
    const interval = this.#everyMs * Math.min(MAX_BACKOFF, 2 ** failures);
    const since = this.#world.now() - Math.max(at, failedAt);
    return since < 0 || since >= interval; // before the last contact: the clock was set back
  }
}

function parsed(text: string | undefined): Contact | undefined {
  if (text === undefined) return undefined;
  try {
    const contact = JSON.parse(text) as Contact;
    return typeof contact.address === "string" && typeof contact.failures === "number" ? contact : undefined;
  } catch {
    return undefined;
  }
}
