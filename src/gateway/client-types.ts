import type { Route } from "./route.ts";
import { typeText, type WriteObject } from "./shape-text.ts";

/**
 * Returns the TypeScript types of every JSON endpoint, for the web app. They come from the table of routes, as the API documents do,
 * so the app cannot call an endpoint that does not exist. An object type that occurs more than once is declared once, by name.
 *
 * @internal used by the build only
 */
export function clientTypes(routes: readonly Route[]): string {
  const shapes = new Map<string, string>();
  const objects = new SharedObjects();
  const endpoints = routes
    .flatMap((route) => (typeof route.answer === "string" ? [] : [endpoint(route, shapes, objects.write)]))
    .join("\n");
  objects.name(shapes, endpoints);
  const declared = [...shapes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `/** Generated from the gateway's routes by \`npm run check\` and by builds of the web app; do not edit. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

${declared.map(([name, shape]) => `export type ${name} = ${objects.expand(shape, name)};\n`).join("\n")}
export interface Endpoints {
${objects.expand(endpoints)}
}
`;
}

function endpoint(route: Route, shapes: Map<string, string>, writeObject: WriteObject): string {
  const parts: [string, string][] = [
    ["params", paramsOf(route.path)],
    ["query", route.query ? typeText(route.query, "input", shapes, writeObject) : "{}"],
    ["body", route.body ? typeText(route.body, "input", shapes, writeObject) : "undefined"],
    ["answer", typeof route.answer === "string" ? "string" : typeText(route.answer, "output", shapes, writeObject)],
  ];
  const fields = parts.map(([name, shape]) => `    ${name}: ${shape.replaceAll("\n", "\n    ")};`);
  return `  "${route.method} ${route.path.replaceAll(/\{.*?\}/g, "")}": {\n${fields.join("\n")}\n  };`;
}

const paramsOf = (path: string): string => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return names.length === 0 ? "{}" : `{ ${names.map((name) => `${name}: string`).join("; ")} }`;
};

const PLACEHOLDER = /OBJECT_(\d+)_/g;

interface SharedObject {
  readonly spelled: string;
  readonly field: string;
  name?: string;
}

/** Interns object types: `write` leaves a placeholder for each, and `expand` puts in its name, or its text if it is used once. */
class SharedObjects {
  readonly #all: SharedObject[] = [];
  readonly #bySpelling = new Map<string, number>();

  readonly write: WriteObject = (spelled, field) => {
    const at = this.#bySpelling.get(spelled) ?? this.#all.push({ spelled, field }) - 1;
    this.#bySpelling.set(spelled, at);
    return `OBJECT_${at}_`;
  };

  /** Names the objects that are used more than once after their field, and adds their definitions to `shapes`. */
  name(shapes: Map<string, string>, endpoints: string): void {
    const texts = [...this.#all.map(({ spelled }) => spelled), ...shapes.values(), endpoints].join("\n");
    const uses = new Map<number, number>();
    for (const [, at] of texts.matchAll(PLACEHOLDER)) uses.set(Number(at), (uses.get(Number(at)) ?? 0) + 1);
    for (const [name, shape] of shapes) {
      const at = /^OBJECT_(\d+)_$/.exec(shape)?.[1];
      if (at !== undefined) this.#all[Number(at)]!.name ??= name;
    }
    for (const [at, object] of this.#all.entries()) {
      if (uses.get(at) === 1 || object.name !== undefined || object.field === "") continue;
      const stem = object.field.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
      object.name = stem;
      for (let count = 2; shapes.has(object.name); count++) object.name = `${stem}${count}`;
      shapes.set(object.name, `OBJECT_${at}_`);
    }
  }

  /** `declaring` is the type being declared: its own object is written out. */
  expand(text: string, declaring?: string): string {
    return text.replaceAll(PLACEHOLDER, (_, at: string, offset: number) => {
      const { name, spelled } = this.#all[Number(at)]!;
      if (name !== undefined && name !== declaring) return name;
      const indent = /^ */.exec(text.slice(text.lastIndexOf("\n", offset) + 1))![0];
      return this.expand(spelled).replaceAll("\n", `\n${indent}`);
    });
  }
}
