import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import { resolveProposalId } from "../../garden/changes/proposals/list-proposals.ts";
import { type ResolvedTexts, resolveMerge } from "../../garden/changes/proposals/resolve-merge.ts";
import { MAX_OBJECT_BYTES } from "../../ports/store.ts";
import type { CommandContext } from "../command.ts";
import { usageError } from "../failures.ts";
import { textOption, textsOption } from "../options.ts";
import type { Subcommand } from "../subcommands.ts";
import { proposalText } from "./print-proposal.ts";
import { decodeText } from "./read-text.ts";

/** `bloom proposals resolve`: the texts of all files in conflict. Shows the new proposal, which still waits for a decision. */
export const resolveProposal: Subcommand["run"] = async (context, garden, [written]) => {
  const id = await resolveProposalId(garden, written!);
  const files = await givenTexts(context);
  const note = textOption(context, "reason");
  const { first, proposal } = await resolveMerge(garden, { proposal: id, by: commandLineOwner, files, note });
  const review = await reviewProposal(garden, proposal);
  return {
    text: proposalText(proposal, review, context.style, true),
    json: { proposal, first, digest: review.digest },
  };
};

async function givenTexts(context: CommandContext): Promise<ResolvedTexts> {
  const files: Record<string, string | null> = {};
  for (const given of textsOption(context, "with")) {
    const at = given.indexOf("=");
    if (at <= 0 || at === given.length - 1) throw notAPair(given);
    const file = context.path(given.slice(at + 1));
    const bytes = await context.ground.folders.at(dirname(file)).read(basename(file), MAX_OBJECT_BYTES);
    if (!bytes) throw new Failure("NOT_FOUND", { en: `no such file: ${file}`, uk: `немає файлу ${file}` });
    files[given.slice(0, at)] = decodeText(bytes, file);
  }
  for (const path of textsOption(context, "delete")) files[path] = null;
  return files;
}

const notAPair = (given: string): Failure =>
  usageError(
    { en: `--with: ${given} is not PATH=FILE`, uk: `--with: ${given} — не ШЛЯХ=ФАЙЛ` },
    {
      en: "Write the path of the garden, then the file with its text: --with notes/a.md=/tmp/a.md",
      uk: "Вкажіть шлях у саду, тоді файл із текстом: --with notes/a.md=/tmp/a.md",
    },
  );
