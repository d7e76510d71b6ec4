import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { Oid } from "../../../../domain/git/git-names.ts";
import type { Merged, MergeOptions } from "../../../../ports/repo.ts";
import { type GitPlace, git } from "../process/git-process.ts";
import type { CommitHistory } from "./commit-history.ts";
import { unrelatedHistories } from "./failures.ts";
import { type MergeTreeOutput, mergeConflicts } from "./merge-conflicts.ts";
import type { ObjectType } from "./object-format.ts";
import { type ObjectReader, parseObject } from "./object-reader.ts";
import { type NewObject, newObject, type ObjectWriter } from "./object-writer.ts";

export interface MergeDeps {
  readonly place: GitPlace;
  readonly commonDir: string;
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly history: CommitHistory;
}

let counter = 0;

/**
 * Three-way merge without index or work tree. It runs in a temporary bare repository that borrows our objects, so that
 * uncommitted attributes and configured merge drivers cannot influence the result. Only the objects of a clean merge, or of one with
 * marked conflicts that the caller asked for, are copied over, synced.
 */
export async function mergeCommits(
  parts: MergeDeps,
  ours: Oid,
  theirs: Oid,
  { unrelated = false, marked = false }: MergeOptions = {},
): Promise<Merged> {
  const { place, commonDir, history } = parts;
  const base = await history.mergeBase(ours, theirs);
  if (base === undefined && !unrelated) throw unrelatedHistories(ours, theirs);
  if (base === theirs) return { kind: "up-to-date" };
  if (base === ours) return { kind: "fast-forward" };
  const folder = join(commonDir, `bloom-merge-${process.pid}-${counter++}`);
  await rm(folder, { recursive: true, force: true }); // left by a dead process with our pid
  const apart: GitPlace = { ...place, dir: folder };
  try {
    for (const name of ["objects", "refs"]) await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
    const shallow = join(commonDir, "shallow");
    const variables = {
      GIT_DIR: folder,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteFolder(join(commonDir, "objects")),
      GIT_NO_REPLACE_OBJECTS: "1",
      ...(existsSync(shallow) && { GIT_SHALLOW_FILE: shallow }),
    };
    const { code, stdout } = await git(
      apart,
      [
        "-c",
        "core.bare=true",
        "-c",
        "core.attributesFile=/dev/null",
        "-c",
        "merge.conflictStyle=merge",
        "merge-tree",
        "--write-tree",
        "-z",
        "--messages",
        ...(base === undefined ? ["--allow-unrelated-histories"] : []),
        ours,
        theirs,
      ],
      { variables, accept: [0, 1] },
    );
    const answer = parseAnswer(stdout.toString());
    const conflicts = code === 1 ? await mergeConflicts({ place: apart, variables }, answer, ours, theirs) : undefined;
    if (conflicts && !marked) return { kind: "conflict", conflicts };
    await copyObjects(parts, join(folder, "objects"));
    return conflicts ? { kind: "conflict", conflicts, tree: answer.tree } : { kind: "merged", tree: answer.tree };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `tree NUL (mode oid stage TAB path NUL)* NUL (count NUL path NUL … type NUL message NUL)*` */
function parseAnswer(text: string): MergeTreeOutput {
  const fields = text.split("\0");
  const tree = fields.shift()!;
  const sides: MergeTreeOutput["sides"][number][] = [];
  while (fields[0]) {
    const [head, path] = splitOnce(fields.shift()!, "\t");
    const [mode, oid, stage] = head.split(" ");
    sides.push({ mode: mode!, oid: oid!, stage: Number(stage), path });
  }
  fields.shift();
  const messages: MergeTreeOutput["messages"][number][] = [];
  while (fields[0]) {
    const count = Number(fields.shift());
    const paths = fields.splice(0, count);
    messages.push({ paths, type: fields.shift() ?? "", text: fields.shift() ?? "" });
  }
  return { tree, sides, messages };
}

const splitOnce = (text: string, by: string): [string, string] => {
  const at = text.indexOf(by);
  return [text.slice(0, at), text.slice(at + 1)];
};

async function copyObjects({ reader, writer }: MergeDeps, folder: string): Promise<void> {
  const objects: NewObject[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/^[0-9a-f]{38}$/.test(entry.name)) continue;
    const whole = inflateSync(await readFile(join(entry.parentPath, entry.name)));
    const end = whole.indexOf(0);
    objects.push(newObject(whole.toString("latin1", 0, end).split(" ")[0] as ObjectType, whole.subarray(end + 1)));
  }
  const order: ObjectType[] = ["blob", "tree", "commit", "tag"];
  await writer.write(objects.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type)));
  for (const { oid, type, bytes } of objects)
    reader.keep(oid, parseObject(oid, type, Buffer.from(bytes)), bytes.length);
}

/** Quotes a folder for a colon-separated list, as git expects it. */
const quoteFolder = (path: string): string => (/[:;"\\\n]/.test(path) ? `"${path.replace(/["\\]/g, "\\$&")}"` : path);
