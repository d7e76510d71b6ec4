import type { Text } from "../../../base/text.ts";
import { readFrontSource } from "../../../domain/import/front-source.ts";
import type { ImportEntry } from "../../../domain/import/import-report.ts";
import { KeyLedger } from "../../../domain/import/key-ledger.ts";
import { AGENT_ASSET, skillSeal } from "./export-skill.ts";

export interface OwnSkill {
  /** The agent's files, as `bloom agent export` writes them. */
  readonly packed: string;
  readonly entries: readonly ImportEntry[];
}

/** A skill that a garden exported and nobody has changed since; undefined for any other. */
export function ownSkill(files: ReadonlyMap<string, Uint8Array>, main: string): OwnSkill | undefined {
  const folder = main.slice(0, main.lastIndexOf("/") + 1);
  const [bytes, asset] = [files.get(main), files.get(`${folder}${AGENT_ASSET}`)];
  if (!bytes || !asset) return undefined;
  const source = readFrontSource(bytes, "required");
  if (source.kind === "refused") return undefined;
  const { metadata } = source.front;
  const seal: unknown =
    typeof metadata === "object" && metadata !== null && "garden-bloom" in metadata && metadata["garden-bloom"];
  if (seal !== skillSeal(source.body, asset)) return undefined;
  const ledger = new KeyLedger(main, source);
  ledger.tell(["name"], "mapped", RESTORED, "slug");
  ledger.tell(["description"], "mapped", RESTORED, "description");
  ledger.tell(["metadata"], "kept", RESTORED);
  const body = { file: main, line: source.bodyLine, key: "body", fate: "mapped", why: RESTORED } as const;
  return { packed: Buffer.from(asset).toString(), entries: [...ledger.entries(), body] };
}

const RESTORED: Text = {
  en: "exported by a garden and not changed since: restored from the agent's own files",
  uk: "експортовано із саду й відтоді не змінено: відновлено з власних файлів агента",
};
