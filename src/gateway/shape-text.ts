import { z } from "zod";

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
}

/** Called with every object type, innermost first, and the field that holds it; returns the text to write in its place. */
export type WriteObject = (spelled: string, field: string) => string;

/** Returns the schema as a TypeScript type, and adds the definitions of the types it names to `shapes`. */
export function typeText(
  schema: z.ZodType,
  io: "input" | "output",
  shapes: Map<string, string>,
  writeObject: WriteObject = (spelled) => spelled,
): string {
  const shape = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Shape;
  for (const [name, inner] of Object.entries(shape.$defs ?? {}))
    if (!name.startsWith("__")) shapes.set(name, written(inner, name, writeObject));
  const own = schema.meta()?.id;
  if (own === undefined) return written(shape, "", writeObject);
  // A recursive schema is only a `$ref` at the top: its definition was added above.
  if (shape.$ref === undefined) shapes.set(own, written(shape, own, writeObject));
  return own;
}

/** JSON Schema as a TypeScript type. A recursive schema without a name is written as `JsonValue`. */
function written(shape: Shape, field: string, writeObject: WriteObject): string {
  const inner = (part: Shape): string => written(part, field, writeObject);
  if (shape.$ref !== undefined) return /^#\/\$defs\/(?!__)(.+)$/.exec(shape.$ref)?.[1] ?? "JsonValue";
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(" | ");
  const either = shape.anyOf ?? shape.oneOf;
  if (either) return [...new Set(either.map(inner))].join(" | ");
  if (shape.properties) {
    const fields = Object.entries(shape.properties).map(([name, value]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      const mark = shape.required?.includes(name) ? "" : "?";
      return `  ${key}${mark}: ${written(value, name, writeObject).replaceAll("\n", "\n  ")};`;
    });
    return fields.length === 0 ? "{}" : writeObject(`{\n${fields.join("\n")}\n}`, field);
  }
  if (shape.type === "array") {
    const item = inner(shape.items ?? {});
    return /^[\w{]/.test(item) && !item.includes(" | ") ? `${item}[]` : `(${item})[]`;
  }
  if (shape.type === "object")
    return `{ [name: string]: ${typeof shape.additionalProperties === "object" ? inner(shape.additionalProperties) : "JsonValue"} }`;
  if (shape.type === "integer") return "number";
  if (Array.isArray(shape.type)) return shape.type.join(" | ");
  return typeof shape.type === "string" ? shape.type : "JsonValue";
}
