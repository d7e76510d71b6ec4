import type { QueryClient } from "@tanstack/react-query";
import { diagramQuery, query } from "../../api/queries.ts";

type LogicParts = Pick<typeof import("./logic-review.tsx"), "LogicReview"> &
  Pick<typeof import("./logic-context.tsx"), "LogicContext">;
let loaded: LogicParts | undefined;

/** The review of logic: loaded on first use, and ahead of it. */
export async function loadLogicParts(): Promise<LogicParts> {
  const [{ LogicReview }, { LogicContext }] = await Promise.all([
    import("./logic-review.tsx"),
    import("./logic-context.tsx"),
  ]);
  loaded = { LogicReview, LogicContext };
  return loaded;
}

/** The parts if they are loaded: they are shown at once then, while React delays everything that was ever suspended. */
export const loadedLogicParts = (): LogicParts | undefined => loaded;

/**
 * Reads what a review needs before it is opened: the proposal, and for a change of logic also its code, the diagram that it changes and
 * its report. Failures are shown by the review itself.
 */
export async function readAhead(client: QueryClient, id: string): Promise<void> {
  await client.prefetchQuery(query("GET /proposals/:id", { params: { id } }));
  const read = client.getQueryData(query("GET /proposals/:id", { params: { id } }).queryKey);
  const operation = read?.proposal.operation;
  if (operation?.action !== "logic-update" && operation?.action !== "logic-rollback") return;
  const { agent, currentVersion } = operation.payload;
  const versions = [currentVersion, operation.action === "logic-rollback" ? operation.payload.toVersion : undefined];
  await Promise.allSettled([
    loadLogicParts(),
    ...versions.flatMap((version) =>
      version === undefined ? [] : [client.prefetchQuery({ ...diagramQuery(agent, version), retry: false })],
    ),
    ...(read?.report ? [client.prefetchQuery(query("GET /proposals/:id/report", { params: { id } }))] : []),
  ]);
}
