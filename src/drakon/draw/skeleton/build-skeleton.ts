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
 * Depth-first search from one icon over the icons not placed yet, lower exits before right ones. `placed` is shared by all
 * searches of a drawing.
 */
export const buildSkeleton = (
  diagram: Diagram,
  root: Icon,
  turned: ReadonlySet<IconId>,
  placed: Set<IconId>,
): Skeleton => joinBackEdges(new SkeletonSearch(diagram, turned, placed).run(root));

/** Uses an explicit stack, so that depth is unlimited. */
class SkeletonSearch {
  readonly #diagram: Diagram;
  readonly #turned: ReadonlySet<IconId>;
  readonly #placed: Set<IconId>;
  readonly #nodes: DrawnNode[] = [];
  readonly #edges: DrawnEdge[] = [];
  readonly #uprights: Upright[] = [];
  readonly #here = new Map<IconId, DrawnNode>();
  readonly #risers = new Map<DrawnNode, Riser>();
  readonly #open = new Set<DrawnNode>();
  readonly #stack: Frame[] = [];
  #clock = 0;
  #lastAddress: DrawnNode | undefined;

  constructor(diagram: Diagram, turned: ReadonlySet<IconId>, placed: Set<IconId>) {
    this.#diagram = diagram;
    this.#turned = turned;
    this.#placed = placed;
  }

  run(root: Icon): Skeleton {
    this.#enter(root, undefined, this.#openPath(undefined));
    for (let top = this.#stack.at(-1); top; top = this.#stack.at(-1)) {
      const exit = top.exits[top.at++];
      if (exit) this.#follow(top, exit);
      else this.#finish(this.#stack.pop()!.node);
    }
    return { nodes: this.#nodes, edges: this.#edges, uprights: this.#uprights };
  }

  #openPath(start: DrawnEdge | undefined): Path {
    const number = this.#uprights.length;
    const path: Path = { is: "path", number, start, nodes: [], end: undefined, clock: this.#clock++ };
    this.#uprights.push(path);
    return path;
  }

  #addNode(shape: NodeShape, icon: Icon | undefined, refersTo: IconId | undefined, path: Path): DrawnNode {
    const [number, from] = [this.#nodes.length, this.#clock];
    const node: DrawnNode = { number, shape, icon, refersTo, path, from, until: this.#clock++ };
    this.#nodes.push(node);
    path.nodes.push(node);
    return node;
  }

  #enter(icon: Icon, process: Process | undefined, path: Path): DrawnNode {
    const node = this.#addNode("icon", icon, undefined, path);
    this.#here.set(icon.id, node);
    this.#placed.add(icon.id);
    this.#push(node, drawnExits(this.#diagram, icon, this.#turned), process);
    return node;
  }

  #push(node: DrawnNode, exits: readonly DrawnExit[], process: Process | undefined): void {
    this.#open.add(node);
    this.#stack.push({ node, exits, process, at: 0 });
  }

  #finish(node: DrawnNode): void {
    this.#open.delete(node);
    node.until = this.#clock++;
    const riser = this.#risers.get(node);
    if (riser) this.#uprights.push({ ...riser, clock: this.#clock++ });
  }

  #follow(frame: Frame, exit: DrawnExit): void {
    const { node } = frame;
    const target = exit.to === undefined ? undefined : this.#diagram.icons.get(exit.to);
    const begins = node.icon?.type === "parbegin" && exit.port === "down";
    const process = begins ? { outer: frame.process, meetings: new Map<IconId, DrawnNode>() } : frame.process;
    // After the meeting point the process has ended: this line leads to the end of the block itself.
    const ends = node.shape === "meeting";
    const known = ends ? this.#here.get(exit.to!) : this.#knownTarget(target, process);
    const draft = {
      number: this.#edges.length,
      from: node,
      to: node,
      port: exit.port,
      label: exit.label,
      exit: exit.exit,
    };
    const edge: DrawnEdge = { ...draft, kind: "tree", clock: this.#clock++, path: node.path };
    this.#edges.push(edge);
    if (exit.port !== "down") edge.path = this.#openPath(edge);
    if (known && !this.#open.has(known)) return endAt(edge, "join", known);
    if (known) {
      const riser = this.#risers.get(known) ?? { is: "riser", head: known, edges: [], clock: 0 };
      this.#risers.set(known, riser);
      riser.edges.push(edge);
      return endAt(edge, "back", known);
    }
    edge.to =
      ends && target && !this.#placed.has(target.id)
        ? this.#enter(target, process, edge.path)
        : this.#discover(target, exit.to, ends ? undefined : process, edge.path);
  }

  #knownTarget(target: Icon | undefined, process: Process | undefined): DrawnNode | undefined {
    if (!target) return undefined;
    if (target.type === "parend" && process) return process.meetings.get(target.id);
    if (target.type === "branch") return this.#lastAddress?.refersTo === target.id ? this.#lastAddress : undefined;
    return this.#here.get(target.id);
  }

  #discover(target: Icon | undefined, id: IconId | undefined, process: Process | undefined, path: Path): DrawnNode {
    if (!target) return this.#addNode("missing", undefined, id, path);
    const role = roleOf(target.type);
    if (role === "branch") {
      this.#lastAddress = this.#addNode("address", undefined, target.id, path);
      return this.#lastAddress;
    }
    if (role === "none" || role === "duration") return this.#addNode("elsewhere", undefined, target.id, path);
    if (role === "parend" && process) {
      const meeting = this.#addNode("meeting", undefined, undefined, path);
      process.meetings.set(target.id, meeting);
      const onwards: DrawnExit = { port: "down", to: target.id, exit: undefined, label: undefined };
      this.#push(meeting, [onwards], process.outer);
      return meeting;
    }
    if (this.#placed.has(target.id)) return this.#addNode("elsewhere", undefined, target.id, path);
    return this.#enter(target, process, path);
  }
}

function endAt(edge: DrawnEdge, kind: EdgeKind, to: DrawnNode): void {
  edge.kind = kind;
  edge.to = to;
  edge.path.end = edge;
}
