import { canonicalId, canonicalJson, type Json } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { sessionBranch } from "../../domain/layout.ts";
import type { TypedCommit } from "../../domain/session/typed-commit.ts";
import { redactJson } from "../../domain/text/redact.ts";
import type { Repo } from "../../ports/repo.ts";
import type { SessionCommitWish } from "./commit-session.ts";
import { commitWithTrace } from "./commit-with-trace.ts";
import { decisionRaced } from "./failures.ts";
import { untilLanded } from "./land-refs.ts";
import type { SessionGarden } from "./session-garden.ts";
import { sessionHead, sessionLog } from "./topology.ts";

export interface DecisionWish {
  /** The question that is answered, by id: `resume-tag`. */
  readonly request: string;
  readonly question: string;
  readonly value: Json;
  /** The name of the identity that decides. */
  readonly by: string;
  readonly rationale?: string | undefined;
  /** The head that the person has seen: a branch that has moved since is a conflict. Default: any head. */
  readonly expect?: Oid | undefined;
}

/** A person's decision as the branch of a session has it (S-8a). */
export interface SessionDecision {
  readonly commit: Oid;
  /** Undefined if the commit has its id only: it is too long for a commit message, or holds a secret. */
  readonly value: Json | undefined;
  readonly valueId: string;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly rationale: string | undefined;
}

/** Longer answers are named by their id: a commit message is read by every `git log`. */
const MAX_VALUE_BYTES = 32 * 1024;
const MAX_SUBJECT = 200;

/**
 * S-8: records a decision as a commit of the session, with the files of the commit before. Idempotent by the id of the question: a
 * repetition, or the second of two owners, gets the first decision, whatever it wants itself. The session's trace goes with it. Throws
 * CONCURRENT_MODIFICATION if the branch is not at `expect`.
 */
export async function commitDecision(
  garden: SessionGarden,
  session: string,
  wish: DecisionWish,
): Promise<SessionDecision> {
  const valueId = canonicalId(wish.value);
  return untilLanded(garden, [sessionBranch(session)], async () => {
    const head = await sessionHead(garden.repo, session);
    const known = await decisionOn(garden.repo, session, wish.request);
    // A value that is known by its id only can be completed by the same value, or replaced by another decision.
    if (known && (known.value !== undefined || known.valueId === valueId)) return known;
    if (wish.expect !== undefined && wish.expect !== head) throw decisionRaced(session, wish.expect, head);
    const { commit, entry } = decisionParts(garden, head, wish, valueId);
    const landed = await commitWithTrace(garden, session, commit, [entry]);
    if (landed.kind === "conflict") return undefined;
    crashPoint("session.decide.committed");
    return decisionOn(garden.repo, session, wish.request);
  });
}

function decisionParts(
  { world, secrets }: SessionGarden,
  head: Oid,
  { request, question, value, by, rationale }: DecisionWish,
  valueId: string,
): { readonly commit: SessionCommitWish; readonly entry: { at: string; kind: string; text: string } } {
  const clean = <T extends Json>(text: T): T => redactJson(text, secrets());
  const written = canonicalJson(value);
  const isOpen = Buffer.byteLength(written) <= MAX_VALUE_BYTES && canonicalJson(clean(value)) === written;
  const why = rationale === undefined ? undefined : clean(rationale);
  const [subject, rest] = subjectOf(why ?? `Answer to: ${clean(question)}`);
  const shown = isOpen ? written : `(${valueId})`;
  const at = world.now();
  return {
    commit: {
      expect: head,
      kind: "decision",
      message: subject,
      ...(rest !== "" && { body: rest }),
      fields: {
        "resume-tag": request,
        ...(isOpen ? { "resume-value": value } : { "resume-value-id": valueId }),
        by,
        ...(why !== undefined && { rationale: rest === "" ? "subject" : "body" }),
      },
      author: { name: by, email: `${mailbox(by)}@garden.invalid`, at },
      tree: { edits: [] },
    },
    entry: { at: new Date(at).toISOString(), kind: "session", text: `${by} answered ${request}: ${shown}` },
  };
}

const mailbox = (by: string): string =>
  by
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-")
    .replace(/^-+|-+$/g, "") || "owner";

/** The first line, without what a subject cannot hold, and everything if that was not all. */
function subjectOf(text: string): readonly [subject: string, body: string] {
  const whole = text.trim();
  const line = (whole.split("\n")[0] ?? "").replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  const subject = line.length > MAX_SUBJECT ? `${line.slice(0, MAX_SUBJECT - 1).toWellFormed()}…` : line;
  return [subject || "Answer", subject === whole ? "" : whole];
}

/** The newest decision on a question; undefined if the branch has none. */
export async function decisionOn(repo: Repo, session: string, request: string): Promise<SessionDecision | undefined> {
  for (const { commit, typed } of (await sessionLog(repo, session)).commits) {
    if (typed?.kind !== "decision" || typed.fields["resume-tag"] !== request) continue;
    const read = decisionIn(typed);
    if (read) return { commit: commit.oid, ...read, at: new Date(commit.author.at).toISOString() };
  }
  return undefined;
}

function decisionIn({ fields, message, body }: TypedCommit): Omit<SessionDecision, "commit" | "at"> | undefined {
  const { by, rationale: where, "resume-value": value, "resume-value-id": id } = fields;
  if (typeof by !== "string") return undefined;
  const rationale = where === "subject" ? message : where === "body" ? body : undefined;
  if (value !== undefined) return { value, valueId: canonicalId(value), by, rationale };
  return typeof id === "string" ? { value, valueId: id, by, rationale } : undefined;
}
