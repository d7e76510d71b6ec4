import type { Diagram, Icon } from "../../diagram/diagram.ts";
import { roleOf } from "../../diagram/icon-types.ts";
import type { IconId } from "../../icon-id.ts";
import { type DrawnExit, drawnExits } from "./drawn-exits.ts";
import { joinBackEdges } from "./join-back-edges.ts";
import type { DrawnEdge, DrawnNode, EdgeKind, NodeShape, Path, Riser, Skeleton, Upright } from "./skeleton.ts";

/** A process of a parallel block, with the points where its paths meet. */
interface Process {
  readonly outer: Process | undefined;
  readonly meetings: Map<IconId, DrawnNode>;
}

interface Frame {
  readonly node: DrawnNode;
  readonly exits: readonly DrawnExit[];
  readonly process: Process | undefined;
  at: number;
}

/**
 * Depth-first search from one icon over the icons not placed yet, lower exits before right ones. Uses an explicit stack, so
 * that depth is unlimited. `placed` is shared by all searches of a drawing.
 */
export function buildSkeleton(
  diagram: Diagram,
  root: Icon,
  turned: ReadonlySet<IconId>,
  placed: Set<IconId>,
): Skeleton {
  const nodes: DrawnNode[] = [];
  const edges: DrawnEdge[] = [];
  const uprights: Upright[] = [];
  const here = new Map<IconId, DrawnNode>();
  const risers = new Map<DrawnNode, Riser>();
  const open = new Set<DrawnNode>();
  const stack: Frame[] = [];
  let clock = 0;
  let lastAddress: DrawnNode | undefined;

  const openPath = (start: DrawnEdge | undefined): Path => {
    const path: Path = { is: "path", number: uprights.length, start, nodes: [], end: undefined, clock: clock++ };
    uprights.push(path);
    return path;
  };
  const addNode = (shape: NodeShape, icon: Icon | undefined, refersTo: IconId | undefined, path: Path): DrawnNode => {
    const node: DrawnNode = { number: nodes.length, shape, icon, refersTo, path, from: clock, until: clock++ };
    nodes.push(node);
    path.nodes.push(node);
    return node;
  };
  const enter = (icon: Icon, process: Process | undefined, path: Path): DrawnNode => {
    const node = addNode("icon", icon, undefined, path);
    here.set(icon.id, node);
    placed.add(icon.id);
    push(node, drawnExits(diagram, icon, turned), process);
    return node;
  };
  const push = (node: DrawnNode, exits: readonly DrawnExit[], process: Process | undefined): void => {
    open.add(node);
    stack.push({ node, exits, process, at: 0 });
  };

  enter(root, undefined, openPath(undefined));
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const exit = top.exits[top.at++];
    if (exit) follow(top, exit);
    else finish(stack.pop()!.node);
  }
  return joinBackEdges({ nodes, edges, uprights });

  function finish(node: DrawnNode): void {
    open.delete(node);
    node.until = clock++;
    const riser = risers.get(node);
    if (riser) uprights.push({ ...riser, clock: clock++ });
  }

  function follow(frame: Frame, exit: DrawnExit): void {
    const { node } = frame;
    const target = exit.to === undefined ? undefined : diagram.icons.get(exit.to);
    const begins = node.icon?.type === "parbegin" && exit.port === "down";
    const process = begins ? { outer: frame.process, meetings: new Map<IconId, DrawnNode>() } : frame.process;
    // After the meeting point the process has ended: this line leads to the end of the block itself.
    const ends = node.shape === "meeting";
    const known = ends ? here.get(exit.to!) : knownTarget(target, process);
    const draft = { number: edges.length, from: node, to: node, port: exit.port, label: exit.label, exit: exit.exit };
    const edge: DrawnEdge = { ...draft, kind: "tree", clock: clock++, path: node.path };
    edges.push(edge);
    if (exit.port !== "down") edge.path = openPath(edge);
    const end = (kind: EdgeKind, to: DrawnNode): void => {
      edge.kind = kind;
      edge.to = to;
      edge.path.end = edge;
    };
    if (known && !open.has(known)) return end("join", known);
    if (known) {
      const riser = risers.get(known) ?? { is: "riser", head: known, edges: [], clock: 0 };
      risers.set(known, riser);
      riser.edges.push(edge);
      return end("back", known);
    }
    edge.to =
      ends && target && !placed.has(target.id)
        ? enter(target, process, edge.path)
        : discover(target, exit.to, ends ? undefined : process, edge.path);
  }

  function knownTarget(target: Icon | undefined, process: Process | undefined): DrawnNode | undefined {
    if (!target) return undefined;
    if (target.type === "parend" && process) return process.meetings.get(target.id);
    if (target.type === "branch") return lastAddress?.refersTo === target.id ? lastAddress : undefined;
    return here.get(target.id);
  }

  function discover(
    target: Icon | undefined,
    id: IconId | undefined,
    process: Process | undefined,
    path: Path,
  ): DrawnNode {
    if (!target) return addNode("missing", undefined, id, path);
    const role = roleOf(target.type);
    if (role === "branch") {
      lastAddress = addNode("address", undefined, target.id, path);
      return lastAddress;
    }
    if (role === "none" || role === "duration") return addNode("elsewhere", undefined, target.id, path);
    if (role === "parend" && process) {
      const meeting = addNode("meeting", undefined, undefined, path);
      process.meetings.set(target.id, meeting);
      const onwards: DrawnExit = { port: "down", to: target.id, exit: undefined, label: undefined };
      push(meeting, [onwards], process.outer);
      return meeting;
    }
    if (placed.has(target.id)) return addNode("elsewhere", undefined, target.id, path);
    return enter(target, process, path);
  }
}
