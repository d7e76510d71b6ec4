import { bodyBytes } from "../body.ts";
import type { RouteCall } from "../route.ts";

const MAX_BYTES = 20_000;

async function formIn({ request, gateway }: Pick<RouteCall, "request" | "gateway">): Promise<URLSearchParams> {
  const taken = { bytes: 0 };
  const budget = gateway.bodies.guest;
  try {
    const bytes = await bodyBytes(request, MAX_BYTES, budget, taken);
    return new URLSearchParams(Buffer.from(bytes).toString());
  } finally {
    budget.release(taken.bytes);
  }
}

/** The fields of a form as a browser or an OAuth client sends it. Of a repeated field the first one counts. */
export async function readForm(
  call: Pick<RouteCall, "request" | "gateway">,
): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries([...(await formIn(call))].toReversed());
}

/** The same, with every value of each field. */
export async function readFormLists(call: Pick<RouteCall, "request" | "gateway">): Promise<(name: string) => string[]> {
  const form = await formIn(call);
  return (name) => form.getAll(name);
}
