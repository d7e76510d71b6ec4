import { Failure, isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import type { Intent, IntentOf } from "../../../domain/intent/intent.ts";
import type { LogicChange } from "../../../domain/intent/intent-logic.ts";
import { intentExpectations } from "../../../domain/intent/intent-words.ts";
import { contractKey, type LogicPart, logicPath } from "../../../domain/layout.ts";
import { readMeta } from "../../../domain/logic/logic-meta.ts";
import { freeName, nameFromTitle } from "../../../domain/note/note-name.ts";
import { applyStrictly } from "../../../domain/note/strict-diff.ts";
import type { InboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import { artifactKey, type Operation, type OperationOf, operation } from "../../../domain/proposal/operation.ts";
import { fieldsRefused } from "../../../domain/text/checked-fields.ts";
import { otherDiagrams, withCalledDiagrams } from "../../../drakon/called-logic.ts";
import type { Garden } from "../../core/garden.ts";
import { readDiagrams } from "../../records/agents/agent-diagrams.ts";
import { mainFileOf } from "../../records/logic/contract-origin.ts";
import { newNoteFolderAt } from "../../records/notes/vault-settings-at.ts";
import { textOf } from "../effect/note-target.ts";
import { mergePayload } from "./merge-permissions.ts";

/** The garden at a commit and the identity that a wish is resolved against. */
export interface ResolveContext {
  readonly garden: Pick<Garden, "repo" | "store" | "folder">;
  readonly config: GardenConfig;
  readonly head: Oid;
  readonly identity: Identity;
  readonly entry: InboxEntry;
}

export interface ResolvedIntent {
  readonly operation: Operation;
  /** The commit that it was made against: main, or the one that the sender names. */
  readonly base: Oid;
}

/** The operation of a wish, completed with facts of the garden. Throws a failure that says what does not fit. */
export async function resolveIntent(at: ResolveContext, intent: Intent): Promise<ResolvedIntent> {
  const base = intent.action === "propose-edit" ? await baseOf(at, intent.wish.base) : at.head;
  return { operation: operation.parse(await operationFor(at, intent, base)), base };
}

async function operationFor(at: ResolveContext, intent: Intent, base: Oid): Promise<Operation> {
  switch (intent.action) {
    case "propose-note":
      return { action: intent.action, payload: await newNote(at, intent) };
    case "propose-edit": {
      const { path, diff, text, remove } = intent.wish;
      if (remove) return { action: intent.action, payload: { path, text: "", remove } };
      return { action: intent.action, payload: { path, text: text ?? (await applyDiff(at, base, path, diff!)) } };
    }
    case "propose-tag":
    case "propose-comment":
      return { action: intent.action, payload: intent.wish } as Operation;
    case "propose-merge": {
      const { session, branch, head } = intent.wish;
      const name = (session ?? branch!).replace(/^(?:refs\/heads\/)?agents\//, "");
      return { action: intent.action, payload: await mergePayload(at.garden.repo, name, head) };
    }
    case "propose-summary": {
      const { note, text, citations } = intent.wish;
      return { action: intent.action, payload: { note, text, citations, into: await summaryPlace(at, intent) } };
    }
    case "propose-artifact": {
      const { name, type, text, base64, replaces, remove } = intent.wish;
      const payload: OperationOf<"propose-artifact">["payload"] = {
        agent: agentFor(at, intent.wish.agent),
        name,
        type: type ?? mediaType(name, text !== undefined),
        body: remove
          ? { kind: "none" }
          : text === undefined
            ? { kind: "base64", base64: base64! }
            : { kind: "text", text },
        ...(replaces !== undefined && { replaces }),
      };
      return { action: intent.action, payload };
    }
    case "memory-update": {
      const { operations, expectedVersion, priority } = intent.wish;
      const high = priority === "high" || at.entry.metadata.priority === "high";
      const agent = agentFor(at, intent.wish.agent);
      return {
        action: intent.action,
        payload: { agent, operations, expectedVersion, priority: high ? "high" : "normal" },
      };
    }
    case "logic-update": {
      const { rationale, optimizerRunId, currentVersion } = intent.wish;
      const agent = agentFor(at, intent.wish.agent);
      const now = currentVersion ?? (await versionNow(at, agent));
      const diagram = await logicText(at, agent, "diagram", intent.wish.diagram);
      const pseudocode = await logicText(at, agent, "pseudo", intent.wish.pseudocode);
      return {
        action: intent.action,
        payload: {
          agent,
          ...(now !== undefined && { currentVersion: now }),
          // The called diagrams are part of what is reviewed: a later edit of their files does not change the proposal.
          ...(diagram !== undefined && { diagram: await wholeDiagram(at, agent, diagram) }),
          ...(pseudocode !== undefined && { pseudocode }),
          rationale,
          ...(optimizerRunId !== undefined && { optimizerRunId }),
          requiresHumanReview: true,
        },
      };
    }
    case "logic-rollback": {
      const { rationale, toVersion } = intent.wish;
      const agent = agentFor(at, intent.wish.agent);
      const currentVersion = intent.wish.currentVersion ?? (await versionNow(at, agent));
      if (currentVersion === undefined) throw noLogic(agent);
      return {
        action: intent.action,
        payload: { agent, currentVersion, toVersion, rationale, requiresHumanReview: true },
      };
    }
  }
}

/** The named agent, or the one that asks. */
function agentFor({ identity }: ResolveContext, named: string | undefined): string {
  const agent = named ?? (identity.type === "agent" ? identity.slug : undefined);
  if (agent !== undefined) return agent;
  throw fieldsRefused([{ field: "agent", found: MISSING, expected: intentExpectations["an-agent"] }]);
}

/** The named path, or the first free one derived from the title. */
async function newNote(
  at: ResolveContext,
  { wish }: IntentOf<"propose-note">,
): Promise<OperationOf<"propose-note">["payload"]> {
  if (wish.path !== undefined) return { path: wish.path, text: wish.text };
  const folder = wish.folder ?? (await newNoteFolderAt({ repo: at.garden.repo, config: at.config }, at.head));
  const name = nameFromTitle(wish.title!) || "note";
  const path = await freeName(
    (suffix) => `${folder === "." ? "" : `${folder}/`}${name}${suffix}.md`,
    (candidate) => isTaken(at, candidate),
  );
  return { path, text: withTitle(wish.title!, wish.text) };
}

/** True if main has the path, or an uncommitted file. */
async function isTaken({ garden, head }: ResolveContext, path: string): Promise<boolean> {
  if (await garden.repo.read(head, path)) return true;
  return (await garden.folder.stat(path)).kind !== "missing";
}

/** The file name loses capitals and punctuation, so the title becomes a heading, unless the text begins with one. */
const withTitle = (title: string, text: string): string =>
  /^\ufeff?(?:---\r?\n|#\s)/.test(text) ? text : `# ${title}\n${text === "" ? "" : `\n${text}`}`;

async function summaryPlace(
  at: ResolveContext,
  { wish }: IntentOf<"propose-summary">,
): Promise<OperationOf<"propose-summary">["payload"]["into"]> {
  const { into } = wish;
  const toArtifact = into ? into.kind === "artifact" : at.identity.type === "agent";
  if (!toArtifact) {
    const heading = into?.kind === "section" ? into.heading : undefined;
    return { kind: "section", heading: heading ?? (at.config.language === "uk" ? "Підсумок" : "Summary") };
  }
  const wanted = into?.kind === "artifact" ? into : undefined;
  const agent = agentFor(at, wanted?.agent);
  if (wanted?.name !== undefined) return { kind: "artifact", agent, name: wanted.name };
  const stem =
    nameFromTitle(
      wish.note
        .split("/")
        .at(-1)!
        .replace(/\.[^.]+$/, ""),
    ) || "note";
  const day = at.entry.source.timestamp.slice(0, 10);
  const name = await freeName(
    (suffix) => `summary-${stem}-${day}${suffix}.md`,
    async (candidate) => (await at.garden.store.get(artifactKey(agent, candidate))) !== undefined,
  );
  return { kind: "artifact", agent, name };
}

async function baseOf({ garden, head }: ResolveContext, asked: Oid | undefined): Promise<Oid> {
  if (asked === undefined || asked === head) return head;
  try {
    if (await garden.repo.isAncestor(asked, head)) return asked;
  } catch (error) {
    if (!isFailure(error, "NOT_FOUND")) throw error;
  }
  throw new Failure("VALIDATION_FAILED", {
    en: `base: ${asked.slice(0, 10)} is not a commit of main`,
    uk: `base: ${asked.slice(0, 10)} — не коміт main`,
    details: { base: asked, head },
  });
}

/** The text of a file with a diff applied to it, strictly. */
async function applyDiff(at: ResolveContext, base: Oid, path: string, diff: string): Promise<string> {
  const file = await at.garden.repo.read(base, path);
  if (!file) throw new Failure("NOT_FOUND", { ...noFile(path), details: { path, base } });
  const text = textOf(file.bytes);
  if (text === undefined)
    throw new Failure("VALIDATION_FAILED", {
      en: `${path} is not text in UTF-8`,
      uk: `${path} — не текст у UTF-8`,
      details: { path },
    });
  const result = applyStrictly(text, diff);
  if (result.kind === "text") return result.text;
  const { hunk, why } = result;
  const place = hunk === undefined ? path : `${path} ${hunk}`;
  throw new Failure(hunk === undefined ? "VALIDATION_FAILED" : "CONCURRENT_MODIFICATION", {
    en: `the diff does not fit ${place}: ${why.en}`,
    uk: `diff не підходить до ${place}: ${why.uk}`,
    hint: {
      en: "Make it against the note as it is now, or name the commit that you read (`base`).",
      uk: "Зробіть його від нотатки в теперішньому вигляді або назвіть коміт, який читали (`base`).",
    },
    details: { path, base, target_hash: file.oid, ...(hunk !== undefined && { hunk }) },
  });
}

async function logicText(
  at: ResolveContext,
  agent: string,
  part: LogicPart,
  change: LogicChange | undefined,
): Promise<string | undefined> {
  if (change?.operation !== "patch") return change?.content;
  return applyDiff(at, at.head, logicPath.current(agent, part), change.diff);
}

/** A diagram with the diagrams that it calls, as they are now (D-7). */
async function wholeDiagram({ garden, head }: ResolveContext, agent: string, diagram: string): Promise<string> {
  const contract = await garden.store.get(contractKey(agent));
  const mainFile = mainFileOf(contract && Buffer.from(contract.bytes).toString());
  const current = await garden.repo.read(head, logicPath.current(agent, "diagram"));
  const state = { diagram: current && Buffer.from(current.bytes).toString() };
  const others = otherDiagrams(await readDiagrams(garden.store, agent), state, mainFile);
  return withCalledDiagrams(diagram, { mainFile, others }).text;
}

/** The logic version on main; undefined for an agent without one. */
async function versionNow({ garden, head }: ResolveContext, agent: string): Promise<string | undefined> {
  const file = await garden.repo.read(head, logicPath.current(agent, "meta"));
  return file && readMeta(Buffer.from(file.bytes).toString())?.logicVersion;
}

const TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  txt: "text/plain",
  json: "application/json",
  csv: "text/csv",
  html: "text/html",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  pdf: "application/pdf",
};

function mediaType(name: string, isText: boolean): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return TYPES[ending] ?? (isText ? "text/plain" : "application/octet-stream");
}

const MISSING: Text = { en: "missing", uk: "бракує" };
const noFile = (path: string): Text => ({ en: `there is no ${path}`, uk: `немає ${path}` });
const noLogic = (agent: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `${agent} has no logic version yet`,
    uk: `${agent} ще не має версії логіки`,
    details: { agent },
  });
