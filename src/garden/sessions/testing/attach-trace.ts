import { TRACE_REF } from "../../../domain/layout.ts";
import { packTrace, type TraceDraft } from "../../../domain/session/console-trace.ts";
import { landRefs, untilLanded } from "../land-refs.ts";
import { gatewaySignature, type SessionGarden } from "../session-garden.ts";

/** Binds a trace to any commit, in place of the one that it has; the old one stays in the history. Throws NOT_FOUND without the commit. */
export async function attachTrace(garden: SessionGarden, draft: TraceDraft): Promise<string> {
  const { repo, world } = garden;
  const trace = packTrace(draft);
  return untilLanded(garden, [TRACE_REF], async () => {
    const from = await repo.resolve(TRACE_REF);
    const to = await repo.buildAnnotations(from, {
      notes: [{ commit: draft.commit, bytes: trace.bytes }],
      beside: trace.texts,
      by: gatewaySignature(world.now()),
      message: `Trace of ${draft.agent} for ${draft.commit}`,
    });
    if (to === from) return trace.id;
    const landed = await landRefs(garden, [{ ref: TRACE_REF, from, to, reason: "bloom trace" }]);
    return landed.kind === "landed" ? trace.id : undefined;
  });
}
