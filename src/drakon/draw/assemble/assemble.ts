import type { Icon } from "../../diagram/diagram.ts";
import type { IconId } from "../../icon-id.ts";
import type { Picture } from "../picture.ts";
import type { SizeOf } from "../place/node-sizes.ts";
import { placeBlock } from "../place/place-block.ts";
import { buildSkeleton } from "../skeleton/build-skeleton.ts";
import { branchesOf, unreachableRoots } from "../skeleton/roots.ts";
import { type Assembly, addBlock, addParams, headerOf, PARAMS_GAP, type Parts } from "./parts.ts";
import { frameSilhouette } from "./silhouette.ts";

const MARGIN = 24;
const PIECE_GAP = 56;
const ROW_OF_PIECES = 1200;

/** Builds the picture: the primitive or the silhouette, and below it the icons that cannot be reached. */
export function assemble(assembly: Assembly): Picture {
  const { diagram } = assembly;
  const parts: Parts = { icons: [], lines: [], notes: [], durations: new Set(), nextKey: 0 };
  const placed = new Set<IconId>();
  const branches = branchesOf(diagram);
  for (const branch of branches) placed.add(branch.id);
  if (branches.length > 1) frameSilhouette(assembly, parts, branches, placed);
  else addPrimitive(assembly, parts, branches[0], placed);
  addUnreachable(assembly, parts, placed);
  return normalized(parts);
}

/** Substitute for a missing branch. */
const NOTHING: Icon = {
  id: "",
  type: "branch",
  text: "",
  secondary: undefined,
  one: undefined,
  two: undefined,
  side: undefined,
  yesIsDown: false,
  branchId: 0,
  link: undefined,
  final: true,
};

function addPrimitive(assembly: Assembly, parts: Parts, branch: Icon | undefined, placed: Set<IconId>): void {
  const header = headerOf(assembly);
  const root = branch ?? NOTHING;
  const skeleton = buildSkeleton(assembly.diagram, root, assembly.turned, placed);
  const room = header.params ? PARAMS_GAP + header.params.width : 0;
  const half = header.box.width / 2;
  const height = Math.max(header.box.height, header.params?.height ?? 0);
  const size = { box: header.box, beside: undefined, left: half, right: half + room, height };
  const sizeOf: SizeOf = (node) => (node.icon === root ? size : assembly.sizeOf(node));
  const block = placeBlock(skeleton, { sizeOf, aligned: assembly.aligned, addressTop: 0 });
  const key = addBlock(parts, block, 0, 0);
  addParams(parts, header, key, 0, 0);
}

function addUnreachable(assembly: Assembly, parts: Parts, placed: Set<IconId>): void {
  const roots = unreachableRoots(assembly.diagram, placed);
  let [left, right, bottom] = [0, ROW_OF_PIECES, 0];
  for (const { x, y, box } of parts.icons) {
    left = Math.min(left, x);
    right = Math.max(right, x + box.width);
    bottom = Math.max(bottom, y + box.height);
  }
  for (const { points } of parts.lines) for (const { y } of points) bottom = Math.max(bottom, y);
  let [x, y, below] = [left, bottom + PIECE_GAP + 24, 0];
  let first = true;
  for (const root of roots) {
    if (placed.has(root.id)) continue;
    if (first) parts.notes.push({ x: left, y: bottom + PIECE_GAP, text: "unreachable" });
    first = false;
    const skeleton = buildSkeleton(assembly.diagram, root, assembly.turned, placed);
    const block = placeBlock(skeleton, { sizeOf: assembly.sizeOf, aligned: assembly.aligned, addressTop: 0 });
    if (x > left && x + block.left + block.right > right) [x, y, below] = [left, y + below + PIECE_GAP, 0];
    addBlock(parts, block, x + block.left, y, () => ["unreachable"]);
    x += block.left + block.right + PIECE_GAP;
    below = Math.max(below, block.rows.bottom);
  }
}

/** Moves the picture to the origin and adds a margin. */
function normalized({ icons, lines, notes }: Parts): Picture {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const see = (x: number, y: number): void => {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  };
  for (const { x, y, box } of icons) {
    see(x, y);
    see(x + box.width, y + box.height);
  }
  for (const { points } of lines) for (const { x, y } of points) see(x, y);
  const dx = MARGIN - left;
  const dy = MARGIN - top;
  return {
    width: Math.ceil(right - left + 2 * MARGIN),
    height: Math.ceil(bottom - top + 2 * MARGIN),
    icons: icons.map((icon) => ({ ...icon, x: icon.x + dx, y: icon.y + dy })),
    lines: lines.map((line) => ({ ...line, points: line.points.map(({ x, y }) => ({ x: x + dx, y: y + dy })) })),
    notes: notes.map((note) => ({ ...note, x: note.x + dx, y: note.y + dy })),
  };
}
