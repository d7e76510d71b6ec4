import { z } from "zod";
import { memoryArchive, SNAPSHOT_ID } from "../../domain/memory/memory-archive.ts";
import { listSnapshots, readSnapshot, takeSnapshot } from "../../garden/agents/memory/memory-snapshot.ts";
import { proposeRestore } from "../../garden/agents/memory/propose-restore.ts";
import { headOf } from "../../garden/core/main-head.ts";
import { type Route, route } from "../route.ts";
import { agentParams } from "../shapes.ts";
import { expectOwnAgent } from "./agents.ts";
import { receivedAnswer, receivedBody } from "./inbox.ts";

const snapshot = z.string().regex(SNAPSHOT_ID, { error: "snapshot" });

export const memorySnapshotRoutes: readonly Route[] = [
  route("POST /memory/:agentId/snapshots", {
    summary: {
      en: "memory-snapshot: stores an archive of the whole memory; the memory does not change (M-5)",
      uk: "memory-snapshot: кладе архів усієї пам'яті до сховища; сама пам'ять не змінюється (M-5)",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    answer: z.object({
      snapshot: z.string(),
      agentId: z.string(),
      commit: z.string(),
      version: z.int(),
      files: z.int(),
    }),
    status: 201,
    async handle({ garden, params: { agentId }, identity }) {
      expectOwnAgent(identity, agentId);
      const { id, archive } = await takeSnapshot(garden, await headOf(garden.repo), agentId);
      const { commit, version, files } = archive;
      return { snapshot: id, agentId, commit, version, files: Object.keys(files).length };
    },
  }),
  route("GET /memory/:agentId/snapshots", {
    summary: { en: "the stored snapshots", uk: "архіви, що зберігаються" },
    allows: ["owner", "agent"],
    params: agentParams,
    answer: z.object({
      agentId: z.string(),
      snapshots: z.array(
        z.object({
          id: z.string(),
          commit: z.string(),
          at: z.string(),
          version: z.int(),
          files: z.int(),
          damaged: z.boolean(),
        }),
      ),
    }),
    async handle({ garden, params: { agentId }, identity }) {
      expectOwnAgent(identity, agentId);
      return { agentId, snapshots: await listSnapshots(garden.store, agentId) };
    },
  }),
  route("GET /memory/:agentId/snapshots/:snapshot", {
    summary: { en: "one snapshot with all files", uk: "один архів, цілий" },
    allows: ["owner", "agent"],
    params: agentParams.extend({ snapshot }),
    answer: memoryArchive.meta({ id: "MemoryArchive" }),
    async handle({ garden, params, identity }) {
      expectOwnAgent(identity, params.agentId);
      return readSnapshot(garden.store, params.agentId, params.snapshot);
    },
  }),
  route("POST /memory/:agentId/restore", {
    summary: {
      en: "proposes to restore the memory from a snapshot, a commit or a date; always decided by a person",
      uk: "пропонує повернути пам'ять до знімка, коміту чи дати; вирішує завжди людина",
    },
    allows: ["owner"],
    rate: "submit",
    params: agentParams,
    body: z.strictObject({ from: z.string().min(4).max(100), reasoning: z.string().max(20_000).optional() }),
    answer: receivedAnswer,
    status: 201,
    async handle({ garden, params: { agentId }, body: { from, reasoning }, identity, correlation }) {
      const received = await proposeRestore(garden, {
        slug: agentId,
        identity,
        from,
        reasoning,
        correlation_id: correlation.brought ? correlation.id : undefined,
      });
      return receivedBody(received);
    },
  }),
];
