import { assert } from "../../../base/assert.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import type { EffectContext, Handler, Handlers, Prepared } from "./effect.ts";
import { refused } from "./failures.ts";
import { logicRollbackHandler, logicUpdateHandler } from "./logic-effect.ts";
import { memoryHandler } from "./memory-effect.ts";
import { editHandler, noteHandler, tagHandler } from "./note-effects.ts";
import { artifactHandler, commentHandler, summaryHandler } from "./object-effects.ts";

const mergeHandler: Handler<"propose-merge"> = {
  prepare: async () =>
    refused("VALIDATION_FAILED", {
      en: "sessions come later: this bloom cannot merge a session branch yet",
      uk: "сесії з'являться пізніше: цей bloom ще не вміє зливати гілку сесії",
    }),
};

/** One row per action: a new action does not compile until it says what it does. */
const handlers: Handlers = {
  "propose-note": noteHandler,
  "propose-edit": editHandler,
  "propose-tag": tagHandler,
  "propose-comment": commentHandler,
  "propose-summary": summaryHandler,
  "propose-artifact": artifactHandler,
  "memory-update": memoryHandler,
  "logic-update": logicUpdateHandler,
  "logic-rollback": logicRollbackHandler,
  "propose-merge": mergeHandler,
};

/** What an operation would do to the garden at `context.head`. Writes nothing, and may be asked any number of times. */
export async function prepareEffect(context: EffectContext, operation: Operation): Promise<Prepared> {
  const handler = handlers[operation.action] as Handler<Action>;
  const prepared = await handler.prepare(context, operation);
  if (prepared.kind === "ready") {
    const single = prepared.edits.length === 0 || prepared.objects.length === 0;
    assert(single, "an effect is in git or in the store, not both");
  }
  return prepared;
}
