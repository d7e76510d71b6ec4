import { Failure } from "../../base/failure.ts";
import type { Handler } from "./effect.ts";

/** M-4: what a `memory-update` would write under `memory/<agentId>/`, and the observations beside it in the store. */
export const memoryHandler: Handler<"memory-update"> = {
  async prepare() {
    return {
      kind: "refused",
      failure: new Failure("INTERNAL_ERROR", {
        en: "memory is not written yet",
        uk: "пам'ять ще не записується",
      }),
    };
  },
};
