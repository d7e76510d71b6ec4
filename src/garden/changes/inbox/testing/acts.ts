import { commandLineOwner } from "../../../../domain/identity.ts";
import type { Garden } from "../../../core/garden.ts";
import { readProposal } from "../../../records/proposals/proposal-log.ts";
import { decide } from "../../proposals/decide.ts";
import { editAndApprove } from "../../proposals/edit-and-approve.ts";
import { withdrawApproval } from "../../proposals/withdraw.ts";
import { receive } from "../receive.ts";

/** The actions of crash suites by name, so that a child process can carry them out. */
export type Act = keyof typeof acts;
const by = commandLineOwner;
const digestOf = async ({ store }: Garden, id: string): Promise<string> => (await readProposal(store, id)).digest;

export const acts = {
  submit: (garden: Garden) =>
    receive(garden, {
      identity: by,
      action: "propose-note",
      payload: { path: "notes/new.md", text: "new\n" },
      correlation_id: "c",
    }),
  refuse: (garden: Garden) =>
    receive(garden, {
      identity: by,
      action: "propose-edit",
      payload: { path: "notes/gone.md", text: "x" },
      correlation_id: "r",
    }),
  reject: async (garden: Garden, id: string) =>
    decide(garden, { proposal: id, verdict: "reject", digest: await digestOf(garden, id), by, note: "no" }),
  approve: async (garden: Garden, id: string) =>
    decide(garden, { proposal: id, verdict: "approve", digest: await digestOf(garden, id), by }),
  withdraw: (garden: Garden, id: string) => withdrawApproval(garden, { proposal: id, by }),
  edit: async (garden: Garden, id: string) =>
    editAndApprove(garden, {
      proposal: id,
      digest: await digestOf(garden, id),
      by,
      payload: { path: "notes/new.md", text: "newer\n" },
    }),
} as const;
