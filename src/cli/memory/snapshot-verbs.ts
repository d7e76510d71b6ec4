import { basename, dirname } from "node:path";
import { Failure } from "../../base/failure.ts";
import { type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { archiveText, readArchive } from "../../domain/memory/memory-archive.ts";
import { listSnapshots, takeSnapshot } from "../../garden/agents/memory/memory-snapshot.ts";
import { proposeRestore } from "../../garden/agents/memory/propose-restore.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { carriedOut, waiting } from "../notes/carried-out.ts";
import { wrongUse } from "../parse.ts";
import { textOfOption } from "../proposals/written-text.ts";
import { when } from "../rows.ts";
import { mainAnd } from "./read-verbs.ts";

/** Into the store; with `--out`, into a file of the person's too, which is never written over another. */
export async function snapshotMemory(context: Context, garden: Garden, [slug]: readonly string[]): Promise<Report> {
  const { id, archive } = await takeSnapshot(garden, await mainAnd(garden, slug!), slug!);
  const out = textOption(context, "out");
  if (out !== undefined) {
    const path = context.path(out);
    const text = Buffer.from(archiveText(archive));
    if ((await context.ground.folders.at(dirname(path)).create(basename(path), text)) === "taken") throw taken(out);
  }
  const { commit, version, files, digest } = archive;
  return {
    text: {
      en: `${id}: version ${version}, ${Object.keys(files).length} files${out === undefined ? "" : ` → ${out}`}. \`bloom memory restore ${slug} ${id}\` proposes to go back to it.`,
      uk: `${id}: версія ${version}, файлів ${Object.keys(files).length}${out === undefined ? "" : ` → ${out}`}. \`bloom memory restore ${slug} ${id}\` запропонує до нього повернутися.`,
    },
    json: { snapshot: id, agentId: slug, commit, version, digest, files: Object.keys(files) },
  };
}

export async function snapshotsOfMemory(context: Context, garden: Garden, [slug]: readonly string[]): Promise<Report> {
  await mainAnd(garden, slug!);
  const snapshots = await listSnapshots(garden.store, slug!);
  const { style } = context;
  const lines = snapshots.map(({ id, at, version, commit, damaged }) =>
    damaged
      ? `${id}  ${style.red("damaged / пошкоджено")}`
      : `${id}  v${version}  ${when(Date.parse(at))}  ${style.cyan(commit.slice(0, 10))}`,
  );
  const none: Text = { en: "No snapshots yet.", uk: "Знімків ще немає." };
  return {
    text: lines.length === 0 ? none : verbatim(lines.join("\n")),
    json: { agentId: slug, snapshots },
    asked: true,
  };
}

/** A proposal like any other; with `--approve` the person who asks decides at once. */
export async function restoreMemory(context: Context, garden: Garden, words: readonly string[]): Promise<Report> {
  const [slug, from] = words;
  const file = textOption(context, "file");
  if ((from === undefined) === (file === undefined)) throw fromWhat(slug!);
  await mainAnd(garden, slug!);
  const reason = textOption(context, "reason");
  const received = await proposeRestore(garden, {
    slug: slug!,
    identity: commandLineOwner,
    from: from ?? readArchive((await textOfOption(context, "file"))!, file!),
    reasoning: reason,
  });
  const atOnce = context.options["approve"] === true;
  return atOnce ? carriedOut(context, garden, received, reason) : waiting(context, garden, received);
}

const taken = (file: string): Failure =>
  new Failure(
    "DUPLICATE_ENTRY",
    { en: `${file} is there already`, uk: `${file} уже є` },
    {
      hint: { en: "Choose another name.", uk: "Виберіть іншу назву." },
      details: { file },
    },
  );
const fromWhat = (slug: string): Failure =>
  wrongUse(
    {
      en: "memory restore: one of a snapshot, commit or date, and --file",
      uk: "memory restore: знімок, коміт чи дата або --file, щось одне",
    },
    { en: `\`bloom memory snapshots ${slug}\` lists snapshots.`, uk: `Знімки: \`bloom memory snapshots ${slug}\`.` },
  );
