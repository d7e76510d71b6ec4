import { z } from "zod";
import { failureTable } from "../base/failure.ts";
import type { Language } from "../base/text.ts";
import type { Allowed, Route } from "./route.ts";

/** The OpenAPI 3.1 document, derived from the table of routes. */
export function openApi(routes: readonly Route[], language: Language): Record<string, unknown> {
  const shapes = newShapes();
  const error = shapes.refer("Error", errorBody, "output");
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = openApiPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, language, shapes, error) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Garden Bloom", version: "1", summary: TITLE[language] },
    paths,
    components: { schemas: shapes.all(), securitySchemes },
  };
}

/** `/notes/:path{.+}` → `/notes/{path}` */
export const openApiPath = (path: string): string => path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");

/** `PATCH /proposals/:id` → `patchProposalsId` */
export const operationId = ({ method, path }: Pick<Route, "method" | "path">): string =>
  method.toLowerCase() +
  (path === "/" ? "First" : "") +
  openApiPath(path)
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

function operation(route: Route, language: Language, shapes: Shapes, error: object): Record<string, unknown> {
  const id = operationId(route);
  const good = String(route.status ?? 200);
  return {
    operationId: id,
    summary: route.summary[language],
    security: route.allows.flatMap((each) => security[each]),
    "x-allows": route.allows,
    parameters: [...parameters("path", route.params), ...parameters("query", route.query)],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: shapes.refer(`${id}Body`, route.body, "input") } },
      },
    }),
    responses: {
      [good]: {
        description: "OK",
        content:
          typeof route.answer === "string"
            ? { [route.answer]: {} }
            : { "application/json": { schema: shapes.refer(`${id}Answer`, route.answer, "output") } },
      },
      default: { description: "Error", content: { "application/json": { schema: error } } },
    },
  };
}

function parameters(place: "path" | "query", schema: z.ZodObject | undefined): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, "input") as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: shape,
  }));
}

/** Checks that JSON Schema cannot express (a legal path, a slug) are left out; the error message explains them. */
const jsonSchema = (schema: z.ZodType, io: "input" | "output"): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
};

interface Shapes {
  refer(name: string, schema: z.ZodType, io: "input" | "output"): { $ref: string };
  all(): Record<string, unknown>;
}

/**
 * Collects named schemas. Inner definitions become top-level schemas, because a `$ref` is resolved from the top of the document:
 * under their own name, or prefixed with the name of the enclosing schema.
 */
function newShapes(): Shapes {
  const named: Record<string, unknown> = {};
  return {
    refer(name, schema, io) {
      const { $defs = {}, ...shape } = jsonSchema(schema, io) as { $defs?: Record<string, unknown> };
      for (const [inner, definition] of Object.entries($defs))
        named[definitionName(inner, name)] = relinked(definition, name);
      named[name] = relinked(shape, name);
      return { $ref: `#/components/schemas/${name}` };
    },
    all: () => named,
  };
}

const relinked = (shape: unknown, name: string): unknown =>
  JSON.parse(
    JSON.stringify(shape)
      .replaceAll(/"\$ref":"#\/\$defs\/([^"]+)"/g, (_, inner: string) => refTo(definitionName(inner, name)))
      .replaceAll('"$ref":"#"', refTo(name)),
  );

const refTo = (name: string): string => `"$ref":"#/components/schemas/${name}"`;

/** Zod names unnamed definitions `__schema0`, `__schema1` … in each schema separately. */
export const definitionName = (inner: string, name: string): string =>
  inner.startsWith("__") ? `${name}${inner}` : inner;

const errorBody = z.object({
  error: z.object({
    code: z.enum(Object.keys(failureTable) as [string, ...string[]]),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
  correlationId: z.string(),
});

const security: Readonly<Record<Allowed, readonly object[]>> = {
  anyone: [{}],
  owner: [{ session: [] }, { token: [] }],
  agent: [{ token: [] }],
  guest: [{ session: [] }, { token: [] }],
  webhook: [{ webhookName: [], webhookTimestamp: [], webhookSignature: [] }],
};

const header = (name: string, description: string): object => ({ type: "apiKey", in: "header", name, description });

const securitySchemes = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "bloom_…",
    description: "made by GET /sign-in; its name differs by garden",
  },
  token: { type: "http", scheme: "bearer" },
  webhookName: header("X-Bloom-Webhook", "the webhook's name in garden.yaml"),
  webhookTimestamp: header("X-Bloom-Timestamp", "seconds since 1970, within five minutes of the gateway's clock"),
  webhookSignature: header(
    "X-Bloom-Signature",
    "sha256=<hex HMAC-SHA256 over timestamp, a full stop and the body>; good once",
  ),
};

const TITLE = {
  en: "agents propose, people decide, git remembers",
  uk: "агенти пропонують, люди вирішують, git пам'ятає",
};
