import { assert } from "../../base/assert.ts";
import type { Diagram, Icon } from "../diagram/diagram.ts";
import type { DiagramChanges, FieldValue } from "../diagram/file-changes.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { type DiagramSurvey, surveyDiagram } from "../structure/survey.ts";
import { type EditLine, type ExitRef, refuseEdit } from "./operation.ts";

type Fields = Readonly<Record<string, FieldValue | undefined>>;

/** A diagram during an operation: its current icons, and the changes to write. */
export class Draft {
  readonly before: Diagram;
  readonly #icons: Map<IconId, Icon>;
  readonly #changes = new Map<IconId, Map<string, FieldValue | undefined> | null>();
  readonly #header = new Map<string, FieldValue>();
  readonly #envelope = new Map<string, FieldValue>();
  #lastId: number;

  constructor(diagram: Diagram) {
    this.before = diagram;
    this.#icons = new Map(diagram.icons);
    this.#lastId = largestId(diagram);
  }

  get icons(): ReadonlyMap<IconId, Icon> {
    return this.#icons;
  }

  icon(id: IconId | undefined): Icon | undefined {
    return id === undefined ? undefined : this.#icons.get(id);
  }

  /** The icon; refuses if there is none. */
  expectIcon(id: IconId): Icon {
    return this.#icons.get(id) ?? refuseEdit(`there is no icon ${id}`, `немає ікони ${id}`);
  }

  changes(): DiagramChanges {
    return { icons: this.#changes, fields: this.#header, envelope: this.#envelope };
  }

  /** Adds an icon under the next free decimal id. */
  add(type: string, fields: Fields): IconId {
    const id = String(++this.#lastId);
    const { one, two, side, branchId } = fields;
    const exit = (value: FieldValue | undefined): IconId | undefined => (typeof value === "string" ? value : undefined);
    this.#icons.set(id, {
      id,
      type,
      text: String(fields["content"] ?? ""),
      secondary: exit(fields["secondary"]),
      one: exit(one),
      two: exit(two),
      side: exit(side),
      yesIsDown: fields["flag1"] === 1,
      branchId: typeof branchId === "number" ? branchId : undefined,
      link: undefined,
      final: false,
    });
    this.#changes.set(id, new Map(Object.entries({ type, ...fields })));
    return id;
  }

  /** Changes raw fields of the file. Exits, branch numbers and flags are visible in `icons` at once; texts only after rereading. */
  set(id: IconId, fields: Fields): void {
    const icon = this.#icons.get(id);
    assert(icon, "the changed icon exists");
    const known = this.#changes.get(id) ?? new Map<string, FieldValue | undefined>();
    const seen: Record<string, FieldValue | undefined> = {};
    for (const [field, value] of Object.entries(fields)) {
      known.set(field, value);
      if (["one", "two", "side", "branchId"].includes(field)) seen[field] = value;
      if (field === "flag1") seen["yesIsDown"] = Boolean(value);
      if (field === "type") seen["type"] = value;
    }
    this.#changes.set(id, known);
    this.#icons.set(id, { ...icon, ...seen });
  }

  remove(id: IconId): void {
    this.#icons.delete(id);
    if (this.before.icons.has(id)) this.#changes.set(id, null);
    else this.#changes.delete(id);
  }

  setHeader(field: string, value: FieldValue): void {
    this.#header.set(field, value);
  }

  setEnvelope(field: string, value: FieldValue): void {
    this.#envelope.set(field, value);
  }

  /** All exits that lead to an icon, drawn or not. */
  linksTo(id: IconId): ExitRef[] {
    const links: ExitRef[] = [];
    for (const icon of this.#icons.values()) {
      if (icon.one === id) links.push({ icon: icon.id, exit: "one" });
      if (icon.two === id) links.push({ icon: icon.id, exit: "two" });
    }
    return links;
  }

  redirect(links: EditLine, to: IconId): void {
    for (const { icon, exit } of links) this.set(icon, { [exit]: to });
  }

  /** Target of a line. Refuses exits that do not exist, that lead to different icons, or that hold cases or processes. */
  target(line: EditLine): IconId {
    const targets = new Set(line.map((link) => this.#exit(link)));
    const [target] = targets;
    if (targets.size !== 1 || target === undefined || !this.#icons.has(target))
      refuseEdit("there is no such line", "такої лінії немає");
    return target;
  }

  #exit({ icon: id, exit }: ExitRef): IconId | undefined {
    const icon = this.#icons.get(id);
    if (!icon || icon.final || !lineExits(icon).includes(exit)) return undefined;
    return exit === "one" || exit === "two" ? icon[exit] : undefined;
  }

  survey(): DiagramSurvey {
    return surveyDiagram({ ...this.before, icons: this.#icons });
  }
}

/** Exits of an icon that are drawn as lines on which an icon can be inserted. */
export function lineExits(icon: Icon): readonly ("one" | "two")[] {
  switch (roleOf(icon.type)) {
    case "question":
      return ["one", "two"];
    case "select":
    case "end":
    case "duration":
    case "none":
      return [];
    default:
      return ["one"];
  }
}

/** Counts referenced ids too: a new icon must not become the target of a broken exit. */
function largestId(diagram: Diagram): number {
  let largest = 0;
  for (const { id, one, two, side } of diagram.icons.values()) {
    for (const name of [id, one, two, side]) {
      if (name !== undefined && /^[0-9]{1,15}$/.test(name)) largest = Math.max(largest, Number(name));
    }
  }
  return largest;
}
