import { z } from "zod";
import { identityName } from "../../domain/identity.ts";
import { isAuditKey } from "../../garden/insight/audit-log.ts";
import { emit, recentEvents } from "../../garden/runs/events.ts";
import { authenticate } from "../authenticate.ts";
import type { FeedEvent } from "../event-feed.ts";
import { tooManyStreams } from "../failures.ts";
import { type Route, type RouteCall, route } from "../route.ts";
import { pageQuery } from "../shapes.ts";
import { engineOf } from "./runs.ts";

const MAX_LISTENERS = 100;
const HEARTBEAT_MS = 15_000;

const eventsRoute: Route = route("GET /events", {
  summary: {
    en: "live updates (server-sent events): audit records by kind, `run-step` for each step of a run, and `alive` as a heartbeat; resumes after `Last-Event-ID`",
    uk: "що відбувається, у ту ж мить (server-sent events): записи аудиту за їхнім видом, `run-step` для кожного кроку запуску й час від часу `alive`; продовжує після `Last-Event-ID`",
  },
  allows: ["owner"],
  answer: "text/event-stream",
  async handle(call) {
    const { gateway, request } = call;
    const headers = { "Content-Type": "text/event-stream; charset=UTF-8", "X-Accel-Buffering": "no" };
    if (request.method === "HEAD") return new Response(null, { headers });
    if (gateway.feed.listeners >= MAX_LISTENERS) throw tooManyStreams(MAX_LISTENERS);
    const body = stream(call);
    // A client that reads the state after this response misses no event.
    await gateway.feed.ready();
    return new Response(body, { headers });
  },
});

export const eventRoutes: readonly Route[] = [
  eventsRoute,
  route("GET /events/recent", {
    summary: {
      en: "the newest events from outside; `pending` until every agent that waits for one has its run",
      uk: "останні події ззовні; `pending`, доки кожен агент, що чекає, не має свого запуску",
    },
    allows: ["owner"],
    query: z.strictObject({ limit: pageQuery.limit }),
    answer: z.object({
      events: z.array(z.object({ name: z.string(), id: z.string(), at: z.string(), pending: z.boolean() })),
    }),
    handle: async ({ garden, query: { limit } }) => ({
      events: (await recentEvents(garden, limit)).map(({ isPending, ...event }) => ({ ...event, pending: isPending })),
    }),
  }),
  route("POST /events", {
    summary: {
      en: "emits a named event (`mail/received`) to the agents that subscribe to it; idempotent by `id` or `X-Correlation-Id` (O-4)",
      uk: "повідомляє про іменовану подію (`mail/received`) агентів, що на неї чекають; той самий id або `X-Correlation-Id` — та сама подія (O-4)",
    },
    allows: ["owner"],
    status: 201,
    body: z.strictObject({
      name: z.string().min(3).max(260),
      id: z.string().min(1).max(200).optional(),
      /** A path or an address that the event is about. */
      subject: z.string().max(1000).optional(),
      payload: z.json().optional(),
    }),
    answer: z.object({ event: z.object({ name: z.string(), id: z.string(), at: z.string(), subject: z.string() }) }),
    async handle({ garden, gateway, body, identity, correlation }) {
      engineOf(gateway.runs);
      const { name, id = correlation.id, subject = "", payload } = body;
      return { event: await emit(garden, { name, id, subject, payload, by: identityName(identity) }) };
    },
  }),
];

/** Backpressure: a slower client is disconnected. It reconnects with the last id that it saw, and misses nothing. */
const MAX_WAITING = 1000;

function stream(call: RouteCall): ReadableStream<Uint8Array> {
  const { request, gateway } = call;
  const { feed } = gateway;
  const last = request.headers.get("last-event-id") ?? "";
  let release = (): boolean => false;
  return new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        let open = true;
        /** Events that arrive while the missed ones are sent; undefined afterwards. */
        let waiting: FeedEvent[] | undefined = [];
        const sent = new Set<string>();
        // `desiredSize` is null once the stream has failed: close() and enqueue() would throw, and no caller of a listener catches that.
        const end = (): void => {
          if (release() && controller.desiredSize !== null) controller.close();
        };
        const send = (text: string): void => {
          if (!open) return;
          if (controller.desiredSize === null || controller.desiredSize < -MAX_WAITING) end();
          else controller.enqueue(Buffer.from(text));
        };
        const unsubscribe = feed.listen((event) => {
          if (waiting) waiting.push(event);
          else send(asText(event));
        });
        // Without an id, so that `Last-Event-ID` stays the key of a record.
        const ignoreSteps = gateway.steps.listen((step) => send(`event: run-step\ndata: ${JSON.stringify(step)}\n\n`));
        const heart = setInterval(
          () => void stillAllowed(call).then((yes) => (yes ? send("event: alive\ndata: {}\n\n") : end())),
          HEARTBEAT_MS,
        );
        const signals = [request.signal, feed.ended];
        release = () => {
          if (!open) return false;
          open = false;
          clearInterval(heart);
          unsubscribe();
          ignoreSteps();
          for (const signal of signals) signal.removeEventListener("abort", end);
          return true;
        };
        for (const signal of signals) {
          if (signal.aborted) end();
          else signal.addEventListener("abort", end, { once: true });
        }
        send("retry: 2000\n\n");
        try {
          for await (const event of isAuditKey(last) ? feed.since(last) : []) {
            if (!open) return;
            sent.add(event.id);
            send(asText(event));
          }
        } catch {
          // The store is unavailable. Events would be missing here, so the stream ends: the client reconnects with the last id that it saw.
          end();
          return;
        }
        const arrived = waiting;
        waiting = undefined;
        for (const event of arrived) if (!sent.has(event.id)) send(asText(event));
      },
      cancel: () => void release(),
    },
    { highWaterMark: 0 },
  );
}

const asText = ({ id, record }: FeedEvent): string =>
  `id: ${id}\nevent: ${record.kind}\ndata: ${JSON.stringify(record)}\n\n`;

/** False once the session has expired or was revoked: its streams end too. */
async function stillAllowed({ garden, gateway, request }: RouteCall): Promise<boolean> {
  try {
    const caller = await authenticate(garden, request, eventsRoute, gateway.secretOf, async () => new Uint8Array());
    return caller?.identity.type === "owner";
  } catch {
    return false;
  }
}
