import type { Json } from "../../base/canonical.ts";
import { isRecord, memberOf } from "../expression/value.ts";
import type { Request } from "./request.ts";

/** Requests that the tool with the request's name answers. */
export const isToolRequest = ({ kind }: Request): boolean =>
  kind === "tool" || kind === "propose" || kind === "human" || kind === "commit" || kind === "spawn";

/** The input of a tool: the arguments of the call. The `values` of a question to a person are passed only to a tool with that field. */
export function toolInput({ kind, payload }: Request, fields: readonly string[]): { readonly [name: string]: Json } {
  if (kind !== "human") return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name !== "values" || fields.includes(name)));
}

/** Converts the result of a tool to the answer that the walk expects. */
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

export function hasProposalId(value: Json): boolean {
  const proposal = memberOf(value, "proposal");
  return typeof proposal === "string" && proposal !== "";
}

/** True for the result of a tool that made a commit on the branch of the run. */
export function hasCommitId(value: Json): boolean {
  const commit = memberOf(value, "commit");
  return typeof commit === "string" && /^[0-9a-f]{40}$/.test(commit);
}

/** The reason of a refused proposal; undefined for other results. */
export function refusalIn(value: Json): string | undefined {
  const reason = memberOf(value, "proposal") === "" ? memberOf(value, "reason") : undefined;
  return typeof reason === "string" ? reason : undefined;
}
