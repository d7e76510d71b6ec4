import { lstatSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { agentParts } from "../../../domain/layout.ts";
import { type Disk, ownFileMark } from "./disk.ts";

/**
 * A disk on which the files of agents that people write (`agents/<slug>/_agent.md`, …) lie in another folder than the rest of the
 * store (G-1a): in the work tree, where people see them and git keeps their history. The two folders look like one.
 *
 * The work tree may come from elsewhere (a clone), so symbolic links in it are never followed: a link is neither a file nor a folder.
 */
export function agentsDisk(disk: Disk, root: string, agents: string): Disk {
  const prefix = join(root, "agents");
  const crossedJustNow = linkFinder();
  const at = (path: string): Located => locate(prefix, agents, path.endsWith(sep) ? path.slice(0, -1) : path);
  const readable = <T>(path: string, call: (real: string) => T): T | undefined => {
    const { real, inTree } = at(path);
    return inTree && crossedJustNow(agents, real) ? undefined : call(real);
  };
  const hasAgents = (): boolean => !crossesLink(agents, agents) && disk.kind(agents) === "folder";
  return {
    ...disk,
    read: (path) => readable(path, (real) => disk.read(real)),
    size: (path) => readable(path, (real) => disk.size(real)),
    fileMark(path) {
      const { real, inTree } = at(path);
      if (!inTree) return disk.fileMark(real);
      return crossedJustNow(agents, dirname(real)) ? undefined : ownFileMark(real);
    },
    kind(path) {
      const { real, inTree, shared } = at(path);
      if (inTree) return crossesLink(agents, real) ? "other" : disk.kind(real);
      return disk.kind(real) ?? (shared && !crossesLink(agents, shared) ? folderOnly(disk, shared) : undefined);
    },
    names(path) {
      const { real, inTree, shared } = at(path);
      if (inTree) return crossesLink(agents, real) ? undefined : disk.names(real);
      const own = disk.names(real);
      if (real === root && !own?.some(({ name }) => name === "agents") && hasAgents())
        return [...(own ?? []), { name: "agents", folder: true }];
      if (shared === undefined) return own;
      const seen = crossesLink(agents, shared) ? undefined : disk.names(shared);
      if (!own && !seen) return undefined;
      // The folder of all agents lists every subfolder; the folder of one agent lists only the names that belong to the tree.
      const ofTree = shared === agents ? (seen ?? []).filter(({ folder }) => folder) : (seen ?? []).filter(isPart);
      const ofStore = shared === agents ? (own ?? []) : (own ?? []).filter((entry) => !isPart(entry));
      return [...new Map([...ofTree, ...ofStore].map((entry) => [entry.name, entry])).values()];
    },
    stamp(path) {
      const { real, inTree, shared } = at(path);
      if (inTree && crossesLink(agents, real)) return 0;
      const other = real === root ? agents : shared;
      return Math.max(disk.stamp(real), other === undefined ? 0 : disk.stamp(other));
    },
    makeFolder: (path) => disk.makeFolder(at(path).real),
    rename(from, to) {
      const source = at(from).real;
      const target = at(to).real;
      try {
        disk.rename(source, target);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        disk.makeFolder(dirname(target)); // a shared folder may exist on the other side only
        disk.rename(source, target);
      }
    },
    remove: (path) => disk.remove(at(path).real),
    removeFolder(path) {
      const { real, shared } = at(path);
      const isGone = disk.removeFolder(real);
      if (shared === undefined || shared === agents) return isGone;
      const isTreeGone = disk.removeFolder(shared);
      return (isGone || isTreeGone) && disk.kind(real) === undefined && disk.kind(shared) === undefined;
    },
    sync(path) {
      const { real, shared } = at(path);
      disk.sync(real);
      if (shared !== undefined) disk.sync(shared);
      if (shared === agents) disk.sync(dirname(agents));
    },
  };
}

interface Located {
  readonly real: string;
  /** The path is in the work tree. */
  readonly inTree: boolean;
  /** A folder whose entries are partly in the store (`real`) and partly here. */
  readonly shared: string | undefined;
}

/** `prefix`: the folder of the agents in the store. */
function locate(prefix: string, agents: string, path: string): Located {
  if (path === prefix) return { real: path, inTree: false, shared: agents };
  if (!path.startsWith(`${prefix}${sep}`)) return { real: path, inTree: false, shared: undefined };
  const [slug, part, ...below] = path.slice(prefix.length + 1).split(sep);
  if (part === undefined) return { real: path, inTree: false, shared: join(agents, slug!) };
  const belongs = below.length === 0 ? isPart({ name: part }) : isPartFolder(part);
  if (!belongs) return { real: path, inTree: false, shared: undefined };
  return { real: join(agents, slug!, part, ...below), inTree: true, shared: undefined };
}

const isPartFolder = (name: string): boolean => (agentParts.folders as readonly string[]).includes(name);
const isPart = ({ name }: { readonly name: string }): boolean =>
  isPartFolder(name) || (agentParts.files as readonly string[]).includes(name);

const folderOnly = (disk: Disk, path: string): "folder" | undefined =>
  disk.kind(path) === "folder" ? "folder" : undefined;

/** True if the path, or a folder on the way to it from `agents`, is a symbolic link. `path` is `agents` or below it. */
function crossesLink(
  agents: string,
  path: string,
  isKnown: (part: string) => boolean = () => false,
  note: (part: string) => void = () => undefined,
): boolean {
  for (let end = agents.length; end !== -1; end = end === path.length ? -1 : nextEnd(path, end + 1)) {
    const part = path.slice(0, end);
    if (isKnown(part)) continue;
    const seen = lstatSync(part, { throwIfNoEntry: false });
    if (!seen) return false;
    if (seen.isSymbolicLink()) return true;
    if (seen.isDirectory()) note(part);
  }
  return false;
}

/**
 * `crossesLink` for readings: a folder that was none a moment ago is not looked at again. Between a look and the reading of a file, as much
 * time may pass. Not for writings: they would go out of the work tree.
 */
function linkFinder(): (agents: string, path: string) => boolean {
  const folders = new Map<string, number>();
  const isKnown = (part: string): boolean =>
    performance.now() - (folders.get(part) ?? Number.NEGATIVE_INFINITY) < JUST_NOW_MS;
  const note = (part: string): void => {
    if (folders.size >= MAX_FOLDERS) folders.clear();
    folders.set(part, performance.now());
  };
  return (agents, path) => crossesLink(agents, path, isKnown, note);
}

const JUST_NOW_MS = 20;
const MAX_FOLDERS = 1000;

const nextEnd = (path: string, from: number): number => {
  const at = path.indexOf(sep, from);
  return at === -1 ? path.length : at;
};
