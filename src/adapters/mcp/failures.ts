import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import type { OutsideServer } from "../../ports/outside-tools.ts";

/** The outcome is unknown: the call may have reached the server. */
export const serverFailed = (server: OutsideServer, why: Text, cause?: unknown): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `MCP server ${server.name}: ${why.en}`,
    uk: `MCP-сервер ${server.name}: ${why.uk}`,
    details: { part: "mcp", server: server.name },
    outcome: "unknown",
    ...(cause !== undefined && { cause }),
  });

/** The server had this tool when the run began. Nothing was called. */
export const toolVanished = (server: OutsideServer, name: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `MCP server ${server.name} no longer has the tool ${name}, which it had when the run began`,
    uk: `MCP-сервер ${server.name} більше не має інструмента ${name}, який мав на початку запуску`,
    details: { part: "mcp", server: server.name, tool: name },
  });

export const nameTooLong = (name: string): Text => ({
  en: `${name} is longer than 64 characters, the limit for the name of a tool`,
  uk: `${name} довше за 64 символи, які може мати назва інструмента`,
});

/** An answer that does not follow the protocol: the method and the first wrong member. Undefined for other errors. */
export function answerNotUnderstood(error: unknown): Text | undefined {
  const said = error instanceof Error ? /^Invalid result for (\S{1,60}): (\[.*)$/s.exec(error.message) : null;
  if (!said) return undefined;
  const [, method, issues] = said;
  const at = firstPath(issues!);
  return {
    en: `its answer to ${method} does not follow the protocol${at && ` (at ${at})`}`,
    uk: `його відповідь на ${method} не відповідає протоколу${at && ` (місце: ${at})`}`,
  };
}

function firstPath(issues: string): string {
  try {
    const [first] = JSON.parse(issues) as { readonly path?: unknown }[];
    return Array.isArray(first?.path) ? first.path.join(".").slice(0, 100).toWellFormed() : "";
  } catch {
    return "";
  }
}

export const noSuchTool = (name: string, listed: readonly string[]): Text => {
  const shown = listed.slice(0, 20).join(", ");
  return {
    en: `it has no tool ${name} (it has: ${shown || "none"})`,
    uk: `немає інструмента ${name} (є: ${shown || "жодного"})`,
  };
};

const MAX_SAID = 2000;

export const toolFailed = (tool: string, text: string): Failure => {
  const said = text.slice(0, MAX_SAID).toWellFormed();
  return new Failure("VALIDATION_FAILED", {
    en: `${tool} failed: ${said}`,
    uk: `${tool}: помилка: ${said}`,
    details: { tool },
  });
};

export const answerTooLarge = (most: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the answer is larger than ${most} bytes`,
    uk: `відповідь має понад ${most} байтів`,
  });
