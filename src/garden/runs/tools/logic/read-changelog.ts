import { z } from "zod";
import { CHANGELOG_ENTRIES, changelogEntries } from "../../../../domain/logic/logic-changelog.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { readLogicState } from "../../../records/logic/logic-state.ts";
import { boundText } from "../bound-text.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess } from "../read-access.ts";
import { gardenTool } from "../tool.ts";

/** An optimizer reads the last five (source 000 §4.3). */
const DEFAULT_ENTRIES = 5;
const MAX_ENTRY = 6000;

export const readChangelogTool = gardenTool({
  name: "read-changelog",
  description: {
    en: "The last changes of an agent's logic, newest first: version, date, proposal, who, why, what, and the measured result where there is one.",
    uk: "Останні зміни логіки агента, спершу нові: версія, дата, пропозиція, хто, чому, що змінено, і виміряний результат, якщо він є.",
  },
  input: group({
    agent: agentField.nullish(),
    limit: z.int("entries").min(1, "entries").max(CHANGELOG_ENTRIES, "entries").default(DEFAULT_ENTRIES),
  }),
  idempotent: true,
  async call({ agent: whose, limit }, context) {
    const slug = await expectLogicAccess(context, whose);
    const { changelog, meta } = await readLogicState(context.garden.repo, context.commit, slug);
    const entries = changelogEntries(changelog ?? "", limit);
    return {
      agentId: slug,
      logicVersion: meta.logicVersion,
      summary: entries.map(({ version, fields }) => `${version}: ${ended(fields.get("Причина") ?? "?")}`).join(" "),
      entries: entries.map(({ version, date, text, fields }) => ({
        version,
        date: date ?? null,
        proposal: fields.get("Proposal") ?? null,
        initiator: fields.get("Ініціатор") ?? null,
        reason: fields.get("Причина") ?? null,
        change: fields.get("Зміна") ?? null,
        result: [...fields].find(([name]) => /^(?:Результат|Result after) /.test(name))?.[1] ?? null,
        text: boundText(text, context.language, MAX_ENTRY),
      })),
    };
  },
});

const MAX_REASON = 200;

const ended = (reason: string): string =>
  `${reason
    .slice(0, MAX_REASON)
    .toWellFormed()
    .replace(/[\s.]+$/, "")}.`;
