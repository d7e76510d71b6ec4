import { assert } from "../../../base/assert.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import type { EffectContext, EffectHandler, EffectHandlers, PreparedEffect } from "./effect.ts";
import { logicRollbackHandler, logicUpdateHandler } from "./logic-effect.ts";
import { memoryHandler } from "./memory-effect.ts";
import { mergeHandler } from "./merge-effect.ts";
import { editHandler, noteHandler, tagHandler } from "./note-effects.ts";
import { artifactHandler, commentHandler, summaryHandler } from "./object-effects.ts";

/** One row per action: a new action does not compile without its handler. */
const handlers: EffectHandlers = {
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

/** The effect of an operation on the garden at `context.head`. Writes nothing; repeatable. */
export async function prepareEffect(context: EffectContext, operation: Operation): Promise<PreparedEffect> {
  const handler = handlers[operation.action] as EffectHandler<Action>;
  const prepared = await handler.prepare(context, operation);
  if (prepared.kind === "ready") {
    const single = prepared.edits.length === 0 || prepared.objects.length === 0;
    assert(single, "an effect is in git or in the store, not both");
  }
  return prepared;
}
