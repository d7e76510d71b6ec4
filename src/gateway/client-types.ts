import type { Route } from "./route.ts";
import { shapeOf } from "./shape-text.ts";

/**
 * The types of every endpoint, for the web app: made from the table of routes, as the documents are, so that the app cannot ask for
 * what is not there. A test keeps the file up to date.
 */
export function clientTypes(routes: readonly Route[]): string {
  const shapes = new Map<string, string>();
  const endpoints = routes.flatMap((route) => (typeof route.answer === "string" ? [] : [endpoint(route, shapes)]));
  const named = [...shapes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `/** Made from the gateway's table of routes (\`npx vitest run src/gateway/endpoints -u\`); not edited by hand. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

${named.map(([name, shape]) => `export type ${name} = ${shape};\n`).join("\n")}
export interface Endpoints {
${endpoints.join("\n")}
}
`;
}

function endpoint(route: Route, shapes: Map<string, string>): string {
  const parts: [string, string][] = [
    ["params", paramsOf(route.path)],
    ["query", route.query ? shapeOf(route.query, "input", shapes) : "{}"],
    ["body", route.body ? shapeOf(route.body, "input", shapes) : "undefined"],
    ["answer", typeof route.answer === "string" ? "string" : shapeOf(route.answer, "output", shapes)],
  ];
  const fields = parts.map(([name, shape]) => `    ${name}: ${shape.replaceAll("\n", "\n    ")};`);
  return `  "${route.method} ${route.path.replaceAll(/\{.*?\}/g, "")}": {\n${fields.join("\n")}\n  };`;
}

const paramsOf = (path: string): string => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return names.length === 0 ? "{}" : `{ ${names.map((name) => `${name}: string`).join("; ")} }`;
};
