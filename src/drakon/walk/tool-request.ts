import type { Json } from "../../base/canonical.ts";
import { isRecord, memberOf } from "../expression/value.ts";
import type { Request } from "./request.ts";

/** Requests that a tool of that name answers. */
export const isToolRequest = ({ kind }: Request): boolean =>
  kind === "tool" || kind === "propose" || kind === "human" || kind === "commit" || kind === "spawn";

/** What a tool is handed: the arguments of the call. What an icon says beside them is for people and models. */
export function toolInput({ kind, payload }: Request, fields: readonly string[]): { readonly [name: string]: Json } {
  if (kind !== "human") return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name !== "values" || fields.includes(name)));
}

/** What a tool gave, in the form that the walk expects of such an answer. */
export function toolAnswer({ kind, payload }: Request, value: Json): Json {
  if (kind === "propose") {
    if (typeof memberOf(value, "proposal") === "string") return value;
    const id = typeof value === "string" ? value : (memberOf(value, "id") ?? memberOf(value, "proposal_id"));
    return { ...(isRecord(value) ? value : {}), proposal: typeof id === "string" ? id : "" };
  }
  if (kind === "human" && !isRecord(value)) {
    const form = payload["form"];
    const member = form === "review" ? "decision" : form === "choice" || form === "number" ? form : "text";
    return { [member]: value };
  }
  return value;
}

/** Whether a call came to something: a proposal with an id. */
export function hasProposalId(value: Json): boolean {
  const proposal = memberOf(value, "proposal");
  return typeof proposal === "string" && proposal !== "";
}

/** Why a proposal was turned away, where it was. */
export function refusalIn(value: Json): string | undefined {
  const reason = memberOf(value, "proposal") === "" ? memberOf(value, "reason") : undefined;
  return typeof reason === "string" ? reason : undefined;
}
