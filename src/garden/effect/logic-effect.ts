import { Failure } from "../../base/failure.ts";
import type { Handler, Prepared } from "./effect.ts";

/** L-3: what a `logic-update` would write under `logic/<agentId>/`. */
export const logicUpdateHandler: Handler<"logic-update"> = {
  async prepare() {
    return notYet();
  },
};

/** L-7: a rollback is a new version with the old content. */
export const logicRollbackHandler: Handler<"logic-rollback"> = {
  async prepare() {
    return notYet();
  },
};

const notYet = (): Prepared => ({
  kind: "refused",
  failure: new Failure("INTERNAL_ERROR", {
    en: "logic is not written yet",
    uk: "логіка ще не записується",
  }),
});
