import type { Icon } from "../../diagram/diagram.ts";
import type { IconId } from "../../icon-id.ts";
import { iconBox } from "../measure/icon-box.ts";
import type { DrawnLine, Point } from "../picture.ts";
import { type SizeOf, withHeight } from "../place/node-sizes.ts";
import { type PlacedBlock, placeBlock } from "../place/place-block.ts";
import { ROW_GAP } from "../place/rows.ts";
import { buildSkeleton } from "../skeleton/build-skeleton.ts";
import type { DrawnNode, Skeleton } from "../skeleton/skeleton.ts";
import { type Assembly, addBlock, addParams, headerOf, type Parts } from "./parts.ts";

const BRANCH_GAP = 44;
const CEILING_GAP = 26;
const RETURN_GAP = 34;

/**
 * Lays out branches side by side between a ceiling and a floor: heads in one row, addresses in another, the header above the
 * first branch, and one line from the floor back to the ceiling at the far left.
 */
export function frameSilhouette(
  assembly: Assembly,
  parts: Parts,
  branches: readonly Icon[],
  placed: Set<IconId>,
): void {
  const skeletons = branches.map((branch) => buildSkeleton(assembly.diagram, branch, assembly.turned, placed));
  const blocks = placeBranches(assembly, skeletons);
  const header = headerOf(assembly);
  const headerHeight = Math.max(header.box.height, header.params?.height ?? 0);
  const ceiling = headerHeight + CEILING_GAP;
  const top = ceiling + CEILING_GAP;
  const headerKey = parts.nextKey++;
  const ceilingKey = parts.nextKey++;
  const firstKey = parts.nextKey;
  const xs: number[] = [];
  const keys: number[] = [];
  let x = 0;
  for (const [at, block] of blocks.entries()) {
    if (at > 0) x += BRANCH_GAP + block.left;
    xs.push(x);
    const own = branches[at]!.branchId ?? Infinity;
    keys.push(addBlock(parts, block, x, top, (node) => (leadsBackward(assembly, own, node) ? ["backward"] : [])));
    x += block.right;
  }
  markHeads(assembly, parts, firstKey);
  const place = { icon: undefined, refersTo: undefined, marks: new Set<never>() };
  parts.icons.push({ key: headerKey, box: header.box, x: -header.box.width / 2, y: 0, ...place });
  parts.icons.push({ key: ceilingKey, box: iconBox("point", "", undefined, 0), x: 0, y: ceiling, ...place });
  addParams(parts, header, headerKey, 0, 0);

  parts.lines.push(line(headerKey, ceilingKey, vertical(0, header.box.height, ceiling), true));
  for (const [at, headX] of xs.entries()) {
    const down = vertical(headX, ceiling, top);
    parts.lines.push(line(ceilingKey, keys[at]!, at === 0 ? down : [{ x: 0, y: ceiling }, ...down], at === 0));
  }
  addReturn();

  function addReturn(): void {
    const leftmost = -blocks[0]!.left - RETURN_GAP;
    for (const [at, block] of blocks.entries()) {
      for (const node of block.skeleton.nodes) {
        if (node.shape !== "address") continue;
        const addressX = xs[at]! + block.xOf.get(node.path)!;
        const bottom = top + block.rows.top[node.number]! + block.sizeOf(node).height;
        const floor = bottom + CEILING_GAP;
        const points = [
          ...vertical(addressX, bottom, floor),
          { x: leftmost, y: floor },
          { x: leftmost, y: ceiling },
          { x: 0, y: ceiling },
        ];
        parts.lines.push({ ...line(keys[at]! + node.number, ceilingKey, points), arrow: true });
      }
    }
  }
}

/** A line of the frame; it belongs to no exit. */
function line(from: number, to: number, points: Point[], main = false): DrawnLine {
  const bare = { fromIcon: undefined, exit: undefined, toIcon: undefined, label: undefined, bridges: [] };
  return { from, to, points, arrow: false, weight: main ? "main" : "plain", ...bare };
}

const vertical = (x: number, from: number, to: number): Point[] => [
  { x, y: from },
  { x, y: to },
];

/** Heads and addresses get equal heights; addresses stand below all branches that the floor runs under. */
function placeBranches(assembly: Assembly, skeletons: readonly Skeleton[]): PlacedBlock[] {
  const { sizeOf, aligned } = assembly;
  let [headHeight, addressHeight, lastAddressed] = [0, 0, -1];
  for (const [at, { nodes }] of skeletons.entries()) {
    headHeight = Math.max(headHeight, sizeOf(nodes[0]!).height);
    for (const node of nodes) {
      if (node.shape !== "address") continue;
      addressHeight = Math.max(addressHeight, sizeOf(node).height);
      lastAddressed = at;
    }
  }
  const level: SizeOf = (node) => {
    if (node.shape === "address") return withHeight(sizeOf(node), addressHeight);
    return node.icon?.type === "branch" ? withHeight(sizeOf(node), headHeight) : sizeOf(node);
  };
  const first = skeletons.map((skeleton) => placeBlock(skeleton, { sizeOf: level, aligned, addressTop: 0 }));
  let addressTop = 0;
  for (const { skeleton, rows } of first.slice(0, lastAddressed + 1)) {
    for (const node of skeleton.nodes) {
      const nodeTop = rows.top[node.number]!;
      const wanted = node.shape === "address" ? nodeTop : nodeTop + level(node).height + ROW_GAP;
      addressTop = Math.max(addressTop, wanted);
    }
  }
  return skeletons.map((skeleton) => placeBlock(skeleton, { sizeOf: level, aligned, addressTop }));
}

const leadsBackward = ({ diagram }: Assembly, own: number, node: DrawnNode): boolean =>
  node.shape === "address" && (diagram.icons.get(node.refersTo ?? "")?.branchId ?? Infinity) <= own;

/** Marks heads that a later branch leads back to. */
function markHeads({ diagram }: Assembly, parts: Parts, firstKey: number): void {
  const targets = new Set<IconId | undefined>();
  for (const { key, refersTo, marks } of parts.icons)
    if (key >= firstKey && marks.has("backward")) targets.add(refersTo);
  for (const [at, icon] of parts.icons.entries()) {
    if (icon.icon === undefined || !targets.has(icon.icon) || diagram.icons.get(icon.icon)?.type !== "branch") continue;
    parts.icons[at] = { ...icon, marks: new Set([...icon.marks, "backward"]) };
  }
}
