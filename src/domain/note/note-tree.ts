import { compareUtf8 } from "../../base/order.ts";

/** The folders of a set of paths with their contents. Each call costs as much as it returns, not as much as the tree holds. */
export interface NoteTree {
  readonly add: (path: string) => void;
  readonly remove: (path: string) => void;
  readonly has: (path: string) => boolean;
  /** Number of notes in a folder ("" is the top), at any depth. */
  readonly count: (folder: string) => number;
  /** Names of folders in a folder, sorted, after `after`; lazy. */
  readonly folders: (folder: string, after?: string) => Iterable<string>;
  /** Names of notes in it, likewise. */
  readonly notes: (folder: string, after?: string) => Iterable<string>;
}

interface Inside {
  readonly folders: string[];
  readonly notes: string[];
  count: number;
}

export function newNoteTree(): NoteTree {
  const known = new Map<string, Inside>();
  const nodeOf = (folder: string): Inside => {
    const there = known.get(folder);
    if (there) return there;
    const made: Inside = { folders: [], notes: [], count: 0 };
    known.set(folder, made);
    if (folder !== "") put(nodeOf(parentOf(folder)).folders, nameOf(folder));
    return made;
  };
  return {
    add: (path) => {
      const folder = parentOf(path);
      if (!put(nodeOf(folder).notes, nameOf(path))) return;
      for (const above of foldersAbove(path)) known.get(above)!.count++;
    },
    remove: (path) => {
      const node = known.get(parentOf(path));
      if (!node || !take(node.notes, nameOf(path))) return;
      for (const above of foldersAbove(path)) {
        const inside = known.get(above)!;
        inside.count--;
        if (inside.count > 0 || above === "") continue;
        known.delete(above);
        take(known.get(parentOf(above))!.folders, nameOf(above));
      }
    },
    has: (path) => {
      const notes = known.get(parentOf(path))?.notes;
      return notes !== undefined && notes[placeOf(notes, nameOf(path))] === nameOf(path);
    },
    count: (folder) => known.get(folder)?.count ?? 0,
    folders: (folder, after) => behind(known.get(folder)?.folders ?? [], after),
    notes: (folder, after) => behind(known.get(folder)?.notes ?? [], after),
  };
}

function* behind(names: readonly string[], after: string | undefined): Generator<string> {
  let place = after === undefined ? 0 : placeOf(names, after);
  if (after !== undefined && names[place] === after) place++;
  for (; place < names.length; place++) yield names[place]!;
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** From the innermost folder to the top. */
function* foldersAbove(path: string): Generator<string> {
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) yield folder;
  yield "";
}

/** The index of a name, or the index to insert it at. */
function placeOf(names: readonly string[], name: string): number {
  let [low, high] = [0, names.length];
  // Names mostly arrive sorted: then they belong at the end.
  if (high === 0 || compareUtf8(names[high - 1]!, name) < 0) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareUtf8(names[middle]!, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function put(names: string[], name: string): boolean {
  const place = placeOf(names, name);
  if (names[place] === name) return false;
  names.splice(place, 0, name);
  return true;
}

function take(names: string[], name: string): boolean {
  const place = placeOf(names, name);
  if (names[place] !== name) return false;
  names.splice(place, 1);
  return true;
}
