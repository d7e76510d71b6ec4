import { compareUtf8 } from "../../base/order.ts";
import { decodedPart } from "./link-syntax.ts";
import type { NoteLink } from "./note-links.ts";

/**
 * Resolves links as Obsidian does. Names compare in lower case and in composed form (NFC). In order:
 * 1. `./` and `../` are relative to the note, and a leading `/` to the top: the exact path or nothing.
 * 2. A Markdown link is tried from the note's folder.
 * 3. The exact path from the top.
 * 4. Every file whose path ends in the written one: those below the note's folder before the others, the shortest path first.
 *
 * A name without a file of exactly this name is tried with `.md`; other files need their extension. Aliases and headings are
 * not names. Files in hidden folders (`.obsidian`, `.trash`) are not part of the vault.
 */
export interface LinkTargets {
  /** The paths with this file name, in lower case and composed form, in order of path. */
  readonly named: (fileName: string) => readonly string[];
}

type WrittenLink = Pick<NoteLink, "kind" | "target">;

/** The files of a vault, by file name. With `wanted`, only files with these names are kept. */
export function linkTargets(paths: Iterable<string>, wanted?: ReadonlySet<string>): LinkTargets {
  const known = new Map<string, string[]>();
  for (const path of paths) {
    const name = fileNameKey(path);
    if ((wanted && !wanted.has(name)) || isHidden(path)) continue;
    const there = known.get(name);
    if (there) there.push(path);
    else known.set(name, [path]);
  }
  for (const some of known.values()) some.sort(compareUtf8);
  return { named: (fileName) => known.get(fileName) ?? [] };
}

/** The path that a link in the note `from` leads to; undefined if it leads nowhere. */
export function resolveLink(targets: LinkTargets, from: string, link: WrittenLink): string | undefined {
  const written = plain(link.kind === "path" ? decodedPart(link.target) : link.target);
  if (written === "") return from;
  for (const name of fileNamesOf(written)) {
    const options = targets.named(name);
    if (options.length === 0) continue;
    const wanted = written.slice(0, written.length - lastPart(written).length) + name;
    const found = choose(options, from, wanted, link.kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The file names that a link can mean, in the form of `LinkTargets`, in order of preference. */
export const namesMeant = (link: WrittenLink): readonly string[] => {
  const written = plain(link.kind === "path" ? decodedPart(link.target) : link.target);
  return written === "" ? [] : fileNamesOf(written);
};

/** The key of a file in `LinkTargets`. */
export const fileNameKey = (path: string): string => plain(lastPart(path));

function choose(
  options: readonly string[],
  from: string,
  written: string,
  kind: WrittenLink["kind"],
): string | undefined {
  const exact = (wanted: string | undefined): string | undefined =>
    wanted === undefined ? undefined : options.find((path) => plain(path) === wanted);
  const folder = plain(from.slice(0, from.lastIndexOf("/") + 1));
  if (written.startsWith("/")) return exact(joined("", written));
  if (/^\.\.?\//.test(written)) return exact(joined(folder, written));
  const near = kind === "path" ? exact(joined(folder, written)) : undefined;
  return near ?? exact(joined("", written)) ?? closest(options, folder, written);
}

function closest(options: readonly string[], folder: string, written: string): string | undefined {
  const ending = options.filter((path) => plain(path).endsWith(`/${written}`));
  const isBelow = (path: string): boolean => folder !== "" && plain(path).startsWith(folder);
  return ending.toSorted((a, b) => Number(isBelow(b)) - Number(isBelow(a)) || a.length - b.length)[0];
}

/** Resolves `.` and `..`; undefined if the path leads out of the vault. */
function joined(folder: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${folder}${path}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** Obsidian's setting for the links that it writes. */
export type LinkFormat = "shortest" | "relative" | "absolute";

/** The target to write for a link from one file to another, in the given format; it resolves to `to`. */
export function targetFor(
  targets: LinkTargets,
  from: string,
  to: string,
  { kind, format }: { readonly kind: NoteLink["kind"]; readonly format: LinkFormat },
): string {
  const written = kind === "path" ? to : to.replace(/\.md$/i, "");
  const shortest = lastPart(written);
  const options = { shortest: [shortest, written], relative: [relativePath(from, written)], absolute: [written] };
  const spelled = options[format].map((target) => (kind === "path" ? encodedPath(target) : target));
  const leadsThere = (target: string): boolean => resolveLink(targets, from, { kind, target }) === to;
  return spelled.find(leadsThere) ?? (kind === "path" ? encodedPath(`/${written}`) : `/${written}`);
}

function relativePath(from: string, to: string): string {
  const [here, there] = [from.split("/").slice(0, -1), to.split("/")];
  let shared = 0;
  while (shared < Math.min(here.length, there.length - 1) && here[shared] === there[shared]) shared++;
  return [...here.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
}

const encodedPath = (path: string): string =>
  path.replaceAll(/[\s()<>%"#?\\]/g, (sign) => encodeURIComponent(sign).replace("(", "%28").replace(")", "%29"));

const fileNamesOf = (written: string): readonly string[] => {
  const name = lastPart(written);
  return name === "" ? [] : [name, `${name}.md`, `${name}.markdown`];
};
const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const plain = (path: string): string => path.normalize("NFC").replaceAll("\u00a0", " ").trim().toLowerCase();
const isHidden = (path: string): boolean => path.startsWith(".") || path.includes("/.");
