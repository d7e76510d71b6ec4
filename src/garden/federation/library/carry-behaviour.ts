import { fingerprint } from "../../../domain/federation/ssh-key.ts";
import type { Identity } from "../../../domain/identity.ts";
import { IMPORTED_BEHAVIOURS } from "../../../domain/layout.ts";
import { behaviourFileText, readBehaviourFile } from "../../../domain/library/behaviour-file.ts";
import type { Garden } from "../../core/garden.ts";
import { checkedBehaviour } from "./checked-behaviour.ts";
import { behaviourRefused } from "./failures.ts";
import { findLibraryEntry } from "./library-rows.ts";
import { signerMark } from "./read-library.ts";
import { editShelf, libraryAudit } from "./shelf.ts";

/** S-9b: a behaviour of the library as the text of one file, signed as it is. Throws if it is damaged. */
export async function exportBehaviour(
  garden: Garden,
  wanted: string,
): Promise<{ readonly name: string; readonly text: string }> {
  const { behaviour, reading } = await findLibraryEntry(garden, wanted);
  if (reading.kind === "refused") throw behaviourRefused(reading.why, reading.subject);
  return { name: `${behaviour.slice(0, 12)}.behaviour.json`, text: behaviourFileText(reading.value.files) };
}

/** Takes a behaviour from a file, after the same checks as from another garden. It is never announced. Idempotent. */
export async function importBehaviour(
  garden: Garden,
  text: string,
  by: Identity,
): Promise<{ readonly id: string; readonly behaviour: string; readonly name: string; readonly key: string }> {
  const files = readBehaviourFile(text);
  const reading = files && checkedBehaviour(files);
  if (!reading) throw behaviourRefused("malformed-behaviour");
  if (reading.kind === "refused") throw behaviourRefused(reading.why, reading.subject);
  const { head, signer } = reading.value;
  const key = fingerprint(signer);
  const folder = `${IMPORTED_BEHAVIOURS}/${signerMark(key)}/${head.behaviour}`;
  const edits = [...files].map(([name, bytes]) => ({ path: `${folder}/${name}`, bytes }));
  await editShelf(garden, `import: ${head.behaviour.slice(0, 12)}`, edits);
  const id = `${signerMark(key)}.${head.behaviour}`;
  await libraryAudit(garden, "behaviour-imported", by, id, { behaviour: head.behaviour, key });
  return { id, behaviour: head.behaviour, name: head.name, key };
}
