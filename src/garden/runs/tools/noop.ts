import { group } from "../../../domain/text/checked-yaml.ts";
import { reasonField } from "./input-fields.ts";
import { gardenTool } from "./tool.ts";

/** Always available: a run that changes nothing says why (R-5a). */
export const noopTool = gardenTool({
  name: "noop",
  description: {
    en: "Say that nothing needs to change, and why. Call it once, at the end, instead of a proposal.",
    uk: "Скажи, що змінювати нічого не треба, і чому. Виклич один раз, наприкінці, замість пропозиції.",
  },
  input: group({ reason: reasonField }),
  idempotent: true,
  call: async ({ reason: why }) => ({ noop: true, reason: why }),
});
