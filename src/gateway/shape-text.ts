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

/** A schema as a type that a person or a compiler can read; what it names is put into `shapes`. */
export function shapeOf(schema: z.ZodType, io: "input" | "output", shapes: Map<string, string>): string {
  const shape = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Shape;
  for (const [name, inner] of Object.entries(shape.$defs ?? {}))
    if (!name.startsWith("__")) shapes.set(name, written(inner, 0));
  const own = schema.meta()?.id;
  if (own === undefined) return written(shape, 0);
  // One that stands in a place of its own among the definitions is only referred to at the top.
  if (shape.$ref === undefined) shapes.set(own, written(shape, 0));
  return own;
}

/** JSON Schema as a type that a person can read. What has no name and refers to itself is any JSON. */
function written(shape: Shape, depth: number): string {
  const indent = "  ".repeat(depth);
  if (shape.$ref !== undefined) return /^#\/\$defs\/(?!__)(.+)$/.exec(shape.$ref)?.[1] ?? "Json";
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(" | ");
  const either = shape.anyOf ?? shape.oneOf;
  if (either) {
    const ways = new Set(either.map((way) => written(way, depth)));
    return [...ways].join(" | ");
  }
  if (shape.properties) {
    const fields = Object.entries(shape.properties).map(
      ([name, value]) =>
        `${indent}  ${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}${shape.required?.includes(name) ? "" : "?"}: ${written(value, depth + 1)};`,
    );
    return fields.length === 0 ? "{}" : `{\n${fields.join("\n")}\n${indent}}`;
  }
  if (shape.type === "array") {
    const item = written(shape.items ?? {}, depth);
    return /^[\w{]/.test(item) && !item.includes(" | ") ? `${item}[]` : `(${item})[]`;
  }
  if (shape.type === "object")
    return `{ [name: string]: ${typeof shape.additionalProperties === "object" ? written(shape.additionalProperties, depth) : "Json"} }`;
  if (shape.type === "integer") return "number";
  if (Array.isArray(shape.type)) return shape.type.join(" | ");
  return typeof shape.type === "string" ? shape.type : "Json";
}
