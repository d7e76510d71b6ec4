import { behaviourId } from "../canonical.ts";
import { matchIcons } from "../compare/match-icons.ts";
import { outlineDiagram } from "../compare/outline.ts";
import type { Diagram, Icon } from "../diagram/diagram.ts";
import { type FieldValue, withChanges } from "../diagram/file-changes.ts";
import { encodeText } from "../diagram/rich-text.ts";
import { type DrawnTree, drawTree } from "../from-tree/diagram-from-tree.ts";
import type { IconId } from "../icon-id.ts";
import { structure } from "../structure/structure.ts";
import type { Tree } from "../tree.ts";
import { Draft } from "./draft.ts";
import { editHeader, rawField } from "./edit-texts.ts";
import { hasUpperText } from "./insert.ts";

/** A diagram that was changed to mean another tree. */
export interface Redrawn {
  readonly diagram: Diagram;
  /** Icons of the old diagram with another text, and with an exit that leads elsewhere. */
  readonly changed: readonly IconId[];
  readonly rerouted: readonly IconId[];
  /** Icons of the new diagram. */
  readonly added: readonly IconId[];
  readonly removed: readonly IconId[];
}

/**
 * Changes a diagram so that it means a tree, and leaves the rest of the file as it is (D-4b): an icon that both have keeps its id, its
 * formatting, its exits and its orientation, and only differences between the two trees are written. Returns undefined if the old
 * diagram has errors, or if no such change gives exactly the meaning of the tree: then it must be drawn anew.
 */
export function redrawDiagram(before: Diagram, tree: Tree): Redrawn | undefined {
  const old = structure(before).tree;
  if (!old) return undefined;
  const [base, plain] = [drawTree(old), drawTree(tree)];
  const wanted = structure(plain.diagram).tree;
  if (!wanted) return undefined;
  const kept = keptIcons(before, base, plain);
  const oldFlags = new Map(
    [...kept].flatMap(([icon, id]) => {
      const question = before.icons.get(id)!;
      return question.type === "question" ? [[icon, question.yesIsDown] as const] : [];
    }),
  );
  const drawn = drawTree(tree, oldFlags);
  // The orientation of the old diagram first; but the line straight down must still reach the end of each loop.
  for (const turns of [false, true]) {
    const redrawn = new Redrawing(before, base, drawn, kept, turns).run(tree);
    const { tree: meant } = structure(redrawn.diagram);
    if (meant && behaviourId(meant) === behaviourId(wanted)) return redrawn;
  }
  return undefined;
}

/** The icons of the old diagram that a new drawing shows too, by icon of the new tree; matched as in a comparison. */
function keptIcons(before: Diagram, base: DrawnTree, drawn: DrawnTree): Map<IconId, IconId> {
  const inTree = new Set(base.origins.values());
  const ours = outlineDiagram(before).entries.filter(({ icon }) => inTree.has(icon.id));
  const theirs = outlineDiagram(drawn.diagram)
    .entries.filter(({ icon }) => drawn.origins.has(icon.id))
    // The numbers of a fresh drawing say nothing: none may look like an old id.
    .map((entry) => ({ ...entry, icon: { ...entry.icon, id: `new ${entry.icon.id}` } }));
  const { toBefore } = matchIcons(ours, theirs);
  return new Map(
    [...toBefore].map(([b, a]) => [drawn.origins.get(theirs[b]!.icon.id.slice(4))!, ours[a]!.icon.id] as const),
  );
}

const END = Symbol("the end");
type Target = IconId | typeof END | undefined;
const EXITS = ["one", "two", "side"] as const;

class Redrawing {
  readonly #draft: Draft;
  readonly #base: DrawnTree;
  readonly #drawn: DrawnTree;
  readonly #kept: ReadonlyMap<IconId, IconId>;
  /** Questions may be turned as in the new drawing. */
  readonly #turns: boolean;
  /** The drawn icon of the old tree by old id. */
  readonly #baseIcons: ReadonlyMap<IconId, Icon>;
  /** Ids of the result by drawn id. */
  readonly #ids = new Map<IconId, IconId>();
  readonly #changed = new Set<IconId>();
  readonly #rerouted = new Set<IconId>();
  readonly #added: IconId[] = [];
  #end: IconId | undefined;

  constructor(before: Diagram, base: DrawnTree, drawn: DrawnTree, kept: ReadonlyMap<IconId, IconId>, turns: boolean) {
    this.#draft = new Draft(before);
    this.#base = base;
    this.#drawn = drawn;
    this.#kept = kept;
    this.#turns = turns;
    this.#baseIcons = new Map([...base.origins].map(([id, old]) => [old, base.diagram.icons.get(id)!]));
  }

  run(tree: Tree): Redrawn {
    const draft = this.#draft;
    const { icons } = this.#drawn.diagram;
    const reached = draft.survey().reached;
    const ends = [...draft.icons.values()].filter(({ type }) => type === "end");
    this.#end = (ends.find(({ id }) => reached.has(id)) ?? ends[0])?.id;
    for (const icon of icons.values()) this.#place(icon);
    for (const icon of icons.values()) this.#connect(icon);
    this.#numberBranches(tree);
    // A text without a name does not rename the diagram.
    for (const field of ["name", "params", "description"] as const)
      if (field !== "name" || tree.name !== "") editHeader(draft, { op: "edit-header", field, text: tree[field] });
    const removed = this.#removeRest(new Set(reached.keys()));
    return {
      diagram: withChanges(draft.before, draft.changes()).diagram,
      changed: [...this.#changed],
      rerouted: [...this.#rerouted],
      added: this.#added,
      removed,
    };
  }

  /** Finds the icon of the result, or adds it, and sets its texts. */
  #place(icon: Icon): void {
    const draft = this.#draft;
    const origin = this.#drawn.origins.get(icon.id);
    const old = origin === undefined ? this.#end : this.#kept.get(origin);
    if (old === undefined) {
      const text = (value: string): string => encodeText(value) ?? value;
      const content = icon.text === "" && ["end", "arrow-loop", "loopend", "parend", "parbegin"].includes(icon.type);
      const id = draft.add(icon.type, {
        ...(content ? {} : { content: text(icon.text) }),
        ...(icon.secondary === undefined ? {} : { secondary: text(icon.secondary) }),
      });
      this.#ids.set(icon.id, id);
      if (origin === undefined) this.#end = id;
      else this.#added.push(id);
      return;
    }
    this.#ids.set(icon.id, old);
    if (origin === undefined) return;
    const known = this.#baseIcons.get(old)!;
    if (known.text !== icon.text) this.#setText(old, "content", icon.text);
    if (hasUpperText(icon.type) && known.secondary !== icon.secondary) this.#setText(old, "secondary", icon.secondary);
  }

  #setText(id: IconId, field: "content" | "secondary", text: string | undefined): void {
    const before = rawField(this.#draft, id, field);
    this.#draft.set(id, { [field]: text === undefined ? undefined : (encodeText(text, before) ?? text) });
    this.#changed.add(id);
  }

  /** Writes the exits that differ between the two trees. */
  #connect(icon: Icon): void {
    const draft = this.#draft;
    const id = this.#ids.get(icon.id)!;
    const base = this.#baseIcons.get(id);
    const isNew = !draft.before.icons.has(id);
    const old = draft.icons.get(id)!;
    const fields: Record<string, FieldValue | undefined> = {};
    const set = (field: string, to: Target): void => {
      fields[field] = to === END ? this.#end : to;
    };
    if (icon.type === "question") {
      const down = isNew || this.#turns ? icon.yesIsDown : old.yesIsDown;
      const turned = isNew || down !== old.yesIsDown;
      if (turned) fields["flag1"] = down ? 1 : 0;
      for (const yes of [down, !down]) {
        const field = yes === down ? "one" : "two";
        const to = this.#target(this.#drawn, icon, answerField(icon, yes));
        if (turned || !base || to !== this.#target(this.#base, base, answerField(base, yes))) set(field, to);
      }
    }
    for (const field of EXITS) {
      if (icon.type === "question" && field !== "side") continue;
      const to = this.#target(this.#drawn, icon, field);
      if (to !== (base && this.#target(this.#base, base, field))) set(field, to);
    }
    if ("one" in fields && old.final) fields["final"] = undefined;
    if (Object.keys(fields).length === 0) return;
    draft.set(id, fields);
    if (!isNew) this.#rerouted.add(id);
  }

  /** The target of an exit, as an id of the result. Targets of the old tree that are gone differ from every new one. */
  #target(drawing: DrawnTree, icon: Icon, field: (typeof EXITS)[number]): Target {
    const to = icon[field];
    if (to === undefined) return undefined;
    const origin = drawing.origins.get(to);
    if (origin === undefined) return END;
    return drawing === this.#drawn ? this.#ids.get(to) : origin;
  }

  /** Branches keep their numbers if these are still in order. */
  #numberBranches({ branches, silhouette }: Tree): void {
    const draft = this.#draft;
    const drawnId = new Map([...this.#drawn.origins].map(([id, origin]) => [origin, id]));
    const ids = branches.map(({ icon }) => this.#ids.get(drawnId.get(icon)!)!);
    const numbers = ids.map((id) => draft.icons.get(id)!.branchId);
    const wasSilhouette = [...this.#baseIcons.values()].filter(({ type }) => type === "branch").length > 1;
    const inOrder = numbers.every((one, i) => one !== undefined && (i === 0 || one > (numbers[i - 1] ?? Infinity)));
    if (inOrder && silhouette === wasSilhouette) return;
    for (const [index, id] of ids.entries()) {
      const branchId = silhouette ? index + 1 : 0;
      if (numbers[index] !== branchId) draft.set(id, { branchId });
    }
  }

  /** Removes icons that nothing leads to any more. Stray icons stay, unless they hang together with a removed one. */
  #removeRest(reachedBefore: ReadonlySet<IconId>): IconId[] {
    const draft = this.#draft;
    const used = new Set(this.#ids.values());
    const reached = draft.survey().reached;
    const isOpen = (id: IconId): boolean => !used.has(id) && !reached.has(id) && draft.icons.has(id);
    const sources = Map.groupBy(
      [...draft.icons.values()].flatMap((icon) => EXITS.map((field) => ({ from: icon.id, to: icon[field] }))),
      ({ to }) => to,
    );
    const removed = [...draft.before.icons.keys()].filter(
      (id) => !used.has(id) && (this.#baseIcons.has(id) || (reachedBefore.has(id) && !reached.has(id))),
    );
    const gone = new Set(removed);
    const remove = (id: IconId): void => {
      gone.add(id);
      removed.push(id);
    };
    for (const id of removed) {
      const { one, two, side } = draft.icons.get(id) ?? {};
      draft.remove(id);
      for (const { from } of sources.get(id) ?? []) {
        if (isOpen(from) && !gone.has(from)) remove(from);
        // The exit of a final icon is not followed, and may lead to a removed one.
        else if (draft.icons.get(from)?.final) draft.set(from, { one: undefined });
      }
      for (const to of [one, two, side])
        if (to !== undefined && !reachedBefore.has(id) && isOpen(to) && !gone.has(to)) remove(to);
    }
    return removed;
  }
}

const answerField = (question: Icon, yes: boolean): "one" | "two" => (question.yesIsDown === yes ? "one" : "two");
