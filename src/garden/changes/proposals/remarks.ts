import { Failure } from "../../../base/failure.ts";
import { type Identity, identityName, isPerson } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { MAX_REMARK, MOST_REMARKS, type Remark, type RemarkPlace, remark } from "../../../domain/proposal/remark.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { recordAudit } from "../../core/audit.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, readJson } from "../../core/json-record.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";

export interface NewRemark {
  readonly proposal: string;
  readonly by: Identity;
  readonly text: string;
  readonly place?: RemarkPlace | undefined;
  /** Makes the call idempotent: a repetition with the same key returns the first remark. */
  readonly key?: string | undefined;
}

/**
 * Records a remark on a proposal; nothing is decided by it (P-10c). People may, and the agent that made the proposal: FORBIDDEN for
 * others. Two writers race for the next number; the loser takes the one after it.
 */
export async function addRemark(
  garden: Pick<Garden, "store" | "signals" | "world">,
  { proposal: id, by, text, place, key }: NewRemark,
): Promise<Remark> {
  const { source } = await readProposal(garden.store, id);
  const isAuthor = by.type === "agent" && source.type === "agent" && source.identity === by.slug;
  if (!isPerson(by) && !isAuthor) throw mayNotRemark(identityName(by), id);
  const said = text.trim();
  if (said === "" || said.length > MAX_REMARK || !said.isWellFormed()) throw unusableRemark();
  const op = key ?? operationMark(garden.world);
  const before = await remarksOn(garden.store, id);
  const same = before.find((each) => each.op === op && each.by === identityName(by));
  if (same) return same;
  for (let number = before.length; ; number++) {
    if (number >= MOST_REMARKS) throw tooManyRemarks(id);
    const made: Remark = {
      number,
      proposal: id,
      by: identityName(by),
      at: new Date(garden.world.now()).toISOString(),
      text: said,
      ...(place && { place }),
      op,
    };
    const { bytes } = await createOrFind(garden.store, keys.remark(id, number), jsonBytes(remark.parse(made)));
    const there = readJson(keys.remark(id, number), bytes, remark);
    if (there.op !== op) continue;
    await auditRemark(garden, there);
    return there;
  }
}

/** The remarks on a proposal, oldest first. */
export async function remarksOn(store: Store, id: string): Promise<readonly Remark[]> {
  const remarks: Remark[] = [];
  for await (const { key } of everyKey(store, keys.remarks(id))) {
    const stored = await store.get(key);
    if (stored) remarks.push(readJson(key, stored.bytes, remark));
  }
  return remarks;
}

/** Its name is derived from the remark, so writing it is idempotent. */
const auditRemark = (garden: Pick<Garden, "store" | "signals">, { proposal, number, by, at, text, place }: Remark) =>
  recordAudit(garden, `${proposal}-remark-${String(number).padStart(4, "0")}`, {
    kind: "remarked",
    at,
    by,
    subject: proposal,
    why: text.slice(0, 500).toWellFormed(),
    details: place ? { path: place.path, line: place.line } : {},
  });

const mayNotRemark = (name: string, id: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${name} may not comment on ${id}: the owner and the agent that proposed it may`,
    uk: `${name} не може коментувати ${id}: можуть власник і агент, що її запропонував`,
    details: { proposal: id },
  });

const unusableRemark = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `text: expected 1 to ${MAX_REMARK} characters`,
    uk: `text: потрібно від 1 до ${MAX_REMARK} символів`,
  });

const tooManyRemarks = (id: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${id} has ${MOST_REMARKS} comments already`,
    uk: `${id} має вже ${MOST_REMARKS} коментарів`,
    hint: { en: "Decide it, or send it back.", uk: "Вирішіть її або поверніть на доопрацювання." },
    details: { proposal: id, max: MOST_REMARKS },
  });
