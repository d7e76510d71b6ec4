import { assert } from "../../base/assert.ts";
import type { IconId } from "../icon-id.ts";
import { type Diagram, readDiagram } from "./diagram.ts";
import { deeperLayout, FRESH_LAYOUT, layoutOf, memberSplices, type ObjectLayout, objectText } from "./json-layout.ts";
import { applySplices, lastMember, type ObjectSpan, objectAt, type Splice } from "./json-text.ts";

export type FieldValue = string | number | boolean;

/** New values of fields; `undefined` removes a field. New fields are written in this order. */
export type FieldChanges = ReadonlyMap<string, FieldValue | undefined>;

export interface DiagramChanges {
  /** By icon: fields to set, or `null` to delete the icon. An unknown id adds an icon. */
  readonly icons: ReadonlyMap<IconId, FieldChanges | null>;
  /** Fields of the diagram itself: `name`, `params`, `description`. */
  readonly fields?: FieldChanges;
  /** Fields of the envelope. Only for a diagram that has one. */
  readonly envelope?: FieldChanges;
}

interface EditedFile {
  readonly diagram: Diagram;
  /** The changes of the text; `inverted` undoes them. */
  readonly splices: readonly Splice[];
}

/**
 * Returns a new diagram whose file has the changes in it, parsed again from the new text. The text differs from the old one only
 * at the changes (P11): unknown fields and types, order of keys, indentation, spelling of numbers and the final newline stay.
 */
export function withChanges(diagram: Diagram, changes: DiagramChanges): EditedFile {
  const { text, enveloped } = diagram.source;
  const root = objectAt(text, 0);
  if (!root) {
    assert(text.trim() === "", "only a file that can be read is edited");
    const fresh = withChanges(readDiagram("{}\n").diagram, changes);
    return { diagram: fresh.diagram, splices: [{ at: 0, remove: text, insert: fresh.diagram.source.text }] };
  }
  const style = layoutOf(text, root, FRESH_LAYOUT);
  const writer = new TextChanges(text);
  const held = enveloped ? lastMember(root, "diagram") : undefined;
  const body = held ? objectAt(text, held.valueStart)! : root;
  const bodyStyle = held ? layoutOf(text, body, deeperLayout(style)) : style;
  if (held) writer.change(root, changes.envelope ?? new Map(), [], style);
  writer.change(
    body,
    changes.fields ?? new Map(),
    writer.items(body, changes.icons, deeperLayout(bodyStyle)),
    bodyStyle,
  );
  return withSplices(diagram, writer.inOrder())!;
}

/** Applies splices; undefined if they were made for another text. */
export function withSplices(diagram: Diagram, splices: readonly Splice[]): EditedFile | undefined {
  const text = applySplices(diagram.source.text, splices);
  return text === undefined ? undefined : { diagram: readDiagram(text).diagram, splices };
}

class TextChanges {
  readonly #text: string;
  readonly #splices: Splice[] = [];
  readonly #ascii: boolean;

  constructor(text: string) {
    this.#text = text;
    // A file that escapes all non-ASCII characters keeps doing so.
    this.#ascii = /\\u[0-9a-f]{4}/i.test(text) && !/[\u0080-\uffff]/.test(text);
  }

  /** Sorted by offset; splices at one offset keep the order in which they were made. */
  inOrder(): Splice[] {
    return this.#splices.toSorted((a, b) => a.at - b.at);
  }

  /** Sets, adds and removes fields of one object. */
  change(
    span: ObjectSpan,
    fields: FieldChanges,
    more: readonly (readonly [string, string])[],
    layout: ObjectLayout,
  ): void {
    const added: (readonly [string, string])[] = [];
    const gone = new Set<string>();
    for (const [key, value] of fields) {
      const known = lastMember(span, key);
      if (value === undefined) gone.add(key);
      else if (!known) added.push([this.#string(key), this.#value(value)]);
      else {
        const remove = this.#text.slice(known.valueStart, known.valueEnd);
        this.#splices.push({ at: known.valueStart, remove, insert: this.#value(value) });
      }
    }
    added.push(...more);
    if (added.length === 0 && gone.size === 0) return;
    for (const splice of memberSplices(this.#text, span, ({ key }) => gone.has(key), added, layout))
      this.#splices.push(splice);
  }

  /** Changes inside `items`; returns the member to add if there is no such object yet. */
  items(
    body: ObjectSpan,
    icons: ReadonlyMap<IconId, FieldChanges | null>,
    fallback: ObjectLayout,
  ): (readonly [string, string])[] {
    if (icons.size === 0) return [];
    const member = lastMember(body, "items");
    const items = member && objectAt(this.#text, member.valueStart);
    if (!items) {
      const all = [...icons].flatMap(([id, fields]) =>
        fields ? [this.#item(id, fields, deeperLayout(fallback))] : [],
      );
      return [[`"items"`, objectText(all, fallback)]];
    }
    const layout = layoutOf(this.#text, items, fallback);
    const known = new Map(items.members.map((one) => [one.key, one]));
    const sample = this.#sample(items, layout);
    const added: (readonly [string, string])[] = [];
    for (const [id, fields] of icons) {
      const at = known.get(id);
      const span = at && objectAt(this.#text, at.valueStart);
      if (span && fields) this.change(span, fields, [], layoutOf(this.#text, span, sample));
      else if (fields) added.push(this.#item(id, fields, sample));
    }
    const gone = new Set([...icons].flatMap(([id, fields]) => (fields === null ? [id] : [])));
    if (added.length === 0 && gone.size === 0) return [];
    for (const splice of memberSplices(this.#text, items, ({ key }) => gone.has(key), added, layout))
      this.#splices.push(splice);
    return [];
  }

  /** The layout for new icons: that of the existing icon with the most fields among the last eight. */
  #sample(items: ObjectSpan, layout: ObjectLayout): ObjectLayout {
    let best: ObjectSpan | undefined;
    for (const { valueStart } of items.members.slice(-8)) {
      const span = objectAt(this.#text, valueStart);
      if (span && span.members.length > (best?.members.length ?? 0)) best = span;
    }
    return best ? layoutOf(this.#text, best, deeperLayout(layout)) : deeperLayout(layout);
  }

  #item(id: IconId, fields: FieldChanges, layout: ObjectLayout): readonly [string, string] {
    const members = [...fields].flatMap(([key, value]) =>
      value === undefined ? [] : [[this.#string(key), this.#value(value)] as const],
    );
    return [this.#string(id), objectText(members, layout)];
  }

  #value(value: FieldValue): string {
    return typeof value === "string" ? this.#string(value) : JSON.stringify(value);
  }

  #string(value: string): string {
    const text = JSON.stringify(value);
    if (!this.#ascii) return text;
    return text.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }
}
