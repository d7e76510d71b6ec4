import { type CallerKind, callerKinds } from "./test-gateway.ts";

/** Checks a refusal: the error body, the expected code, and no other content. */
export async function oddities(answer: Response, who: CallerKind): Promise<string[]> {
  if (answer.status < 400) {
    await answer.body?.cancel();
    return [];
  }
  const text = await answer.text();
  const { error, correlationId, ...more } = JSON.parse(text) as {
    error: Record<string, unknown>;
    correlationId: unknown;
  };
  const found = [];
  if (Object.keys(error).join() !== "code,message,details" || Object.keys(more).length > 0) found.push(text);
  if (typeof correlationId !== "string" || answer.headers.get("x-correlation-id") !== correlationId)
    found.push("no id");
  const over = who === "expired" || who === "ended";
  if (answer.status === 401 && error["code"] !== (over ? "TOKEN_EXPIRED" : "AUTH_REQUIRED"))
    found.push(String(error["code"]));
  if (answer.status === 401 && answer.headers.get("www-authenticate") === null) found.push("no WWW-Authenticate");
  return found;
}

/** The statuses that were found, as the table has them. */
export function printedCells(cells: ReadonlyMap<string, readonly number[]>): string {
  const width = Math.max(...[...cells.keys()].map((name) => name.length));
  const row = (name: string, values: readonly (string | number)[]): string =>
    `${name.padEnd(width)}  ${values.map((value) => String(value).padEnd(7)).join(" ")}`.trimEnd();
  return [row("", callerKinds), ...[...cells].map(([name, values]) => row(name, values))].join("\n");
}
