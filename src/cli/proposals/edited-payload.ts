import { Failure } from "../../base/failure.ts";
import type { Operation } from "../../domain/proposal/operation.ts";
import type { Context } from "../command.ts";
import { listOption } from "./propose-verbs.ts";
import { asJson, neededText, textOfOption } from "./written-text.ts";

/**
 * The payload of an edited copy: the first one's with another text (or other tags), or all of it from `--payload FILE`.
 */
export async function editedPayload(
  context: Context,
  { action, payload }: Operation,
  file: string | undefined,
): Promise<unknown> {
  const whole = await textOfOption(context, "payload");
  if (whole !== undefined) return asJson(whole, "--payload");
  switch (action) {
    case "propose-note":
    case "propose-edit":
    case "propose-comment":
    case "propose-summary":
      return { ...payload, text: await neededText(context, file) };
    case "propose-tag":
      return {
        path: payload.path,
        add: listOption(context, "add") ?? payload.add,
        remove: listOption(context, "remove") ?? payload.remove,
      };
    case "propose-artifact": {
      const { body: _, ...rest } = payload;
      return { ...rest, text: await neededText(context, file) };
    }
    default:
      throw new Failure(
        "VALIDATION_FAILED",
        { en: `a ${action} is edited as a whole`, uk: `${action} редагують цілком` },
        { hint: { en: "Use --payload FILE.json.", uk: "Вкажіть --payload ФАЙЛ.json." } },
      );
  }
}
