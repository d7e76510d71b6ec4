import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "../../base/canonical.ts";
import { isFingerprint, type SshKeyPair, type SshPublicKey } from "../federation/ssh-key.ts";
import { signerOf, sshSignature } from "../federation/ssh-signature.ts";
import { armour, armoured } from "../federation/ssh-wire.ts";
import { isLogicVersion } from "../logic/logic-version.ts";
import type { BehaviourRefusal } from "./behaviour-refusals.ts";
import {
  behaviourStatistics,
  type EvidenceRecord,
  evidenceText,
  readEvidence,
  statisticsOf,
} from "./evidence-record.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** A name is one line without control and formatting characters: it cannot imitate other text of the page. */
export const behaviourName = z
  .string()
  .min(1)
  .max(120)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u)
  .refine((name) => name === name.trim() && name === name.normalize("NFC"));

/** S-9b: the head of a behaviour that travels. It names its two other files by their hashes, so its signature covers everything. */
export const behaviourHead = z.strictObject({
  format: z.literal(1),
  name: behaviourName,
  kind: z.enum(["session-flow", "prompt"]),
  behaviour: z.string().regex(/^[0-9a-f]{40}$/),
  /** The version that it had in the garden that sends it. */
  version: z.string().refine(isLogicVersion),
  language: z.enum(["uk", "en"]),
  /** The garden that sends it: the fingerprint of its first key. */
  space: z.string().refine(isFingerprint),
  logic: hash,
  evidence: hash,
  statistics: behaviourStatistics,
});
export type BehaviourHead = z.infer<typeof behaviourHead>;

export interface TravellingBehaviour {
  readonly head: BehaviourHead;
  /** The diagram file with the diagrams that it calls inside, or the text of a prompt. */
  readonly logic: string;
  readonly records: readonly EvidenceRecord[];
  readonly signer: SshPublicKey;
  readonly files: BehaviourFiles;
}

export type BehaviourFiles = ReadonlyMap<string, Uint8Array>;

export const HEAD_FILE = "behaviour.json";
export const EVIDENCE_FILE = "evidence.jsonl";
export const SIGNATURE_FILE = "signature";
export const LOGIC_FILES = { "session-flow": "logic.drakon.json", prompt: "logic.md" } as const;

/** The namespace of the signature: one that git or a log-in made for another purpose does not fit. */
export const BEHAVIOUR_NAMESPACE = "garden-bloom-behaviour";

const LIMITS: Readonly<Record<string, number>> = {
  [HEAD_FILE]: 64 * 1024,
  [LOGIC_FILES["session-flow"]]: 1024 * 1024,
  [LOGIC_FILES.prompt]: 256 * 1024,
  [EVIDENCE_FILE]: 4 * 1024 * 1024,
  [SIGNATURE_FILE]: 4096,
};
/** Everything that one behaviour may consist of. */
export const MAX_BEHAVIOUR_BYTES = Object.values(LIMITS).reduce((sum, bytes) => sum + bytes, 0);

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const headText = (head: BehaviourHead): string => `${canonicalJson(head)}\n`;

/** The files of a behaviour, signed. The same content gives the same bytes. */
export function travellingFiles(
  of: Pick<BehaviourHead, "name" | "kind" | "behaviour" | "version" | "language" | "space"> & {
    readonly logic: string;
    readonly records: readonly EvidenceRecord[];
  },
  key: SshKeyPair,
): BehaviourFiles {
  const { logic, records, name, kind, behaviour, version, language, space } = of;
  const [logicBytes, evidence] = [Buffer.from(logic), Buffer.from(evidenceText(records))];
  const head = behaviourHead.parse({
    format: 1,
    name,
    kind,
    behaviour,
    version,
    language,
    space,
    logic: sha256(logicBytes),
    evidence: sha256(evidence),
    statistics: statisticsOf(records),
  });
  const bytes = Buffer.from(headText(head));
  return new Map([
    [HEAD_FILE, bytes],
    [LOGIC_FILES[head.kind], logicBytes],
    [EVIDENCE_FILE, evidence],
    [SIGNATURE_FILE, Buffer.from(sshSignature(bytes, key, BEHAVIOUR_NAMESPACE))],
  ]);
}

export type BehaviourReading =
  | { readonly kind: "behaviour"; readonly value: TravellingBehaviour }
  | { readonly kind: "refused"; readonly why: BehaviourRefusal; readonly subject?: string };

/**
 * Reads the files of a behaviour. Any byte that is not as `travellingFiles` wrote it is a refusal. That the logic has the behaviour id
 * of the head is checked by the caller, who can read diagrams.
 */
export function readTravelling(files: BehaviourFiles): BehaviourReading {
  const refused = (why: BehaviourRefusal, subject?: string): BehaviourReading => ({
    kind: "refused",
    why,
    ...(subject !== undefined && { subject }),
  });
  for (const [name, bytes] of files) {
    if (!Object.hasOwn(LIMITS, name)) return refused("stray-file", name);
    if (bytes.length > LIMITS[name]!) return refused("too-large", name);
  }
  const headBytes = files.get(HEAD_FILE);
  const head = headBytes && headIn(headBytes);
  if (!head) return refused("malformed-behaviour", HEAD_FILE);
  const names = [HEAD_FILE, LOGIC_FILES[head.kind], EVIDENCE_FILE, SIGNATURE_FILE];
  const missing = names.find((name) => !files.has(name));
  if (missing !== undefined) return refused("missing-file", missing);
  if (files.size > names.length)
    return refused(
      "stray-file",
      [...files.keys()].find((name) => !names.includes(name)),
    );
  const signer = signerIn(headBytes, files.get(SIGNATURE_FILE)!);
  if (!signer) return refused("behaviour-not-signed");
  const [logic, evidence] = [files.get(LOGIC_FILES[head.kind])!, files.get(EVIDENCE_FILE)!];
  if (sha256(logic) !== head.logic) return refused("changed-file", LOGIC_FILES[head.kind]);
  if (sha256(evidence) !== head.evidence) return refused("changed-file", EVIDENCE_FILE);
  const [logicText, evidenceLines] = [utf8(logic), utf8(evidence)];
  const records = evidenceLines === undefined ? undefined : readEvidence(evidenceLines);
  if (logicText === undefined) return refused("malformed-behaviour", LOGIC_FILES[head.kind]);
  if (!records) return refused("malformed-behaviour", EVIDENCE_FILE);
  return { kind: "behaviour", value: { head, logic: logicText, records, signer, files } };
}

function headIn(bytes: Uint8Array): BehaviourHead | undefined {
  try {
    const text = utf8(bytes);
    const head = text === undefined ? undefined : behaviourHead.parse(JSON.parse(text));
    return head && headText(head) === text ? head : undefined;
  } catch {
    return undefined;
  }
}

/** A signature can be written in several ways (line breaks, unused fields): only ours counts, so that every byte is fixed. */
function signerIn(head: Uint8Array, signature: Uint8Array): SshPublicKey | undefined {
  const text = utf8(signature) ?? "";
  const raw = armoured(text, "SSH SIGNATURE");
  if (raw?.length !== SIGNATURE_BYTES || armour(raw, "SSH SIGNATURE") !== text) return undefined;
  return signerOf(head, text, BEHAVIOUR_NAMESPACE);
}

/** Magic and version, key, namespace, reserved, hash, signature: each field with its length before it. */
const SIGNATURE_BYTES = 6 + 4 + (4 + 51) + (4 + BEHAVIOUR_NAMESPACE.length) + 4 + (4 + 6) + (4 + 15 + 68);

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
