import { isMap, isNode, isSeq, type Node, parseDocument } from "yaml";
import { canonicalJson } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import { expectConfig } from "../../../domain/config/failures.ts";
import { type GardenConfig, gardenConfig, readGardenConfig } from "../../../domain/config/garden-config.ts";
import { withGardenValue } from "../../../domain/config/garden-config-text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { MAIN_REF, tree } from "../../../domain/layout.ts";
import { recordAudit } from "../audit.ts";
import { type Garden, personSignature } from "../garden.ts";
import { gitBusy } from "../git-busy.ts";

/** The lists of `garden.yaml` that the owner edits through the gateway. */
export const settingLists = {
  rules: "auto_approve",
  zones: "zones",
  webhooks: "webhooks",
  grants: "grants",
  notify: "notify",
} as const;
export type SettingList = keyof typeof settingLists;

export interface SettingsAtMain<L extends SettingList = SettingList> {
  /** The blob of `garden.yaml` that was read; a change must name it. */
  readonly base: Oid;
  readonly items: GardenConfig[(typeof settingLists)[L]];
}

/** A list as committed on main; uncommitted edits in the work tree do not count. */
export async function readSettingList<L extends SettingList>(
  { repo }: Pick<Garden, "repo">,
  list: L,
): Promise<SettingsAtMain<L>> {
  const { file } = await configOnMain({ repo });
  return { base: file.oid, items: expectConfig(readGardenConfig(file.bytes))[settingLists[list]] };
}

/**
 * Replaces one list of `garden.yaml`, keeping comments, in a commit of the owner. Throws CONCURRENT_MODIFICATION if the
 * file is not the one that was read, or has uncommitted edits. A crash after the commit loses only the audit record.
 */
export async function changeSettingList<L extends SettingList>(
  garden: Garden,
  change: { readonly list: L; readonly items: readonly unknown[]; readonly base: Oid; readonly by: Identity },
): Promise<SettingsAtMain<L> & { readonly commit: Oid | undefined }> {
  const { main, file } = await configOnMain(garden);
  if (file.oid !== change.base) throw settingsChanged();
  const key = settingLists[change.list];
  const before = Buffer.from(file.bytes).toString();
  const text = withList(before, key, change.items, (item) => gardenConfig.shape[key].parse([item])[0]);
  const config = expectConfig(readGardenConfig(Buffer.from(text)));
  if (text === before) return { base: file.oid, items: config[key], commit: undefined };
  const commit = await commitSettings(garden, { main, text, subject: key, by: change.by });
  const after = await configOnMain(garden);
  return { base: after.file.oid, items: config[key], commit };
}

/** Commits a valid `garden.yaml` as the owner's, with an audit record. */
async function commitSettings(
  garden: Garden,
  {
    main,
    text,
    subject,
    by,
  }: { readonly main: Oid; readonly text: string; readonly subject: string; readonly by: Identity },
): Promise<Oid> {
  const { repo, world } = garden;
  const signature = await personSignature(garden);
  const commit = await repo.build({
    parents: [main],
    edits: [{ path: tree.config, bytes: Buffer.from(text) }],
    author: signature,
    committer: signature,
    message: `${tree.config}: ${subject}`,
  });
  const moved = await repo.move([{ ref: MAIN_REF, from: main, to: commit }]);
  if (moved.kind === "stale") throw settingsChanged();
  if (moved.kind === "edited") throw settingsEditedByHand();
  if (moved.kind === "busy") throw gitBusy(moved.why);
  await recordAudit(garden, `settings-${commit.slice(0, 16)}`, {
    kind: "settings-changed",
    at: new Date(world.now()).toISOString(),
    by: identityName(by),
    subject,
    details: { commit },
  });
  return commit;
}

export interface SettingChange {
  /** `schedule.timezone`, `egress`. */
  readonly key: string;
  /** Undefined removes the setting: its default applies. */
  readonly value: unknown;
  readonly by: Identity;
  /** The blob that the caller read; without it, the present one. */
  readonly base?: Oid | undefined;
  /** Throws for a change that this caller may not make. */
  readonly allow?: (before: GardenConfig, after: GardenConfig) => void;
}

/**
 * Sets or removes one setting of `garden.yaml` on main, keeping comments, in a commit of the owner. Throws VALIDATION_FAILED with
 * the line if the result is invalid, CONCURRENT_MODIFICATION as `changeSettingList`. Idempotent: an equal value makes no commit.
 */
export async function changeSetting(
  garden: Garden,
  { key, value, by, base, allow }: SettingChange,
): Promise<{ readonly base: Oid; readonly commit: Oid | undefined; readonly value: unknown }> {
  const { main, file } = await configOnMain(garden);
  if (base !== undefined && file.oid !== base) throw settingsChanged();
  const path = settingPath(key);
  const before = Buffer.from(file.bytes).toString();
  const text = value === undefined ? withoutSetting(before, path) : withSetting(before, path, value);
  const config = expectConfig(readGardenConfig(Buffer.from(text)));
  allow?.(expectConfig(readGardenConfig(file.bytes)), config);
  if (text === before) return { base: file.oid, commit: undefined, value: settingAt(config, key) };
  const commit = await commitSettings(garden, { main, text, subject: key, by });
  return { base: (await configOnMain(garden)).file.oid, commit, value: settingAt(config, key) };
}

/** The value in force of a setting such as `schedule.timezone`; undefined if it is not set and has no default. */
export function settingAt(config: GardenConfig, key: string): unknown {
  let value: unknown = config;
  for (const part of settingPath(key)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

function settingPath(key: string): string[] {
  const path = key.split(".");
  if (path.length <= 4 && path.every((part) => /^[\w/:-]{1,100}$/.test(part))) return path;
  throw new Failure("VALIDATION_FAILED", {
    en: `${JSON.stringify(key)} is not the name of a setting`,
    uk: `${JSON.stringify(key)} — не назва налаштування`,
    hint: { en: "For instance schedule.timezone or egress.", uk: "Наприклад, schedule.timezone або egress." },
  });
}

function withSetting(text: string, path: readonly string[], value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return withGardenValue(text, path, value);
  const document = parseDocument(text, { version: "1.2", schema: "core" });
  const standing: unknown = document.getIn(path, true);
  if (isNode(standing) && sameAs(standing.toJS(document)) === sameAs(value)) return text;
  document.setIn(path, document.createNode(value));
  return document.toString({ lineWidth: 0 });
}

function withoutSetting(text: string, path: readonly string[]): string {
  const document = parseDocument(text, { version: "1.2", schema: "core" });
  if (!document.hasIn(path)) return text;
  document.deleteIn(path);
  return document.toString({ lineWidth: 0 });
}

/** The text with one list replaced. Unchanged items keep their lines and comments. */
function withList(text: string, key: string, items: readonly unknown[], whole: (item: unknown) => unknown): string {
  const document = parseDocument(text, { version: "1.2", schema: "core" });
  if (document.errors.length > 0 || !isMap(document.contents)) throw settingsChanged();
  const standing = document.get(key, true);
  if (items.length === 0) document.delete(key);
  else if (isSeq(standing)) {
    // Compared with defaults filled in: an item with the same meaning is unchanged.
    const known = new Map(standing.items.map((item) => [sameAs(whole((item as Node).toJS(document))), item]));
    standing.items = items.map((item) => known.get(sameAs(whole(item))) ?? document.createNode(item));
  } else document.set(key, document.createNode(items));
  return document.toString({ lineWidth: 0 });
}

const sameAs = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value)));

async function configOnMain({ repo }: Pick<Garden, "repo">) {
  const main = await repo.resolve(MAIN_REF);
  const file = main === undefined ? undefined : await repo.read(main, tree.config);
  if (main === undefined || !file) {
    throw new Failure("NOT_FOUND", {
      en: `${tree.config} is not committed`,
      uk: `${tree.config} не закомічено`,
      hint: { en: "Commit it with git first.", uk: "Спершу закомітьте його через git." },
    });
  }
  return { main, file };
}

const settingsChanged = (): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${tree.config} was changed meanwhile`,
    uk: `${tree.config} тим часом змінено`,
    hint: { en: "Read it again and repeat the change.", uk: "Прочитайте його знову й повторіть зміну." },
  });

const settingsEditedByHand = (): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${tree.config} has edits that are not committed`,
    uk: `у ${tree.config} є незакомічені зміни`,
    hint: { en: "Commit or undo them first.", uk: "Спершу закомітьте або скасуйте їх." },
  });
