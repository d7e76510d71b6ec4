import { type Failure, isFailure } from "../../base/failure.ts";
import { joined, type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { agentFilePath, contractKey, machine as machineFiles } from "../../domain/layout.ts";
import { unifiedPatch } from "../../domain/note/line-hunks.ts";
import { checkedEdit, editContract } from "../../garden/agents/edit-contract.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { driftIn } from "../../garden/records/agents/agent-diagrams.ts";
import { noAgent } from "../../garden/records/agents/read-agent.ts";
import { MAX_OBJECT_BYTES, type Stored } from "../../ports/store.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import { fileLines } from "../proposals/print-proposal.ts";
import { decodeText, readInputText } from "../proposals/read-text.ts";

type Ask = (question: string) => Promise<string>;

/**
 * Edits a contract: in the person's editor, on a private copy that is checked and shown before it counts, or by `--file`. The agent's
 * file is unchanged until the person has said yes; the copy is removed in any case.
 */
export async function editAgent(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const stored = await garden.store.get(contractKey(slug));
  if (!stored) throw noAgent(slug);
  const given = await readInputText(context, textOption(context, "file"));
  if (given !== undefined) return saved(context, garden, slug, given, stored);
  const { machine } = context;
  if (!machine.editFile || !machine.ask) throw noEditor(garden, slug);
  const id = Buffer.from(garden.world.random(6)).toString("hex");
  const copy = `${machineFiles.temporary}/edit-${id}/_agent.md`;
  try {
    await garden.folder.write(copy, [stored.bytes], "private");
    return await editUntilSaved(context, garden, slug, {
      ask: (question) => machine.ask!(question, { fresh: true }),
      async edit() {
        await machine.editFile!(`${garden.dir}/${copy}`);
        const bytes = await garden.folder.read(copy, MAX_OBJECT_BYTES);
        return bytes && decodeText(bytes, "_agent.md");
      },
    });
  } finally {
    await garden.folder.removeAll(copy.replace(/\/[^/]*$/, ""));
  }
}

interface Editing {
  readonly ask: Ask;
  /** Undefined if the person removed the file. */
  readonly edit: () => Promise<string | undefined>;
}

async function editUntilSaved(
  context: CommandContext,
  garden: Garden,
  slug: string,
  { ask, edit }: Editing,
): Promise<CommandReport> {
  for (;;) {
    const text = await edit();
    const now = await garden.store.get(contractKey(slug));
    if (!now) throw noAgent(slug);
    const before = Buffer.from(now.bytes).toString();
    if (text === undefined || text === before) return nothingChanged(slug);
    const problem = problemWith(slug, text, before);
    if (problem) context.say(problem.text);
    else context.say(verbatim(difference(context, garden, slug, before, text).join("\n")));
    const answer = (await ask((problem ? EDIT_AGAIN : SAVE)[context.language])).trim().toLowerCase();
    if (problem ? answer === "y" : answer === "e") continue;
    if (problem || answer !== "y") return nothingChanged(slug);
    return saved(context, garden, slug, text, now);
  }
}

const EDIT_AGAIN: Text = {
  en: "\nThe contract is invalid. y edit again, n discard: ",
  uk: "\nКонтракт не відповідає правилам. y редагувати далі, n відкинути: ",
};
const SAVE: Text = {
  en: "\ny save, e edit again, n discard: ",
  uk: "\ny зберегти, e редагувати далі, n відкинути: ",
};

function problemWith(slug: string, text: string, before: string): Failure | undefined {
  try {
    checkedEdit(slug, text, before);
    return undefined;
  } catch (error) {
    if (isFailure(error, "VALIDATION_FAILED")) return error;
    throw error;
  }
}

const pathOf = ({ config }: Garden, slug: string): string => agentFilePath(config.agents_root, contractKey(slug))!;

function difference(context: CommandContext, garden: Garden, slug: string, before: string, after: string): string[] {
  const path = pathOf(garden, slug);
  return fileLines({ path, change: "changed", patch: unifiedPatch(path, before, after) }, context.style);
}

/** Throws CONCURRENT_MODIFICATION if the file is no longer the one that was compared. */
async function saved(
  context: CommandContext,
  garden: Garden,
  slug: string,
  text: string,
  base: Stored,
): Promise<CommandReport> {
  const reason = textOption(context, "reason");
  const made = await editContract(garden, { slug, text, base: base.hash, by: commandLineOwner, reason });
  if (!made.changed) return nothingChanged(slug);
  const drift = await driftIn(garden.store, { slug, text, generatedFrom: made.contract.generated_from });
  const place: Text =
    made.commit === undefined
      ? {
          en: "git is busy or has uncommitted edits of this file: the commit follows",
          uk: "git зайнятий або має незакомічені правки цього файлу: коміт буде згодом",
        }
      : { en: `commit ${made.commit.slice(0, 10)}`, uk: `коміт ${made.commit.slice(0, 10)}` };
  const head: Text = {
    en: `Saved ${pathOf(garden, slug)} (${place.en}). The next run uses it.`,
    uk: `Збережено ${pathOf(garden, slug)} (${place.uk}). Його візьме наступний запуск.`,
  };
  const warnings = drift.map(({ message }): Text => ({ en: `! ${message.en}`, uk: `! ${message.uk}` }));
  return { text: joined([head, ...warnings], "\n"), json: { ...made, drift } };
}

const nothingChanged = (slug: string): CommandReport => ({
  text: { en: `${slug}: nothing was changed.`, uk: `${slug}: нічого не змінено.` },
  json: { slug, changed: false },
});

const noEditor = (garden: Garden, slug: string): Failure =>
  usageError(
    {
      en: "`bloom agent edit` needs a terminal and an editor ($VISUAL or $EDITOR)",
      uk: "для `bloom agent edit` потрібні термінал і редактор ($VISUAL або $EDITOR)",
    },
    (garden.config.store.kind === "directory" ? editFileYourself : giveChangedCopy)(slug, pathOf(garden, slug)),
  );

const editFileYourself = (slug: string, path: string): Text => ({
  en: `Edit ${path} yourself, then \`bloom agent check ${slug}\`; or give the new file: \`bloom agent edit ${slug} --file FILE\`.`,
  uk: `Відредагуйте ${path} самі, тоді \`bloom agent check ${slug}\`; або подайте новий файл: \`bloom agent edit ${slug} --file ФАЙЛ\`.`,
});

/** With a bucket, an edit of the file itself has no effect. */
const giveChangedCopy = (slug: string, path: string): Text => ({
  en: `Change a copy of ${path} and give it: \`bloom agent edit ${slug} --file FILE\`.`,
  uk: `Змініть копію ${path} і подайте її: \`bloom agent edit ${slug} --file ФАЙЛ\`.`,
});
