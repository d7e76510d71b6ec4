import { isFailure } from "../../../base/failure.ts";
import { commentKey, contractKey } from "../../../domain/layout.ts";
import { linesOf } from "../../../domain/note/line-hunks.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import { artifactKey, type OperationOf } from "../../../domain/proposal/operation.ts";
import { keyProblem } from "../../../domain/store-key.ts";
import type { Store } from "../../../ports/store.ts";
import type { EffectContext, EffectHandler, ObjectWrite, PreparedEffect, ReviewExcerpt, ReviewFile } from "./effect.ts";
import { effectId, type FileEffect } from "./effect-id.ts";
import { artifactLimit, effectTooLarge, noteLimit, refusedEffect } from "./failures.ts";
import { fileChange } from "./file-change.ts";
import { sectionEffect } from "./note-effects.ts";
import { noteAtBase, noteAtHead, textOf } from "./note-target.ts";
import { sourcesList } from "./sources-list.ts";

/** An object beside the note: `{note, line, text, by, at, proposal, note_hash}`. */
export const commentHandler: EffectHandler<"propose-comment"> = {
  async prepare(context, { payload }) {
    const { note: path, text, line, removes } = payload;
    const { garden, moment } = context;
    if (removes !== undefined) return withdrawal(context, path, removes);
    if (Buffer.byteLength(text) > noteLimit(garden.config))
      return effectTooLarge(path, Buffer.byteLength(text), noteLimit(garden.config));
    const note = await noteAtHead(context, path);
    if (note.kind === "refused") return note;
    const lines = linesOf(note.text).length;
    if (line !== undefined && line > Math.max(1, lines)) {
      return refusedEffect("VALIDATION_FAILED", {
        en: `${path} has ${lines} lines, and no line ${line}`,
        uk: `у ${path} рядків ${lines}, рядка ${line} немає`,
        details: { path, line, lines },
      });
    }
    const key = legalKey(() => commentKey(path, moment.proposal));
    if (typeof key !== "string") return key;
    // The comment refers to the note that its author read: the same bytes on every attempt, wherever main is.
    const seen = await noteAtBase(context, path);
    const comment = {
      note: path,
      ...(line !== undefined && { line }),
      text,
      by: moment.by,
      at: moment.at,
      proposal: moment.proposal,
      note_hash: seen?.kind === "note" ? seen.oid : note.oid,
    };
    const bytes = Buffer.from(`${JSON.stringify(comment, null, 2)}\n`);
    const place = line === undefined ? path : `${path}:${line}`;
    const { review } = fileChange(`store:comments/${place}`, undefined, text.endsWith("\n") ? text : `${text}\n`);
    const effect = { path: "store:comments", what: { note: path, line: line ?? null, text } };
    const prepared = ready(
      [{ key, bytes, replaces: undefined }],
      [review],
      [effect],
      actionTable["propose-comment"].event,
    );
    return line === undefined ? prepared : { ...prepared, about: excerpt(path, note.text, line) };
  },
};

const CONTEXT_LINES = 2;

/** The line that a comment is about, with its neighbours. */
function excerpt(path: string, text: string, line: number): ReviewExcerpt {
  const all = linesOf(text).map((each) => each.replace(/\r?\n$/, ""));
  const first = Math.max(1, line - CONTEXT_LINES);
  const lines = all.slice(first - 1, line + CONTEXT_LINES).map((each, at) => ({ number: first + at, text: each }));
  return { path, line, lines };
}

/** Removes a comment; its text stays in the record of the proposal that made it. */
async function withdrawal(context: EffectContext, note: string, made: string): Promise<PreparedEffect> {
  const forbidden = ownerOnly(context);
  if (forbidden) return forbidden;
  const key = legalKey(() => commentKey(note, made));
  if (typeof key !== "string") return key;
  const standing = await context.garden.store.get(key);
  if (!standing) return { kind: "nothing", why: { en: "the comment is gone already", uk: "коментаря вже немає" } };
  const change = fileChange(`store:${key}`, textOf(standing.bytes) ?? "", undefined);
  return ready(
    [{ key, bytes: undefined, replaces: standing.hash }],
    [change.review],
    [change.effect],
    "comment/removed",
  );
}

export const artifactHandler: EffectHandler<"propose-artifact"> = {
  async prepare(context, { payload }) {
    const { body } = payload;
    if (body.kind === "none") return artifactRemoval(context, payload);
    const bytes = body.kind === "text" ? Buffer.from(body.text) : Buffer.from(body.base64, "base64");
    return artifact(
      context,
      payload.agent,
      payload.name,
      bytes,
      payload.replaces,
      actionTable["propose-artifact"].event,
    );
  },
};

export const summaryHandler: EffectHandler<"propose-summary"> = {
  async prepare(context, operation) {
    const { into, note: path } = operation.payload;
    if (into.kind === "section") return sectionEffect(context, operation, into.heading);
    const note = await noteAtHead(context, path);
    if (note.kind === "refused") return note;
    return artifact(
      context,
      into.agent,
      into.name,
      summaryBytes(operation.payload),
      undefined,
      actionTable["propose-summary"].event,
    );
  },
};

/** A summary as an artifact of an agent. */
export const summaryBytes = ({ text, citations }: OperationOf<"propose-summary">["payload"]): Buffer =>
  Buffer.from(`${text.trimEnd()}${sourcesList(citations)}\n`);

/** A new artifact of an agent, or new bytes in place of exactly those that `replaces` names. */
async function artifact(
  context: EffectContext,
  agent: string,
  name: string,
  bytes: Buffer,
  replaces: string | undefined,
  event: string,
): Promise<PreparedEffect> {
  const { garden } = context;
  const limit = artifactLimit(garden.config);
  if (bytes.length > limit) return effectTooLarge(name, bytes.length, limit);
  const key = legalKey(() => artifactKey(agent, name));
  if (typeof key !== "string") return key;
  if (!(await garden.store.get(contractKey(agent)))) return noAgent(agent);
  const inTheWay = await besideKey(garden.store, key);
  if (inTheWay !== undefined) return blocked(key, inTheWay);
  const standing = await garden.store.get(key);
  if (standing && Buffer.from(standing.bytes).equals(bytes))
    return { kind: "nothing", why: { en: `${key} already holds this`, uk: `${key} вже містить це` } };
  if (standing?.hash !== replaces) return otherBytes(key, standing?.hash, replaces);
  const { review, effect } = bytesChange(key, standing?.bytes, bytes);
  return ready([{ key, bytes, replaces }], [review], [effect], event);
}

/** A key must not be a folder of another key: `a` and `a/b` cannot both exist in any store. */
async function besideKey(store: Store, key: string): Promise<string | undefined> {
  const [agents, slug, artifacts, ...names] = key.split("/");
  for (let count = 1; count < names.length; count++) {
    const above = [agents, slug, artifacts, ...names.slice(0, count)].join("/");
    if (await store.get(above)) return above;
  }
  return (await store.list(`${key}/`, { limit: 1 })).entries[0]?.key;
}

async function artifactRemoval(
  context: EffectContext,
  payload: OperationOf<"propose-artifact">["payload"],
): Promise<PreparedEffect> {
  const forbidden = ownerOnly(context);
  if (forbidden) return forbidden;
  const key = legalKey(() => artifactKey(payload.agent, payload.name));
  if (typeof key !== "string") return key;
  const standing = await context.garden.store.get(key);
  if (!standing) return { kind: "nothing", why: { en: `${key} is gone already`, uk: `${key} вже немає` } };
  if (standing.hash !== payload.replaces) return otherBytes(key, standing.hash, payload.replaces);
  const { review, effect } = bytesChange(key, standing.bytes, undefined);
  return ready([{ key, bytes: undefined, replaces: standing.hash }], [review], [effect], "artifact/removed");
}

/** Texts are compared by lines, other bytes by hash and size. */
function bytesChange(
  key: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): { review: ReviewFile; effect: FileEffect } {
  const [old, next] = [before && textOf(before), after && textOf(after)];
  const path = `store:${key}`;
  if ((before === undefined || old !== undefined) && (after === undefined || next !== undefined))
    return fileChange(path, old, next);
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return {
    review: { path, change, patch: "", bytes: (after ?? before)!.length },
    effect: {
      path,
      what: {
        before: before && Buffer.from(before).toString("base64"),
        after: after && Buffer.from(after).toString("base64"),
      },
    },
  };
}

const ready = (
  objects: readonly ObjectWrite[],
  review: readonly ReviewFile[],
  effects: readonly FileEffect[],
  event: string,
): PreparedEffect => ({
  kind: "ready",
  edits: [],
  objects,
  review,
  effect: effectId(effects),
  merged: false,
  events: [event],
  warnings: [],
});

function legalKey(make: () => string): string | ReturnType<typeof refusedEffect> {
  try {
    const key = make();
    const problem = keyProblem(key);
    if (problem === undefined) return key;
    return refusedEffect("VALIDATION_FAILED", {
      en: `the name cannot be kept: ${problem}`,
      uk: `назву не можна зберегти: ${problem}`,
    });
  } catch (error) {
    if (isFailure(error)) return { kind: "refused", failure: error };
    throw error;
  }
}

const ownerOnly = ({ moment: { by, agent } }: EffectContext): ReturnType<typeof refusedEffect> | undefined =>
  agent === undefined && by === "owner"
    ? undefined
    : refusedEffect("FORBIDDEN", {
        en: "only the owner can propose that something be taken away",
        uk: "запропонувати вилучення може лише власник",
      });

const noAgent = (slug: string): PreparedEffect =>
  refusedEffect("NOT_FOUND", { en: `there is no agent ${slug}`, uk: `немає агента ${slug}`, details: { agent: slug } });

const blocked = (key: string, by: string): PreparedEffect =>
  refusedEffect("DUPLICATE_ENTRY", {
    en: `${key} cannot be made: ${by} is in the way`,
    uk: `${key} не створити: на заваді ${by}`,
    hint: { en: "Propose it under another name.", uk: "Запропонуйте під іншою назвою." },
    details: { key, by },
  });

const otherBytes = (key: string, standing: string | undefined, replaces: string | undefined): PreparedEffect =>
  refusedEffect(standing !== undefined && replaces === undefined ? "DUPLICATE_ENTRY" : "CONCURRENT_MODIFICATION", {
    ...(standing === undefined
      ? { en: `${key} is gone, so nothing can take its place`, uk: `${key} вже немає, замінити нічого` }
      : replaces === undefined
        ? { en: `there is ${key} already`, uk: `${key} вже є` }
        : { en: `${key} was changed since`, uk: `${key} відтоді змінено` }),
    hint: {
      en: "Propose it under another name, or name the hash that it replaces.",
      uk: "Запропонуйте під іншою назвою або вкажіть хеш того, що воно замінює.",
    },
    details: { key, ...(standing !== undefined && { hash: standing }) },
  });
