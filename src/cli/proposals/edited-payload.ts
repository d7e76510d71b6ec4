import { Failure } from "../../base/failure.ts";
import type { Operation } from "../../domain/proposal/operation.ts";
import type { CommandContext } from "../command.ts";
import { listOption } from "../options.ts";
import { decodeJson, readOptionFile, requireInputText } from "./read-text.ts";

/** The payload of an edited copy: the original with a new text or new tags, or all of it from `--payload FILE`. */
export async function editedPayload(
  context: CommandContext,
  { action, payload }: Operation,
  file: string | undefined,
): Promise<unknown> {
  const whole = await readOptionFile(context, "payload");
  if (whole !== undefined) return decodeJson(whole, "--payload");
  switch (action) {
    case "propose-note":
    case "propose-edit":
    case "propose-comment":
    case "propose-summary":
      return { ...payload, text: await requireInputText(context, file) };
    case "propose-tag":
      return {
        path: payload.path,
        add: listOption(context, "add") ?? payload.add,
        remove: listOption(context, "remove") ?? payload.remove,
      };
    case "propose-artifact": {
      const { body: _, ...rest } = payload;
      return { ...rest, text: await requireInputText(context, file) };
    }
    default:
      throw new Failure("VALIDATION_FAILED", {
        en: `${action} can only be edited as a whole`,
        uk: `${action} редагують цілком`,
        hint: { en: "Use --payload FILE.json.", uk: "Вкажіть --payload ФАЙЛ.json." },
      });
  }
}
