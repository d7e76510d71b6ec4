import type { AnswerOf } from "../../api/client.ts";
import type { Text } from "../../i18n/use-t.ts";

export type AuditEntry = AnswerOf<"GET /audit">["records"][number];
export type Happening = AuditEntry["record"];

/** Alike records as one sentence: "gardener proposed 2 changes". */
export interface ActivityLine {
  readonly id: string;
  readonly at: string;
  readonly tone: "good" | "bad" | "wait" | "info" | "";
  readonly text: Text;
  readonly values: readonly (string | number)[];
  /** More about it, as named in data: titles, a reason. */
  readonly about?: string | undefined;
  readonly place?: ActivityTarget | undefined;
}

export type ActivityTarget =
  | { readonly to: "proposal" | "run" | "agent"; readonly id: string }
  | { readonly to: "runs"; readonly agent: string }
  | { readonly to: "proposals" | "settings" };

export const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");
export const runAgentOf = ({ details, by }: Happening): string => textOrEmpty(details["agent"]) || by;
