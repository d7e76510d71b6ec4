import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { gardenConfig } from "../src/domain/config/garden-config.ts";

/** The file that reads each setting, and the place in it. A setting that nothing reads does not belong into the schema. */
const READ_BY: Readonly<Record<string, readonly [file: string, code: string]>> = {
  version: ["domain/config/garden-config.ts", "formatVersionOf(text)"],
  name: ["garden/records/status.ts", "config.name"],
  language: ["garden/records/logic/garden-language.ts", "language"],
  notes_root: ["garden/changes/effect/note-target.ts", "notes_root: root"],
  agents_root: ["garden/records/agents/commit-agent-files.ts", "config.agents_root"],
  "store.kind": ["compose.ts", 'store.kind === "directory"'],
  "store.endpoint": ["adapters/store/s3/open-s3-store.ts", "endpoint"],
  "store.bucket": ["adapters/store/s3/open-s3-store.ts", "bucket: name"],
  "store.prefix": ["adapters/store/s3/open-s3-store.ts", "prefix"],
  "store.region": ["adapters/store/s3/open-s3-store.ts", "region"],
  "store.key_env": ["adapters/store/s3/open-s3-store.ts", "secretOf(key_env)"],
  "store.secret_env": ["adapters/store/s3/open-s3-store.ts", "secretOf(secret_env)"],
  "engine.kind": ["compose-engine.ts", "switch (engine.kind)"],
  "engine.url": ["compose-engine.ts", "url: engine.url"],
  "engine.admin": ["compose-engine.ts", "admin: engine.admin"],
  "engine.app": ["compose-engine.ts", "app: engine.app"],
  "engine.worker_url": ["compose-engine.ts", "engine.worker_url ?? address()"],
  "engine.identity_key": ["compose-engine.ts", "identityKey: engine.identity_key"],
  "engine.event_key_env": ["compose-engine.ts", "engine.event_key_env"],
  "engine.signing_key_env": ["compose-engine.ts", "engine.signing_key_env"],
  "engine.mode": ["compose-engine.ts", "mode: engine.mode"],
  "engine.token_env": ["compose-engine.ts", "engine.token_env)"],
  "telemetry.url": ["compose-runs.ts", "url, headers_env"],
  "telemetry.headers_env": ["compose-runs.ts", "environment[headers_env]"],
  "telemetry.every_seconds": ["main.ts", "telemetry.every_seconds"],
  "runtime.kind": ["compose-runs.ts", 'runtime?.kind !== "ai-sdk"'],
  "models.*.url": ["domain/config/model-registry.ts", "endpoint.url"],
  "models.*.key_env": ["domain/config/model-registry.ts", "endpoint.key_env"],
  "prices.currency": ["domain/run/price.ts", "currency"],
  "prices.models.*.input": ["domain/run/price.ts", ".input"],
  "prices.models.*.output": ["domain/run/price.ts", ".output"],
  "reader.kind": ["compose-runs.ts", 'reader.kind === "local"'],
  "reader.url": ["compose-runs.ts", "reader.url"],
  "reader.key_env": ["compose-runs.ts", "reader.key_env"],
  "auto_approve[].source": ["domain/config/auto-approve.ts", "rule.source"],
  "auto_approve[].identity": ["domain/config/auto-approve.ts", "rule.identity"],
  "auto_approve[].actions[]": ["domain/config/auto-approve.ts", "rule.actions"],
  "auto_approve[].only": ["domain/config/auto-approve.ts", "rule.only"],
  "auto_approve[].name": ["domain/config/auto-approve.ts", "name"],
  "auto_approve[].folder": ["domain/config/auto-approve.ts", "rule.folder"],
  "grants[].agent": ["garden/core/access/grant.ts", "agent"],
  "grants[].actions[]": ["garden/core/access/grant.ts", "actions"],
  "grants[].on[]": ["garden/core/access/grant.ts", "on"],
  "notify[].name": ["garden/life/notify/deliver.ts", "to.name"],
  "notify[].webhook": ["adapters/messenger/messenger.ts", "destination.webhook"],
  "notify[].secret_env": ["adapters/messenger/messenger.ts", "secretOf(secret_env"],
  "notify[].command[]": ["adapters/messenger/messenger.ts", "destination.command"],
  "notify[].push[]": ["adapters/messenger/messenger.ts", "destination.push"],
  "notify[].brief": ["garden/life/notify/deliver.ts", "to.brief"],
  "notify[].contact": ["adapters/messenger/web-push.ts", "{ name, contact }: NotifyDestination"],
  "notify[].kinds[]": ["garden/life/notify/deliver.ts", "to.kinds"],
  "notify[].digest": ["garden/life/notify/deliver.ts", "to.digest"],
  "notify[].quiet.from": ["garden/life/notify/notify-times.ts", "quiet.from"],
  "notify[].quiet.to": ["garden/life/notify/notify-times.ts", "quiet.to"],
  "webhooks[].name": ["garden/agents/access/webhook.ts", "name === signed.name"],
  "webhooks[].secret_env": ["garden/agents/access/webhook.ts", "hook.secret_env"],
  "webhooks[].actions[]": ["garden/agents/access/webhook.ts", "actions: hook.actions"],
  "zones[].name": ["garden/agents/access/identify.ts", "name === claims.zone"],
  "zones[].folders[]": ["garden/agents/access/identify.ts", "zone.folders"],
  "zones[].actions[]": ["garden/agents/access/identify.ts", "zone.actions"],
  "zones[].expires": ["garden/agents/access/identify.ts", "expires"],
  "limits.owner_per_minute": ["garden/changes/inbox/rate-limit.ts", "set.owner_per_minute"],
  "limits.agent_per_minute": ["garden/changes/inbox/rate-limit.ts", "set.agent_per_minute"],
  "limits.webhook_per_minute": ["garden/changes/inbox/rate-limit.ts", "set.webhook_per_minute"],
  "limits.guest_per_minute": ["garden/changes/inbox/rate-limit.ts", "set.guest_per_minute"],
  "limits.body_bytes": ["gateway/dispatch.ts", "limits.body_bytes"],
  "limits.note_bytes": ["garden/changes/effect/failures.ts", "limits.note_bytes"],
  "limits.approval_grace_seconds": ["gateway/routes/proposals.ts", "limits.approval_grace_seconds"],
  "limits.artifact_bytes": ["garden/changes/effect/failures.ts", "limits.artifact_bytes"],
  "limits.proposal_hours": ["garden/changes/inbox/wish.ts", "limits.proposal_hours"],
  "limits.memory_change_percent": ["garden/changes/effect/memory-effect.ts", "limits.memory_change_percent"],
  "egress[]": ["adapters/egress/hosts.ts", "...egress"],
  "retention.backups": ["garden/life/backup/forget-backups.ts", "retention.backups"],
  "retention.reports_days": ["garden/records/memory/run-reports.ts", "retention.reports_days"],
  "retention.merged_sessions_days": ["garden/life/retire-sessions.ts", "merged_sessions_days"],
  "retention.idle_sessions_days": ["garden/life/retire-sessions.ts", "idle_sessions_days"],
  "learning.success_below": ["garden/insight/learning/analyse-logic.ts", "success_below"],
  "learning.tokens_above": ["garden/insight/learning/analyse-logic.ts", "tokens_above"],
  "learning.enough_runs": ["garden/insight/learning/logic-performance.ts", "learning.enough_runs"],
  "learning.confidence": ["garden/insight/learning/logic-performance.ts", "learning.confidence"],
  "learning.counterfactual_runs": ["garden/insight/learning/logic-report.ts", "learning.counterfactual_runs"],
  "schedule.timezone": ["garden/runs/schedule.ts", "schedule.timezone"],
  "schedule.missed": ["garden/runs/schedule.ts", "schedule.missed"],
  "remotes.*.url": ["garden/life/remotes.ts", "config.remotes"],
  "federation.public": ["garden/federation/public-space.ts", "federation.public"],
  "federation.look_seconds": ["garden/federation/poll-gardens.ts", "federation.look_seconds"],
  "federation.peer_mib_per_hour": ["garden/federation/peer-quota.ts", "peer_mib_per_hour * MIB"],
  "federation.peer_refs_per_hour": ["garden/federation/peer-quota.ts", "peer_refs_per_hour - now.refs"],
  "federation.peer_announcements_per_hour": [
    "garden/federation/peer-quota.ts",
    "peer_announcements_per_hour - now.announcements",
  ],
  "repo.remote": ["adapters/repo/git/authority/connect.ts", "remote: url"],
  "repo.fetch_seconds": ["adapters/repo/git/authority/connect.ts", "fetch_seconds * 1000"],
  "repo.timeout_seconds": ["adapters/repo/git/authority/connect.ts", "timeout_seconds * 1000"],
};

/** Every path of the schema that holds a plain value. */
function leaves(schema: z.ZodType, path = ""): string[] {
  const { def } = schema as unknown as { def: { type: string } & Record<string, unknown> };
  const inner = (def["innerType"] ?? def["in"]) as z.ZodType | undefined;
  if (inner && ["optional", "default", "nullable", "pipe", "readonly"].includes(def.type)) return leaves(inner, path);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, item]) =>
      leaves(item as z.ZodType, path === "" ? key : `${path}.${key}`),
    );
  if (schema instanceof z.ZodArray) return leaves(schema.element as z.ZodType, `${path}[]`);
  if (schema instanceof z.ZodRecord) return leaves(schema.valueType as z.ZodType, `${path}.*`);
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => leaves(option as z.ZodType, path)))];
  return [path];
}

test("G-7 every setting that garden.yaml accepts is read by the program", () => {
  const found = leaves(gardenConfig).toSorted();
  const unread = Object.entries(READ_BY).flatMap(([setting, [file, code]]) =>
    readFileSync(join(import.meta.dirname, "../src", file), "utf8").includes(code) ? [] : [`${setting}: ${file}`],
  );
  expect({ found, unread }).toEqual({ found: Object.keys(READ_BY).toSorted(), unread: [] });
});

test.each([
  ["store: { kind: ftp }", "store.kind"],
  ["store: { kind: ftp }", "store.kind"],
  ["engine: { kind: temporal }", "engine.kind"],
])("G-7 %s is refused by name", (line, field) => {
  const value = { version: 2, name: "x", [line.split(":")[0]!]: { kind: /kind: (\w+)/.exec(line)![1] } };
  const issues = gardenConfig.safeParse(value).error?.issues.map(({ path }) => path.join("."));
  expect(issues).toEqual([field]);
});
