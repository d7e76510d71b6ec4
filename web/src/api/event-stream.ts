import type { AuditRecord } from "../../../src/domain/audit-record.ts";

/** A step of a run as the event stream reports it, without its input and output. */
export interface RunStep {
  readonly run_id: string;
  readonly agent_slug: string;
  readonly position: number;
  readonly name: string;
  readonly kind: "step" | "model" | "tool";
  readonly diagram?: string;
  readonly icon?: string;
  readonly line?: number;
}

/** Endpoints whose answers may change with each kind of audit record, by the beginning of their path. */
const AFFECTED_PATHS: Readonly<Record<AuditRecord["kind"], readonly string[]>> = {
  proposed: ["/proposals", "/agents", "/inbox"],
  decided: ["/proposals", "/agents", "/logic", "/memory"],
  withdrawn: ["/proposals", "/agents", "/logic", "/memory"],
  applied: ["/proposals", "/notes", "/folders", "/search", "/links", "/lines", "/agents", "/logic", "/memory"],
  "apply-failed": ["/proposals"],
  "apply-returned": ["/proposals", "/agents"],
  refused: ["/inbox"],
  "agent-created": ["/agents"],
  "agent-status": ["/agents", "/health"],
  "agent-outputs": ["/agents"],
  "agent-edited": ["/agents"],
  "agent-deleted": ["/agents", "/runs"],
  "signed-in": ["/tokens"],
  "sign-in-refused": [],
  "token-made": ["/tokens"],
  "token-revoked": ["/tokens"],
  "settings-changed": ["/settings", "/health"],
  "settings-loaded": ["/settings", "/health", "/agents"],
  "settings-refused": ["/settings", "/health"],
  "memory-edited": ["/memory", "/agents"],
  "body-replaced": ["/agents"],
  answered: ["/requests", "/runs"],
  "run-requested": ["/runs", "/agents"],
  "run-held": ["/runs", "/requests"],
  "run-cancel-asked": ["/runs"],
  remarked: ["/proposals"],
  "words-kept": ["/audit"],
  "run-forked": ["/runs"],
  "sandbox-decided": ["/sandbox", "/runs", "/proposals"],
  "run-recorded": ["/runs", "/agents"],
  "run-finished": ["/runs", "/requests", "/agents", "/logic", "/proposals"],
  notified: ["/notify"],
  "backups-removed": [],
  "slots-skipped": [],
  "event-dropped": [],
  "legacy-imported": ["/legacy", "/proposals"],
  "legacy-ended": ["/legacy"],
  "session-conflict": ["/sessions"],
  "peer-added": ["/federation"],
  "peer-removed": ["/federation"],
  "peer-sessions-chosen": ["/federation"],
  "announcement-accepted": ["/federation", "/sessions", "/library"],
  "peer-news": ["/federation"],
  "peer-key-replaced": ["/federation", "/sessions"],
  "key-rotated": ["/federation"],
  "key-restored": ["/federation"],
  "announcement-refused": ["/federation"],
  "capability-granted": ["/federation"],
  "capability-revoked": ["/federation"],
  "behaviour-named": ["/library"],
  "behaviour-published": ["/library", "/federation"],
  "behaviour-withdrawn": ["/library", "/federation"],
  "behaviour-imported": ["/library"],
  "behaviour-adopted": ["/library", "/proposals"],
  published: ["/federation", "/library"],
  "suggestion-dismissed": ["/library"],
};

const REOPEN_MS = 3000;
/** The gateway sends a heartbeat every 15 seconds. A connection silent for longer than this is dead. */
const SILENCE_MS = 50_000;

export interface EventStream {
  /** Opens the stream anew. */
  readonly open: () => void;
  readonly close: () => void;
  readonly isOpen: () => boolean;
  readonly isClosed: () => boolean;
}

/** The gateway's server-sent events. Reconnects when the connection is refused or silent, until it is closed. */
export function eventStream(on: {
  readonly open: () => void;
  readonly error: () => void;
  readonly change: (paths: readonly string[]) => void;
  readonly step: (step: RunStep) => void;
}): EventStream {
  let source: EventSource | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const close = (): void => {
    source?.close();
    source = undefined;
    clearTimeout(reopening);
    clearTimeout(silence);
  };
  const open = (): void => {
    close();
    const opened = new EventSource("/events");
    source = opened;
    const alive = (): void => {
      clearTimeout(silence);
      silence = setTimeout(open, SILENCE_MS);
    };
    opened.addEventListener("open", () => {
      alive();
      on.open();
    });
    opened.addEventListener("error", () => {
      clearTimeout(silence);
      on.error();
      // The browser does not retry a refused connection.
      if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS);
    });
    opened.addEventListener("alive", alive);
    for (const [kind, paths] of Object.entries(AFFECTED_PATHS))
      opened.addEventListener(kind, () => {
        alive();
        on.change(paths);
      });
    opened.addEventListener("run-step", (event) => {
      alive();
      on.step(JSON.parse(event.data as string) as RunStep);
    });
  };
  return {
    open,
    close,
    isOpen: () => source?.readyState === EventSource.OPEN,
    isClosed: () => source === undefined,
  };
}
