import { z } from "zod";
import { assert } from "../../../base/assert.ts";
import { across } from "../../../domain/intent/intent-fields.ts";
import { MAX_OPTIONS, MAX_QUESTION, requestForms } from "../../../domain/run/request.ts";
import { group } from "../../../domain/text/checked-yaml.ts";
import { gardenTool } from "./tool.ts";

/**
 * Asks a person (O-6). The journal does the work (`runs/call-journal.ts`): it records the question, holds the run, and returns the
 * answer as the result. This definition is for the schema: its `call` is never called.
 */
export const askHumanTool = gardenTool({
  name: "ask-human",
  description: {
    en: "Ask a person and wait for the answer, however long it takes. Forms: text → {text}, number → {number}, choice with options → {choice}, review → {decision: approve|reject, comment?}.",
    uk: "Запитай людину й дочекайся відповіді, скільки б це не тривало. Форми: text → {text}, number → {number}, choice з options → {choice}, review → {decision: approve|reject, comment?}.",
  },
  input: group({
    question: z.string("question").min(1, "question").max(MAX_QUESTION, "question"),
    form: z.enum(requestForms, "form").default("text"),
    options: z
      .array(z.string("options").min(1, "options").max(500, "options"), "options")
      .min(1, "options")
      .max(MAX_OPTIONS, "options")
      .optional(),
    values: z.record(z.string(), z.json(), "values").optional(),
  }).refine(
    ...across(
      (fields) => (fields["form"] === "choice") === (fields["options"] !== undefined),
      "options-of-choice",
      "options",
    ),
  ),
  idempotent: true,
  async call() {
    assert(false, "the journal answers ask-human");
  },
});
