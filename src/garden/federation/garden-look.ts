import { z } from "zod";
import { asFailure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { type AnnouncementRefusal, announcementRefusals } from "../../domain/federation/refusals.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { CAPABILITIES_REF, keys } from "../../domain/layout.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import type { Accepted } from "./accept.ts";
import { readPeer } from "./peer-book.ts";

const why = z.enum(["unreachable", ...(Object.keys(announcementRefusals) as AnnouncementRefusal[])]);

const lookTrouble = z.strictObject({
  why,
  /** The ref, the commit, the number that it is about. */
  subject: z.string().optional(),
  text: z.strictObject({ en: z.string(), uk: z.string() }),
  since: z.iso.datetime(),
});
export type LookTrouble = z.infer<typeof lookTrouble>;

/** The last look at a garden that is followed, by hand or in turn, and the time of the next one. */
const gardenLook = z.strictObject({
  looked_at: z.iso.datetime(),
  next_at: z.iso.datetime(),
  /** Looks in a row that failed. */
  failures: z.int().min(0),
  /** The announcement that was looked at, and what it was judged by: with both the same, another look would end the same. */
  tip: z.string().optional(),
  judged_by: z.string().optional(),
  trouble: lookTrouble.optional(),
});
export type GardenLook = z.infer<typeof gardenLook>;

type LookDeps = Pick<Garden, "store" | "repo" | "world" | "config">;

export const readLook = async ({ store }: Pick<Garden, "store">, name: string): Promise<GardenLook | undefined> =>
  tryReadJson((await store.get(keys.gardenLook(name)))?.bytes, gardenLook);

/** Refusals that may pass without a new announcement: a push that is under way, a limit of this hour. */
const PASSING: readonly string[] = ["missing-objects", "too-much-this-hour", "unreachable"];

/** True if a look at this announcement would end as the last one did. */
export const isSettled = (look: GardenLook | undefined, tip: Oid | undefined, judgedBy: string): boolean =>
  look !== undefined &&
  look.tip === tip &&
  look.judged_by === judgedBy &&
  (look.trouble === undefined || !PASSING.includes(look.trouble.why));

/** The grants, and the sessions of a garden that are followed. */
export async function judgement({ repo }: Pick<Garden, "repo">, name: string): Promise<string> {
  const peer = await readPeer(repo, name).catch(() => undefined);
  return `${(await repo.resolve(CAPABILITIES_REF)) ?? "none"} ${peer?.pin} ${peer?.chosen?.join(" ") ?? "*"}`;
}

const DAY_MS = 86_400_000;

/** A time that differs a little for each garden and look, so that looks stay spread over the interval. */
export function nextLook({ world, config }: Pick<Garden, "world" | "config">, failures: number): number {
  const interval = (config.federation.look_seconds || 900) * 1000;
  const delay = Math.min(DAY_MS, interval * 2 ** Math.min(failures, 20));
  return world.now() + Math.round(delay * (0.9 + 0.2 * fraction(world)));
}

export const fraction = (world: Garden["world"]): number => Buffer.from(world.random(4)).readUInt32BE() / 2 ** 32;

export type LookEnd = { readonly tip: Oid | undefined; readonly outcome: Accepted } | { readonly failed: unknown };

/** Records the end of a look. A garden that cannot be reached, or whose refusal may pass, is looked at ever more rarely, up to a day. */
export async function recordLook(garden: LookDeps, name: string, end: LookEnd): Promise<GardenLook> {
  const before = await readLook(garden, name);
  const now = new Date(garden.world.now()).toISOString();
  const trouble = troubleOf(end, before, now);
  const failures = trouble && PASSING.includes(trouble.why) ? (before?.failures ?? 0) + 1 : 0;
  const tip = "failed" in end ? before?.tip : end.tip;
  const judged = "failed" in end ? before?.judged_by : await judgement(garden, name);
  const look: GardenLook = {
    looked_at: now,
    next_at: new Date(nextLook(garden, failures)).toISOString(),
    failures,
    ...(tip !== undefined && { tip }),
    ...(judged !== undefined && { judged_by: judged }),
    ...(trouble && { trouble }),
  };
  await garden.store.put(keys.gardenLook(name), jsonBytes(look));
  return look;
}

function troubleOf(end: LookEnd, before: GardenLook | undefined, now: string): LookTrouble | undefined {
  const found = reasonOf(end);
  const isSame = found && before?.trouble?.why === found.why;
  return found && { ...found, since: isSame ? before.trouble!.since : now };
}

function reasonOf(end: LookEnd): Omit<LookTrouble, "since"> | undefined {
  if ("failed" in end) return { why: "unreachable", text: bounded(asFailure(end.failed).text) };
  if (end.outcome.kind !== "refused") return undefined;
  const { why: refusal, subject } = end.outcome;
  return { why: refusal, text: announcementRefusals[refusal], ...(subject !== undefined && { subject }) };
}

const bounded = ({ en, uk }: Text): Text => ({ en: en.slice(0, 500), uk: uk.slice(0, 500) });
