import { Readable } from "node:stream";
import { z } from "zod";
import type { FoundGarden, Garden } from "../../garden/core/garden.ts";
import { allChecks } from "../../garden/federation/all-checks.ts";
import type { CheckedFinding, VerifyFinding } from "../../garden/insight/verify/check.ts";
import { repairFindings } from "../../garden/insight/verify/repair.ts";
import { verifyGarden } from "../../garden/insight/verify/verify.ts";
import { backUpInside, listBackups, openBackup } from "../../garden/life/backup/backups.ts";
import { chooseRemote, fetchRemote, pullRemote, pushRemote } from "../../garden/life/remotes.ts";
import { retireSessions } from "../../garden/life/retire-sessions.ts";
import { gardenStatus } from "../../garden/records/status.ts";
import { keptWork } from "../../garden/sessions/exec-session.ts";
import { withoutPaths } from "../error-answer.ts";
import { type Route, route } from "../route.ts";
import { commitId, peerShape, textShape } from "../shapes.ts";

const finding = z.object({ check: z.string(), rule: z.string(), where: z.string(), what: textShape });
const backup = z.object({ name: z.string(), bytes: z.int(), made_at: z.iso.datetime() });
const remoteParams = z.strictObject({ name: z.string().min(1).max(100) });

/** Care of the garden itself: its state, verification, packing, backups and remotes. */
export const careRoutes: readonly Route[] = [
  route("GET /status", {
    summary: {
      en: "the state of the garden: branch, newest commit, counts, uncommitted files, store, shared remote, engine and processes",
      uk: "стан саду: гілка, останній коміт, кількості, незакомічені файли, сховище, спільний репозиторій, рушій і процеси",
    },
    allows: ["owner"],
    answer: z.object({
      name: z.string(),
      branch: z.string().optional(),
      head: z.object({ commit: commitId, subject: z.string(), author: z.string(), at: z.number() }).optional(),
      notes: z.int(),
      agents: z.array(z.string()),
      pending: z.int(),
      uncommitted: z.array(z.object({ path: z.string(), kind: z.string() })),
      remote: z
        .object({
          address: z.string(),
          behind: z.int(),
          ahead: z.int(),
          lastContact: z.number().optional(),
          reachable: z.boolean(),
          blocked: z.boolean(),
          trouble: textShape.optional(),
        })
        .optional(),
      store: z.object({ kind: z.enum(["directory", "s3"]), place: z.string() }),
      engine: z.object({ kind: z.enum(["embedded", "restate", "inngest"]), url: z.string().optional() }),
      peers: z.array(peerShape),
      remarks: z.array(textShape),
    }),
    async handle({ garden }) {
      const { dir: _, store, git, ...status } = await gardenStatus(garden);
      const { remote } = git;
      return {
        ...status,
        ...(remote && { remote }),
        store: { kind: garden.config.store.kind, place: withoutPaths(store.place, garden) },
        remarks: [...(store.remarks ?? []), ...git.remarks],
      };
    },
  }),
  route("POST /verify", {
    summary: {
      en: "checks the whole garden; with `repair` rebuilds outdated indexes, never a record",
      uk: "перевіряє весь сад; з `repair` відновлює списки, що відстали, і ніколи самі записи",
    },
    allows: ["owner"],
    body: z.strictObject({ repair: z.boolean().default(false) }),
    answer: z.object({
      checks: z.int(),
      repaired: z.array(z.string()),
      findings: z.array(finding.extend({ consequences: z.array(finding) })),
    }),
    async handle({ garden, body }) {
      const found = foundOf(garden);
      let findings = await verifyGarden(found, undefined, allChecks);
      const repaired = body.repair ? await repairFindings(findings) : [];
      if (repaired.length > 0) findings = await verifyGarden(found, undefined, allChecks);
      return { checks: allChecks.length, repaired, findings: findings.map(withConsequences) };
    },
  }),
  route("POST /maintain", {
    summary: {
      en: "packs the repository and puts finished sessions into the archive; safe during writes",
      uk: "упаковує репозиторій і відкладає завершені сесії в архів; безпечно, поки інші пишуть",
    },
    allows: ["owner"],
    answer: z.object({
      kind: z.literal("maintained"),
      archived: z.array(z.object({ name: z.string(), head: z.string(), why: z.enum(["merged", "idle"]) })),
      kept: z.array(z.string()),
    }),
    async handle({ garden }) {
      const archived = await retireSessions(garden);
      await garden.repo.maintain();
      return { kind: "maintained", archived, kept: await keptWork(garden) };
    },
  }),
  route("GET /backups", {
    summary: {
      en: "backups in the garden's own folder, newest first",
      uk: "копії у власній теці саду, спершу найновіші",
    },
    allows: ["owner"],
    answer: z.object({ backups: z.array(backup) }),
    handle: async ({ garden }) => ({ backups: await listBackups(garden) }),
  }),
  route("POST /backups", {
    summary: {
      en: "writes a backup of the whole garden, without keys and secrets",
      uk: "записує копію всього саду, без ключів і секретів",
    },
    allows: ["owner"],
    status: 201,
    answer: backup.extend({ left: z.array(z.string()) }),
    async handle({ garden }) {
      const { file, manifest } = await backUpInside(garden);
      const name = file.slice(file.lastIndexOf("/") + 1);
      const made = (await listBackups(garden)).find((each) => each.name === name)!;
      return { ...made, left: manifest.left };
    },
  }),
  route("GET /backups/:name", {
    summary: { en: "the file of a backup", uk: "файл копії" },
    allows: ["owner"],
    params: remoteParams.extend({ name: z.string().min(1).max(300) }),
    answer: "application/octet-stream",
    async handle({ garden, params: { name } }) {
      const { bytes, chunks } = await openBackup(garden, name);
      return new Response(Readable.toWeb(Readable.from(chunks)) as ReadableStream, {
        headers: {
          "Content-Type": "application/gzip",
          "Content-Length": String(bytes),
          "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
          "X-Content-Type-Options": "nosniff",
          "Cache-Control": "private, no-store",
        },
      });
    },
  }),
  route("POST /remotes/:name/fetch", {
    summary: {
      en: "fetches from a remote without changing the garden",
      uk: "отримує, що є у віддаленому репозиторії, нічого тут не змінюючи",
    },
    allows: ["owner"],
    params: remoteParams,
    answer: z.object({ refs: z.int() }),
    async handle({ garden, params: { name } }) {
      const { refs } = await fetchRemote(garden, chooseRemote(garden, name));
      return { refs: refs.length };
    },
  }),
  route("POST /remotes/:name/pull", {
    summary: { en: "merges the main branch of a remote into main", uk: "вливає main віддаленого репозиторію в main" },
    allows: ["owner"],
    params: remoteParams,
    answer: z.object({
      kind: z.enum(["up-to-date", "pulled"]),
      head: commitId.optional(),
      merged: z.boolean().optional(),
    }),
    handle: ({ garden, params: { name } }) => pullRemote(garden, chooseRemote(garden, name)),
  }),
  route("POST /remotes/:name/push", {
    summary: { en: "pushes main and the traces to a remote", uk: "надсилає main і траси у віддалений репозиторій" },
    allows: ["owner"],
    params: remoteParams,
    answer: z.object({ refs: z.array(z.string()) }),
    handle: async ({ garden, params: { name } }) => ({ refs: await pushRemote(garden, chooseRemote(garden, name)) }),
  }),
];

/** The open garden in the form in which a damaged one is checked. */
const foundOf = (garden: Garden): FoundGarden => ({
  dir: garden.dir,
  folder: garden.folder,
  repos: garden.repos,
  world: garden.world,
  config: { kind: "value", value: garden.config },
  repo: { kind: "open", value: garden.repo },
  store: { kind: "open", value: garden.store },
});

const plainFinding = ({ check, rule, where, what }: CheckedFinding) => ({ check, rule, where, what });
const withConsequences = (each: VerifyFinding) => ({
  ...plainFinding(each),
  consequences: each.consequences.map(plainFinding),
});
