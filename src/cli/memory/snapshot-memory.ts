import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { archiveText, readArchive } from "../../domain/memory/memory-archive.ts";
import { listSnapshots, takeSnapshot } from "../../garden/agents/memory/memory-snapshot.ts";
import { proposeRestore } from "../../garden/agents/memory/propose-restore.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import { approveOwnChange, reportPending } from "../proposals/approve-own-change.ts";
import { readOptionFile } from "../proposals/read-text.ts";
import type { Subcommand } from "../subcommands.ts";
import { formatTime } from "../text-layout.ts";
import { requireMemory } from "./show-memory.ts";

/** Archives the memory in the store; with `--out` also in a new file. Throws if the file exists. */
export const snapshotMemory: Subcommand["run"] = async (context, garden, [slug]) => {
  const { id, archive } = await takeSnapshot(garden, await requireMemory(garden, slug!), slug!);
  const out = textOption(context, "out");
  if (out !== undefined) {
    const path = context.path(out);
    const text = Buffer.from(archiveText(archive));
    if ((await context.ground.folders.at(dirname(path)).create(basename(path), text)) === "taken")
      throw fileExists(out);
  }
  const { commit, version, files, digest } = archive;
  return {
    text: {
      en: `${id}: version ${version}, ${Object.keys(files).length} files${out === undefined ? "" : ` → ${out}`}. \`bloom memory restore ${slug} ${id}\` proposes to return to it.`,
      uk: `${id}: версія ${version}, файлів ${Object.keys(files).length}${out === undefined ? "" : ` → ${out}`}. \`bloom memory restore ${slug} ${id}\` запропонує до нього повернутися.`,
    },
    json: { snapshot: id, agentId: slug, commit, version, digest, files: Object.keys(files) },
  };
};

export const listMemorySnapshots: Subcommand["run"] = async (context, garden, [slug]) => {
  await requireMemory(garden, slug!);
  const snapshots = await listSnapshots(garden.store, slug!);
  const { style } = context;
  const lines = snapshots.map(({ id, at, version, commit, damaged }) =>
    damaged
      ? `${id}  ${style.red("damaged / пошкоджено")}`
      : `${id}  v${version}  ${formatTime(at)}  ${style.cyan(commit.slice(0, 10))}`,
  );
  const none: Text = { en: "No snapshots yet.", uk: "Знімків ще немає." };
  return {
    text: lines.length === 0 ? none : verbatim(lines.join("\n")),
    json: { agentId: slug, snapshots },
    asked: true,
  };
};

/** Proposes to restore an earlier state; with `--approve` it is approved at once. */
export const restoreMemory: Subcommand["run"] = async (context, garden, words) => {
  const [slug, from] = words;
  const file = textOption(context, "file");
  if ((from === undefined) === (file === undefined)) throw sourceRequired(slug!);
  await requireMemory(garden, slug!);
  const reason = textOption(context, "reason");
  const received = await proposeRestore(garden, {
    slug: slug!,
    identity: commandLineOwner,
    from: from ?? readArchive((await readOptionFile(context, "file"))!, file!),
    reasoning: reason,
  });
  const atOnce = context.options["approve"] === true;
  return atOnce ? approveOwnChange(context, garden, received, reason) : reportPending(context, garden, received);
};

const fileExists = (file: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${file} already exists`,
    uk: `${file} уже є`,
    hint: { en: "Choose another name.", uk: "Виберіть іншу назву." },
    details: { file },
  });
const sourceRequired = (slug: string): Failure =>
  usageError(
    {
      en: "memory restore: give either a snapshot, commit or date, or --file",
      uk: "memory restore: знімок, коміт чи дата або --file, щось одне",
    },
    { en: `Snapshots: \`bloom memory snapshots ${slug}\`.`, uk: `Знімки: \`bloom memory snapshots ${slug}\`.` },
  );
