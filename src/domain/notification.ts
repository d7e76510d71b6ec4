import { z } from "zod";
import type { Text } from "../base/text.ts";
import type { AuditRecord } from "./audit-record.ts";

/** P-12a: what a destination of `notify` in `garden.yaml` can be told of. */
export const notifyKinds = [
  /** A proposal waits for a decision. */
  "proposal",
  /** A pending proposal expires soon. */
  "expiring",
  /** A run waits for an answer. */
  "question",
  "agent-error",
  "run-failed",
  "apply-failed",
  /** The results of an agent got worse: a rollback is proposed. */
  "regression",
  "settings-refused",
  "disk-full",
] as const;
export type NotifyKind = (typeof notifyKinds)[number];

/** One thing that happened, as it is told to people. */
export const notifyEvent = z.strictObject({
  /** The same for the same thing: a destination is told once. */
  id: z.string(),
  kind: z.enum(notifyKinds),
  at: z.iso.datetime(),
  subject: z.string(),
  title: z.strictObject({ en: z.string(), uk: z.string() }),
  /** Path in the web app. */
  path: z.string(),
});
export type NotifyEvent = z.infer<typeof notifyEvent>;

/** A message to one destination: the body of a webhook, and the text for a command. */
export interface OutgoingMessage {
  readonly id: string;
  readonly garden: string;
  readonly at: string;
  /** The kind of its events; `digest` if there are several. */
  readonly kind: NotifyKind | "digest" | "test";
  readonly title: string;
  /** One line per event, with a link where the garden is served. */
  readonly text: string;
  readonly events: readonly {
    readonly kind: string;
    readonly at: string;
    readonly subject: string;
    readonly title: string;
    readonly link?: string;
  }[];
}

const MAX_TITLE = 300;
const short = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE).toWellFormed();

/** The event in an audit record, by its key; undefined if nobody needs to be told. */
export function eventOfAudit(key: string, record: AuditRecord): NotifyEvent | undefined {
  const told = toldOf(record);
  if (!told) return undefined;
  const { at, subject } = record;
  return { id: key, kind: told.kind, at, subject, title: told.title, path: told.path };
}

type Told = Pick<NotifyEvent, "kind" | "title" | "path">;

function toldOf({ kind, by, subject, why = "", details }: AuditRecord): Told | undefined {
  const about = short(why) || short(typeof details["target"] === "string" ? details["target"] : "") || subject;
  switch (kind) {
    case "proposed":
      if (by === "gateway" && details["action"] === "logic-rollback")
        return {
          kind: "regression",
          title: both(
            "Results got worse; a rollback is proposed",
            "Результати погіршилися; запропоновано відкат",
            about,
          ),
          path: `proposals/${subject}`,
        };
      return {
        kind: "proposal",
        title: both(`${by} proposes`, `${by} пропонує`, about),
        path: `proposals/${subject}`,
      };
    case "run-held":
      return { kind: "question", title: both(`${by} asks`, `${by} питає`, about), path: `runs/${subject}` };
    case "agent-status":
      if (details["status"] !== "error" || details["asked"] !== undefined) return undefined;
      return {
        kind: "agent-error",
        title: both(`${subject} is in error and does not run`, `${subject} має стан error і не запускається`, about),
        path: `agents/${subject}`,
      };
    case "run-finished":
      if (details["status"] !== "failed") return undefined;
      return {
        kind: "run-failed",
        title: both(`a run of ${by} failed`, `запуск ${by} був невдалим`, about),
        path: `runs/${subject}`,
      };
    case "apply-failed":
      return {
        kind: "apply-failed",
        title: both("an approved change could not be applied", "схвалену зміну не вдалося застосувати", about),
        path: `proposals/${subject}`,
      };
    case "session-conflict":
      return {
        kind: "apply-failed",
        title: both("the work of a sub-agent could not be merged", "роботу субагента не вдалося злити", about),
        path: `sessions/${subject}`,
      };
    case "settings-refused":
      return {
        kind: "settings-refused",
        title: both("garden.yaml is refused", "garden.yaml відхилено", about),
        path: "settings",
      };
    default:
      return undefined;
  }
}

const both = (en: string, uk: string, about: string): Text => ({ en: `${en}: ${about}`, uk: `${uk}: ${about}` });

export function expiringEvent(
  { id, summary, expires_at }: { readonly id: string; readonly summary: string; readonly expires_at: string },
  at: string,
): NotifyEvent {
  const until = `${expires_at.slice(0, 16).replace("T", " ")} UTC`;
  return {
    id: `expiring-${id}`,
    kind: "expiring",
    at,
    subject: id,
    title: both(`expires undecided at ${until}`, `без рішення втратить силу ${until}`, short(summary)),
    path: `proposals/${id}`,
  };
}
